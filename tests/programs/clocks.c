/* SPDX-License-Identifier: 0BSD */
/* Reads the clock for half a second of CPU time. */
#include <time.h>

int main(void)
{
	struct timespec now;
	clock_t end = clock() + CLOCKS_PER_SEC / 2;

	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			clock_gettime(CLOCK_MONOTONIC, &now);
	return 0;
}
