/* SPDX-License-Identifier: 0BSD */
/*
 * profil() as a program uses it, one scenario by name.  Each function to be
 * found is a page of its own and has a bin of its own; bins are compared with
 * the CPU time that the program gave it.  Exits with 0 if all was right.
 */
#include "profil/profil.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone, aligned(4096)))
#else
#define OPAQUE __attribute__((noipa, aligned(4096)))
#endif

/* A page has 2048 pairs of bytes, all in one bin. */
enum { PAGE = 4096, SCALE = 32 };

static unsigned short *volatile none;
volatile unsigned sink;
static volatile sig_atomic_t own_ticks;
static _Atomic int started;
static int failures;

#define SPIN                             \
	for (int i = 0; i < 300000; i++) \
	sink = sink * 3 + 1

OPAQUE void first(void)
{
	SPIN;
}

OPAQUE void second(void)
{
	SPIN;
}

OPAQUE void behind(void)
{
}

static long used_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void busy(void (*work)(void), long ms)
{
	for (long end = used_ms() + ms; used_ms() < end;)
		work();
}

static void expect(int is_right, const char *what, long number)
{
	if (is_right)
		return;
	fprintf(stderr, "%s: %ld\n", what, number);
	failures++;
}

/* Bins have 10 ms; a few ticks come before or after. */
static void is_about(long bins, long ms, const char *what)
{
	long off = bins * 10 - ms;

	expect(off <= ms / 12 + 30 && off >= -ms / 12 - 30, what, bins);
}

static size_t text_of(void (*function)(void))
{
	return (size_t)(uintptr_t)function;
}

static void on(unsigned short *bins, int count)
{
	expect(profil(bins, (size_t)count * sizeof *bins, text_of(first),
		      SCALE) == 0,
	       "profil", count);
}

static void off(void)
{
	expect(profil(none, 0, 0, 0) == 0, "off", 0);
}

/* The plain use, twice; a second buffer replaces the first. */
static void plain(void)
{
	static unsigned short bins[2], others[2];

	on(bins, 2);
	busy(first, 200);
	busy(second, 100);
	on(others, 2);
	busy(second, 150);
	off();
	busy(first, 100);
	is_about(bins[0], 200, "first");
	is_about(bins[1], 100, "second");
	is_about(others[1], 150, "second, later");
	expect(others[0] == 0, "first, off", others[0]);
}

/* At an odd address, and one bin fewer than there are functions. */
static void odd(void)
{
	static unsigned char bytes[6];
	unsigned short bin;

	on((void *)(bytes + 1), 1);
	busy(first, 200);
	busy(second, 100);
	off();
	memcpy(&bin, bytes + 1, sizeof bin);
	is_about(bin, 200, "first");
	for (int i = 0; i < 6; i++)
		expect(i == 1 || i == 2 || !bytes[i], "beside", i);
}

/* Case 16: a bin stays at its highest value. */
static void full(void)
{
	static unsigned short bins[2] = {65530, 65530};

	on(bins, 2);
	busy(first, 200);
	off();
	expect(bins[0] == 65535, "a full bin", bins[0]);
	expect(bins[1] == 65530, "its neighbour", bins[1]);
}

static void *in_first(void *ms)
{
	first();
	started++;
	busy(first, (long)(intptr_t)ms);
	return ms;
}

static void with_threads(int count, long ms, void (*meanwhile)(void))
{
	pthread_t threads[8];

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, in_first,
			       (void *)(intptr_t)ms);
	while (started < count)
		usleep(1000);
	meanwhile();
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void in_second(void)
{
	busy(second, 200);
}

static void threads(void)
{
	static unsigned short bins[2];

	on(bins, 2);
	with_threads(4, 100, in_second);
	off();
	is_about(bins[0], 400, "in threads");
	is_about(bins[1], 200, "in main");
}

static void own_tick(int signal)
{
	own_ticks += signal == SIGPROF;
}

/*
 * The program's own timer, of which the kernel itself loses or adds half of
 * the signals where others want the CPU, and a sleep that nothing cuts short.
 */
static void itimer(void)
{
	struct itimerval each = {{0, 50000}, {0, 50000}}, never = {{0, 0},
								   {0, 0}};
	struct timespec moment = {0, 50000000};
	static unsigned short bins[2];

	signal(SIGPROF, own_tick);
	setitimer(ITIMER_PROF, &each, NULL);
	on(bins, 2);
	busy(first, 600);
	setitimer(ITIMER_PROF, &never, NULL);
	for (int i = 0; i < 4; i++)
		expect(nanosleep(&moment, NULL) == 0, "sleep", i);
	off();
	is_about(bins[0], 600, "first");
	expect(own_ticks >= 2 && own_ticks <= 24, "own ticks", own_ticks);
	expect(signal(SIGPROF, SIG_DFL) == own_tick, "own handler", 0);
}

static int status_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

/* The child goes on in its own copy. */
static void children(void)
{
	static unsigned short bins[2];
	pid_t child;

	on(bins, 2);
	busy(first, 150);
	child = fork();
	busy(first, child ? 0 : 200);
	if (child == 0) {
		off();
		is_about(bins[0], 350, "first in the child");
		_exit(failures);
	}
	expect(status_of(child) == 0, "child", 0);
	off();
	is_about(bins[0], 150, "first in the parent");
}

static unsigned short *buffer;

static void put_back(void)
{
	mmap(buffer, PAGE, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* The buffer goes in every way, while threads are sampled into it. */
static void take_away(void)
{
	for (int i = 0; i < 24; i++) {
		put_back();
		on(buffer, 2);
		usleep(5000);
		if (i % 3 == 0)
			munmap(buffer, PAGE);
		else
			mprotect(buffer, PAGE, i % 3 == 1 ? PROT_READ
							  : PROT_NONE);
		busy(second, 15);
	}
}

static void gone(void)
{
	struct sigaction action;

	/*
	 * Between two other pages: a hole that is open below is where the next
	 * mapping goes, a stack or a table of the runtime, and putting the
	 * buffer back would destroy that.
	 */
	buffer = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	buffer += PAGE / sizeof *buffer;
	put_back();
	with_threads(2, 200, take_away);
	busy(second, 200);
	put_back();
	busy(second, 30);
	expect(buffer[0] + buffer[1] == 0, "after it was gone",
	       buffer[0] + buffer[1]);
	on(buffer, 2);
	busy(first, 200);
	off();
	is_about(buffer[0], 200, "a new one");
	sigaction(SIGSEGV, NULL, &action);
	expect(action.sa_handler == SIG_DFL, "SIGSEGV", 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{"plain", plain},	{"odd", odd},	{"full", full},
	{"threads", threads},	{"itimer", itimer},
	{"children", children}, {"gone", gone},
};

int main(int argc, char **argv)
{
	if (text_of(second) != text_of(first) + PAGE ||
	    text_of(behind) != text_of(second) + PAGE)
		return 2;
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (argc > 1 && strcmp(argv[1], scenarios[i].name) == 0) {
			scenarios[i].run();
			return failures != 0;
		}
	return 3;
}
