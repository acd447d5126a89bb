/* SPDX-License-Identifier: 0BSD */
/*
 * Threads that are cancelled asynchronously in the middle of counted calls, so
 * often in the stub or in the recorder, which the unwinder then walks through.
 * How often the function was called is known to one call for each thread:
 * prints the numbers of bodies entered and of calls attempted.
 *
 * calls main 1
 * calls spin 100            arc outside spin 100
 * calls cleaned 100         arc outside cleaned 100
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
enum { THREADS = 100, CALLEES = 256 };

static struct progress {
	volatile unsigned long entered, attempted;
} progress;

typedef void callee(void);

#define CALLEE(n) OPAQUE void to_##n(void) { progress.entered++; }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X256(M, n) X16(M, n##00) X16(M, n##01) X16(M, n##02) X16(M, n##03) \
		   X16(M, n##10) X16(M, n##11) X16(M, n##12) X16(M, n##13) \
		   X16(M, n##20) X16(M, n##21) X16(M, n##22) X16(M, n##23) \
		   X16(M, n##30) X16(M, n##31) X16(M, n##32) X16(M, n##33)
#define NAME(n) to_##n,

X256(CALLEE, )
static callee *const callees[CALLEES] = { X256(NAME, ) };

OPAQUE void cleaned(void *argument)
{
	(void)argument;
	progress.attempted += 0;
}

/* The first round goes through the recorder, the others through the stub. */
OPAQUE void *spin(void *argument)
{
	(void)argument;
	pthread_cleanup_push(cleaned, NULL);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (unsigned i = 0;; i = (i + 1) % CALLEES) {
		progress.attempted++;
		callees[i]();
	}
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	unsigned long entered = 0, attempted = 0;
	pthread_t thread;
	void *result;

	for (int i = 0; i < THREADS; i++) {
		progress.entered = progress.attempted = 0;
		if (pthread_create(&thread, NULL, spin, NULL))
			return 1;
		while (!progress.attempted)
			;
		for (volatile int delay = i % 100 * 100; delay; delay--)
			;
		if (pthread_cancel(thread) ||
		    pthread_join(thread, &result) ||
		    result != PTHREAD_CANCELED)
			return 1;
		entered += progress.entered;
		attempted += progress.attempted;
	}
	printf("entered %lu\nattempted %lu\n", entered, attempted);
	return 0;
}
