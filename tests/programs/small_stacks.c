/* SPDX-License-Identifier: 0BSD */
/*
 * 16 threads with the smallest stack that there is (16 KiB, or 128 where the
 * C library asks for that much), each of which makes 512 arcs, so that its
 * table grows three times, and is sampled.
 *
 * calls main 1
 * calls life 16             arc outside life 16
 * each to_ 256 1600         each_arc life to_ 256 800
 *                           each_arc again to_ 256 800
 * calls again 800           arc life again 800
 */
#include <limits.h>
#include <pthread.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline))
#else
#define OPAQUE __attribute__((noipa))
#endif

static __thread volatile int sink;

#define TO(n) OPAQUE void to_##n(void) { sink++; }
#define X4(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define X16(M, n) X4(M, n##0) X4(M, n##1) X4(M, n##2) X4(M, n##3)
#define X64(M, n) X16(M, n##0) X16(M, n##1) X16(M, n##2) X16(M, n##3)
#define X256(M) X64(M, 0) X64(M, 1) X64(M, 2) X64(M, 3)
#define NAME(n) to_##n,

X256(TO)

static void (*const to[])(void) = { X256(NAME) };

OPAQUE void again(void)
{
	for (int i = 0; i < 256; i++)
		to[i]();
	sink++;
}

OPAQUE void *life(void *argument)
{
	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < 256; i++)
			to[i]();
		again();
	}
	return argument;
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t threads[16];

	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, 16384) &&
	    pthread_attr_setstacksize(&attributes, 131072))
		return 1;
	for (int i = 0; i < 16; i++)
		if (pthread_create(&threads[i], &attributes, life, NULL))
			return 1;
	for (int i = 0; i < 16; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
