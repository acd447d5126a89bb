/* SPDX-License-Identifier: 0BSD */
/*
 * From some point on the kernel refuses all memory: "refusals WHEN", where
 * WHEN is before, while or after four threads, which are there already, make
 * 4096 arcs each.  What is not counted must be reported as lost: prints how
 * many calls there were.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif
#define PLAIN __attribute__((no_instrument_function))
enum { THREADS = 4, ROUNDS = 5 };

typedef void callee(void);
typedef void caller(callee *);

static __thread volatile int sink;

#define TO(n) OPAQUE void to_##n(void) { sink++; }
#define FROM(n) OPAQUE void from_##n(callee *to) { to(); sink++; }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X64(M) X16(M, 0) X16(M, 1) X16(M, 2) X16(M, 3)
#define NAME_TO(n) to_##n,
#define NAME_FROM(n) from_##n,

X64(TO)
X64(FROM)

static callee *const to[] = { X64(NAME_TO) };
static caller *const from[] = { X64(NAME_FROM) };

static pthread_barrier_t barrier;
static const char *when;

PLAIN static void refuse(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_AS, &limit);
	limit.rlim_cur = 1;
	if (setrlimit(RLIMIT_AS, &limit))
		abort();
}

PLAIN static void *life(void *first)
{
	pthread_barrier_wait(&barrier);
	if (strcmp(when, "before") == 0 && first)
		refuse();
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < ROUNDS * 64 * 64; i++) {
		from[i % 64](to[(i / 64 + i) % 64]);
		if (strcmp(when, "while") == 0 && first && i == 1000)
			refuse();
	}
	pthread_barrier_wait(&barrier);
	if (strcmp(when, "after") == 0 && first)
		refuse();
	return NULL;
}

PLAIN int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc != 2)
		return 2;
	when = argv[1];
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, life,
				   i ? NULL : &barrier))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("calls %d\n", THREADS * ROUNDS * 64 * 64 * 2);
	return 0;
}
