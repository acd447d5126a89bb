/* SPDX-License-Identifier: 0BSD */
/*
 * Signal handlers that make counted calls, in the middle of counted calls.
 * "handlers SCENARIO COUNT" lets so many signals come, each a random few
 * microseconds after the last handler was left.  64 functions from_ call 64
 * functions to_: 4096 arcs, many of them new when the signal comes.  Prints
 * how many calls were attempted and how many were entered; they differ only
 * where handlers are left by siglongjmp.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))

void moncontrol(int mode);
int mondump(const char *path);

static unsigned long attempted, entered, after;
static volatile unsigned long signals, wanted;

#define ADD(counter) __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED)

typedef void callee(void);
typedef void caller(callee *);

#define TO(n) OPAQUE void to_##n(void) { ADD(entered); }
#define FROM(n) OPAQUE void from_##n(callee *to) { \
	ADD(entered); ADD(attempted); to(); ADD(after); }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X64(M) X16(M, 0) X16(M, 1) X16(M, 2) X16(M, 3)
#define NAME_TO(n) to_##n,
#define NAME_FROM(n) from_##n,

X64(TO)
X64(FROM)

static callee *const to[] = { X64(NAME_TO) };
static caller *const from[] = { X64(NAME_FROM) };

static __thread unsigned number;

/* Two calls; the arc differs from one pair to the next. */
PLAIN static void call_pair(void)
{
	unsigned i = number++;

	ADD(attempted);
	from[i % 64](to[(i / 64 + i) % 64]);
}

PLAIN static void call_pairs(int count)
{
	while (count--)
		call_pair();
}

#ifndef sigev_notify_thread_id /* glibc has no name for it */
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* A timer of this thread that expires once, soon. */
static __thread timer_t timer;
static __thread uint32_t seed = 1;

PLAIN static void timer_make(int signal)
{
	struct sigevent event;

	memset(&event, 0, sizeof event);
	event.sigev_signo = signal;
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		abort();
}

PLAIN static void soon(long microseconds)
{
	struct itimerspec time = {{0, 0}, {0, 0}};

	seed = seed * 1664525 + 1013904223;
	time.it_value.tv_nsec = 500 + (seed >> 8) % (microseconds * 1000);
	timer_settime(timer, 0, &time, NULL);
}

PLAIN static void on_signal(int signal)
{
	(void)signal;
	call_pairs(3);
	ADD(signals);
	soon(60);
}

/* Other signals come while this one is handled, itself among them. */
PLAIN static void on_nested(int signal)
{
	static __thread int depth;

	call_pair();
	if (depth++ < 4) {
		raise(signal == SIGUSR1 ? SIGUSR2 : SIGUSR1);
		call_pair();
	}
	depth--;
	ADD(signals);
	soon(60);
}

static sigjmp_buf back;

PLAIN static void on_jump(int signal)
{
	(void)signal;
	call_pair();
	ADD(signals);
	siglongjmp(back, 1);
}

static volatile int is_child;

/* The child goes on with what was interrupted; it must end well. */
PLAIN static void on_fork(int signal)
{
	int status = 0;
	pid_t child = is_child ? -1 : fork();

	(void)signal;
	if (child == 0) {
		is_child = 1;
		return;
	}
	if (waitpid(child, &status, 0) == child && status)
		_exit(3);
	call_pair();
	ADD(signals);
	soon(60);
}

PLAIN static void on_control(int signal)
{
	(void)signal;
	moncontrol((int)(signals & 1));
	call_pair();
	if (signals % 16 == 0)
		mondump("handler.out");
	ADD(signals);
	soon(60);
}

PLAIN static void handle(void handler(int), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = handler;
	action.sa_flags = flags;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	timer_make(SIGUSR1);
}

PLAIN static void interrupted(void)
{
	soon(60);
	while (signals < wanted)
		call_pair();
	timer_delete(timer);
}

PLAIN static int plain(void)
{
	handle(on_signal, SA_RESTART);
	interrupted();
	return 0;
}

PLAIN static int nested(void)
{
	handle(on_nested, SA_NODEFER);
	interrupted();
	return 0;
}

PLAIN static int alternate(void)
{
	static char memory[16384];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};

	sigaltstack(&stack, NULL);
	handle(on_signal, SA_ONSTACK);
	interrupted();
	return 0;
}

PLAIN static int line_count(const char *path)
{
	FILE *file = fopen(path, "r");
	int count = 0, c;

	while (file && (c = getc(file)) != EOF)
		count += c == '\n';
	if (file)
		fclose(file);
	return count;
}

PLAIN static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long all, own = 0;

	if (file && fscanf(file, "%ld %ld", &all, &own) != 2)
		own = 0;
	if (file)
		fclose(file);
	return own * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Also says what there is more of than before, with all arcs and tables. */
PLAIN static int jumps(void)
{
	static int mappings;
	static long kilobytes;

	mappings = line_count("/proc/self/maps");
	kilobytes = resident();
	handle(on_jump, 0);
	sigsetjmp(back, 1);
	if (signals < wanted)
		soon(20);
	while (signals < wanted)
		call_pair();
	printf("mappings %d\nkilobytes %ld\n",
	       line_count("/proc/self/maps") - mappings,
	       resident() - kilobytes);
	return 0;
}

PLAIN static int forks(void)
{
	handle(on_fork, 0);
	soon(60);
	for (int left = 5000; signals < wanted && left; left -= is_child)
		call_pair();
	if (!is_child)
		timer_delete(timer);
	return 0;
}

PLAIN static void *setup_thread(void *argument)
{
	seed = (uint32_t)(uintptr_t)argument;
	timer_make(SIGUSR1);
	soon(12);
	call_pairs(40);
	timer_delete(timer);
	return NULL;
}

PLAIN static void on_setup(int signal)
{
	(void)signal;
	call_pairs(3);
}

/* Threads whose first counted call is about when the signal comes. */
PLAIN static int setup(void)
{
	pthread_t thread;

	handle(on_setup, SA_RESTART);
	for (unsigned long i = 0; i < wanted; i++) {
		if (pthread_create(&thread, NULL, setup_thread,
				   (void *)(i * 7919)))
			return 1;
		pthread_join(thread, NULL);
	}
	return 0;
}

/* What is counted meanwhile nobody knows; afterwards all is as it was. */
PLAIN static int control(void)
{
	handle(on_control, SA_RESTART);
	soon(60);
	while (signals < wanted) {
		call_pair();
		moncontrol((int)(number & 1));
	}
	timer_delete(timer);
	moncontrol(1);
	mondump("before.out");
	attempted = entered = 0;
	call_pairs(64 * 64);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} scenarios[] = {
	{"plain", plain}, {"nested", nested}, {"alternate", alternate},
	{"jumps", jumps}, {"forks", forks},   {"setup", setup},
	{"control", control},
};

PLAIN int main(int argc, char **argv)
{
	int status = 2;

	wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (argc > 2 && strcmp(argv[1], scenarios[i].name) == 0)
			status = scenarios[i].run();
	if (!is_child)
		printf("attempted %lu\nentered %lu\n", attempted, entered);
	return status;
}
