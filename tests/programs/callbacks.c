/* SPDX-License-Identifier: 0BSD */
/*
 * Called from the C library: how often the comparison was made is printed.
 *
 * calls main 1              arc outside main 1
 * calls body 3              arc outside body 3
 * calls once 1              arc outside once 1
 * calls bye 1               arc outside bye 1
 * calls count 3             arc body count 3
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

enum { VALUE_COUNT = 20000 };

static unsigned long comparisons;
volatile int sink;

OPAQUE int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	comparisons++;
	return (x > y) - (x < y);
}

OPAQUE void count(void)
{
	sink++;
}

OPAQUE void once(void)
{
	sink++;
}

OPAQUE void *body(void *argument)
{
	static pthread_once_t control = PTHREAD_ONCE_INIT;

	pthread_once(&control, once);
	count();
	return argument;
}

OPAQUE void bye(void)
{
	printf("calls by_value %lu  arc outside by_value %lu\n",
	       comparisons, comparisons);
}

int main(void)
{
	static int values[VALUE_COUNT];

	for (int i = 0; i < VALUE_COUNT; i++)
		values[i] = i * 7919 % 10007;
	atexit(bye);
	qsort(values, VALUE_COUNT, sizeof *values, by_value);
	for (int i = 0; i < 3; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, body, NULL) != 0 ||
		    pthread_join(thread, NULL) != 0)
			return 1;
	}
	for (int i = 1; i < VALUE_COUNT; i++)
		if (values[i - 1] > values[i])
			return 1;
	return 0;
}
