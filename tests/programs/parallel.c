/* SPDX-License-Identifier: 0BSD */
/*
 * OpenMP: a parallel loop, ten times, and tasks, in four threads.  What the
 * compiler makes of the regions has names that gprof does not know; it takes
 * them for the function before, which is none of these in their own section.
 *
 * calls main 1
 * calls loop 10             arc main loop 10
 * calls work 10100
 * calls outer 10000
 */
#define OPAQUE __attribute__((noinline, section(".text.named")))

volatile int sink;

OPAQUE void work(void)
{
	sink = sink + 1;
}

OPAQUE void outer(void)
{
	work();
	sink = sink + 1;
}

OPAQUE void loop(void)
{
#pragma omp parallel for num_threads(4)
	for (int i = 0; i < 1000; i++)
		outer();
}

OPAQUE void tasks(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < 100; i++)
#pragma omp task
		work();
}

OPAQUE int main(void)
{
	for (int i = 0; i < 10; i++)
		loop();
	tasks();
	return 0;
}
