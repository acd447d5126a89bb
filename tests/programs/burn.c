/* SPDX-License-Identifier: 0BSD */
/*
 * CPU time of threads: "burn SCENARIO".  Each thread burns in a function of
 * its own, by its own clock.  Prints how long each function really had, as
 * "time FUNCTION SECONDS", and what the process used, as "used SECONDS".
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
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

static __thread volatile unsigned sink;

PLAIN static double clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

PLAIN static double cpu_now(void)
{
	return clock_now(CLOCK_THREAD_CPUTIME_ID);
}

#define CHUNK                                            \
	do {                                             \
		for (int i_ = 0; i_ < 100000; i_++)      \
			sink = sink * 3 + 1;             \
	} while (0)
#define BURN(seconds)                                    \
	do {                                             \
		double end_ = cpu_now() + (seconds);     \
		while (cpu_now() < end_)                 \
			CHUNK;                           \
	} while (0)

#define BURNER(n) OPAQUE void burn_##n(double seconds) { BURN(seconds); }
BURNER(0) BURNER(1) BURNER(2) BURNER(3)
BURNER(4) BURNER(5) BURNER(6) BURNER(7)

static void (*const burners[])(double) = {burn_0, burn_1, burn_2, burn_3,
					  burn_4, burn_5, burn_6, burn_7};

/* What each thread has to do. */
struct task {
	pthread_t thread;
	void (*burn)(double seconds);
	double seconds;
	volatile double had;
	int is_plain; /* makes no counted call but that of burn */
};

OPAQUE void *task_run(void *argument)
{
	struct task *task = argument;
	double start = cpu_now();

	task->burn(task->seconds);
	task->had = cpu_now() - start;
	return NULL;
}

static volatile int is_held_up;

PLAIN static void *task_run_plain(void *argument)
{
	struct task *task = argument;
	double start = cpu_now();

	while (is_held_up)
		usleep(1000);
	task->burn(task->seconds);
	task->had = cpu_now() - start;
	return NULL;
}

PLAIN static void task_start(struct task *task)
{
	if (pthread_create(&task->thread, NULL,
			   task->is_plain ? task_run_plain : task_run, task))
		abort();
}

/* "equal N SECONDS" together; "skewed": 90 % for the first. */
PLAIN static int share(int count, double total, int skewed)
{
	struct task tasks[8];

	memset(tasks, 0, sizeof tasks);
	for (int i = 0; i < count; i++) {
		tasks[i].burn = burners[i];
		tasks[i].seconds = !skewed ? total / count
				   : !i	   ? total * 0.9
					   : total * 0.1 / (count - 1);
		task_start(&tasks[i]);
	}
	for (int i = 0; i < count; i++) {
		pthread_join(tasks[i].thread, NULL);
		printf("time burn_%d %.3f\n", i, tasks[i].had);
	}
	return 0;
}

/* Code without -pg, in a thread of its own. */
PLAIN __attribute__((noinline)) void plain_burn(double seconds)
{
	BURN(seconds);
}

static struct task plain_task = {.burn = plain_burn, .is_plain = 1};

/* The main thread sleeps meanwhile. */
PLAIN static int plain(double seconds)
{
	plain_task.seconds = seconds;
	task_start(&plain_task);
	pthread_join(plain_task.thread, NULL);
	printf("time plain_burn %.3f\n", plain_task.had);
	return 0;
}

/* The same, started before profiling is on, beside one that is sampled. */
PLAIN static int before(double seconds)
{
	moncontrol(0);
	plain_task.seconds = seconds;
	is_held_up = 1;
	task_start(&plain_task);
	usleep(20000);
	moncontrol(1);
	is_held_up = 0;
	burn_0(seconds);
	pthread_join(plain_task.thread, NULL);
	printf("time plain_burn %.3f\n", plain_task.had);
	return 0;
}

/* Runs 0.2 ms, sleeps 1 ms. */
OPAQUE void burst(double seconds)
{
	double end = cpu_now() + seconds;

	while (cpu_now() < end) {
		double until = cpu_now() + 0.0002;

		while (cpu_now() < until)
			for (int i = 0; i < 2000; i++)
				sink = sink * 3 + 1;
		usleep(1000);
	}
}

PLAIN static int bursts(double seconds)
{
	struct task tasks[8];
	double had = 0;

	memset(tasks, 0, sizeof tasks);
	for (int i = 0; i < 8; i++) {
		tasks[i].burn = burst;
		tasks[i].seconds = seconds / 8;
		task_start(&tasks[i]);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(tasks[i].thread, NULL);
		had += tasks[i].had;
	}
	printf("time burst %.3f\n", had);
	return 0;
}

static volatile int burning = 1, interrupted;

OPAQUE void *sleeper_sleep(void *argument)
{
	struct timespec time = {0, 30000000};

	while (burning)
		interrupted += nanosleep(&time, NULL) != 0;
	return argument;
}

OPAQUE void *sleeper_poll(void *argument)
{
	while (burning)
		interrupted += poll(NULL, 0, 30) < 0;
	return argument;
}

static int pipe_ends[2];

OPAQUE void *sleeper_read(void *argument)
{
	char byte;

	interrupted += read(pipe_ends[0], &byte, 1) != 1;
	return argument;
}

static sem_t semaphore;

OPAQUE void *sleeper_wait(void *argument)
{
	interrupted += sem_wait(&semaphore) != 0;
	return argument;
}

/* `deaf`: a thread without counted calls that has blocked every signal. */
PLAIN static int sleepers(double seconds, int deaf)
{
	void *(*const runs[])(void *) = {sleeper_sleep, sleeper_poll,
					 sleeper_read, sleeper_wait};
	struct task task = {.burn = burn_0, .seconds = seconds};
	pthread_t threads[4];
	sigset_t all, old;

	sem_init(&semaphore, 0, 0);
	if (pipe(pipe_ends))
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, runs[i], NULL);
	plain_task.seconds = seconds;
	sigfillset(&all);
	if (deaf)
		pthread_sigmask(SIG_SETMASK, &all, &old);
	task_start(&plain_task);
	if (deaf)
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	else
		task_start(&task);
	while (!plain_task.had)
		interrupted += usleep(50000) != 0;
	if (!deaf)
		pthread_join(task.thread, NULL);
	burning = 0;
	interrupted += write(pipe_ends[1], "", 1) != 1;
	sem_post(&semaphore);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	pthread_join(plain_task.thread, NULL);
	printf("interrupted %d\ntime plain_burn %.3f\n", interrupted,
	       plain_task.had);
	return 0;
}

/* A server's shape: workers block every signal, the main thread waits. */
PLAIN static int blocked_first(double seconds)
{
	struct task task = {.burn = burn_0, .seconds = seconds};
	struct timespec time = {0, 50000000};
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	task_start(&task);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	while (!task.had)
		interrupted += nanosleep(&time, NULL) != 0;
	pthread_join(task.thread, NULL);
	printf("interrupted %d\ntime burn_0 %.3f\n", interrupted, task.had);
	return 0;
}

/* burn_1 cannot be sampled, and unblock must not be charged with it. */
OPAQUE void unblock(const sigset_t *old)
{
	sigprocmask(SIG_SETMASK, old, NULL);
	for (int i = 0; i < 100; i++)
		sink++;
}

PLAIN static int blocked_later(double seconds)
{
	sigset_t all, old;

	burn_0(seconds);
	burn_1(0);
	burn_0(0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	plain_burn(seconds);
	unblock(&old);
	printf("time burn_0 %.3f\n", seconds);
	return 0;
}

PLAIN static void reset_all(void)
{
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
}

/* In the program itself, in a forked child, and in one that execs. */
PLAIN static int resets(double seconds)
{
	int status, child_status;
	pid_t child = fork();

	if (child == 0) {
		reset_all();
		burn_1(seconds);
		execlp("sh", "sh", "-c", "exit 7", (char *)NULL);
	}
	if (waitpid(child, &child_status, 0) != child)
		return 1;
	burn_0(seconds);
	reset_all();
	burn_1(seconds);
	child = fork();
	if (child == 0) {
		reset_all();
		burn_1(seconds);
		exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		return 1;
	printf("time burn_0 %.3f\n", seconds);
	return WEXITSTATUS(child_status) == 7 ? 0 : 1;
}

static volatile int urgent;

PLAIN static void on_urgent(int signal)
{
	urgent += signal == SIGURG;
}

/* Its own handler over ours: it gets its signals, sampling stops. */
PLAIN static int takes_over(double seconds)
{
	burn_0(seconds);
	signal(SIGURG, on_urgent);
	for (int i = 0; i < 10; i++)
		kill(getpid(), SIGURG);
	burn_1(seconds);
	printf("urgent %d\ntime burn_0 %.3f\n", urgent, seconds);
	return 0;
}

/* No more timers for anybody: the main thread has one, the others none. */
PLAIN static int refused(double seconds)
{
	struct rlimit limit;

	getrlimit(RLIMIT_SIGPENDING, &limit);
	limit.rlim_cur = 0;
	if (setrlimit(RLIMIT_SIGPENDING, &limit))
		return 1;
	return share(3, seconds, 0);
}

static volatile int own_ticks;

PLAIN static void on_own_tick(int signal)
{
	own_ticks += signal == SIGPROF;
}

/* A profiler of the program's own, at ten ticks a second. */
PLAIN static int own_timer(double seconds)
{
	struct itimerval time = {{0, 100000}, {0, 100000}}, none = {0};

	signal(SIGPROF, on_own_tick);
	setitimer(ITIMER_PROF, &time, NULL);
	burn_0(seconds);
	setitimer(ITIMER_PROF, &none, NULL);
	printf("own %d\ntime burn_0 %.3f\n", own_ticks, seconds);
	return 0;
}

PLAIN static int scenario(const char *name, int count, double seconds)
{
	if (strcmp(name, "equal") == 0 || strcmp(name, "skewed") == 0)
		return share(count, seconds, *name == 's');
	if (strcmp(name, "plain") == 0)
		return plain(seconds);
	if (strcmp(name, "before") == 0)
		return before(seconds);
	if (strcmp(name, "bursts") == 0)
		return bursts(seconds);
	if (strcmp(name, "sleepers") == 0)
		return sleepers(seconds, count);
	if (strcmp(name, "blocked_first") == 0)
		return blocked_first(seconds);
	if (strcmp(name, "blocked_later") == 0)
		return blocked_later(seconds);
	if (strcmp(name, "resets") == 0)
		return resets(seconds);
	if (strcmp(name, "takes_over") == 0)
		return takes_over(seconds);
	if (strcmp(name, "refused") == 0)
		return refused(seconds);
	if (strcmp(name, "own_timer") == 0)
		return own_timer(seconds);
	return 2;
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status;

	if (argc != 4)
		return 2;
	status = scenario(argv[1], atoi(argv[2]), atof(argv[3]));
	getrusage(RUSAGE_SELF, &used);
	printf("used %.3f\n",
	       (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
		       (double)(used.ru_utime.tv_usec +
				used.ru_stime.tv_usec) / 1e6);
	return status;
}
