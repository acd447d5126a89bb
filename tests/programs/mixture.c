/* SPDX-License-Identifier: 0BSD */
/*
 * CPU time of every kind, about a third of a second of each: in the program's
 * own loops, in the C library, in the kernel, in the runtime, and in a second
 * thread.  With "parallel" the second thread does not come first; with
 * "blocked" twice as much again is done with all signals blocked.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

static char bytes[1 << 16];
volatile unsigned sink;

/* Until this thread has used so many more milliseconds. */
#define FOR_MS(ms, body)                                                    \
	do {                                                                \
		struct timespec now, start;                                 \
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);             \
		do {                                                        \
			for (int i_ = 0; i_ < 500; i_++)                    \
				body;                                       \
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);       \
		} while ((now.tv_sec - start.tv_sec) * 1000 +               \
				 (now.tv_nsec - start.tv_nsec) / 1000000 <  \
			 ms);                                               \
	} while (0)

OPAQUE void leaf(void)
{
}

OPAQUE void in_loops(void)
{
	FOR_MS(330, for (int i = 0; i < 1000; i++) sink = sink * 3 + 1);
}

OPAQUE void in_library(void)
{
	FOR_MS(330, memset(bytes, (int)sink++, sizeof bytes));
}

OPAQUE void in_kernel(void)
{
	int zero = open("/dev/zero", O_RDONLY);

	FOR_MS(330, sink += (unsigned)read(zero, bytes, sizeof bytes));
	close(zero);
}

OPAQUE void in_runtime(void)
{
	FOR_MS(330, for (int i = 0; i < 100; i++) leaf());
}

OPAQUE void *in_thread(void *argument)
{
	in_loops();
	return argument;
}

OPAQUE void out_of_sight(void)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	FOR_MS(600, for (int i = 0; i < 1000; i++) sink = sink * 3 + 1);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int main(int argc, char **argv)
{
	int parallel = argc > 1 && strcmp(argv[1], "parallel") == 0;
	pthread_t thread;

	if (pthread_create(&thread, NULL, in_thread, NULL) ||
	    (!parallel && pthread_join(thread, NULL)))
		return 1;
	in_loops();
	in_library();
	in_kernel();
	in_runtime();
	if (argc > 1 && strcmp(argv[1], "blocked") == 0)
		out_of_sight();
	return parallel ? pthread_join(thread, NULL) : 0;
}
