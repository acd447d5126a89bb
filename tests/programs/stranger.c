/* SPDX-License-Identifier: 0BSD */
/* Knows nothing of profiling, and uses the library of plugin.c. */
#include <stdio.h>

void run(void);

int main(void)
{
	run();
	puts("done");
	return 7;
}
