/* SPDX-License-Identifier: 0BSD */
/*
 * visitor keep|close LIBRARY...: loads each library, calls it three times and
 * closes it, or keeps it.  Build with -DBURN=steps the libraries, without it
 * the program.  Exact counts of each library: work 3, part 6.
 */
#ifdef BURN
static volatile long sink;

__attribute__((noinline)) void part(void)
{
	sink = 0;
}

#ifdef LONGER
__attribute__((no_instrument_function)) long longer(long n)
{
	return sink + n * n;
}
#endif

void work(void)
{
	part();
	part();
	for (long i = 0; i < BURN; i++)
		sink = sink + 1;
}
#else
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW);
		void (*work)(void);

		if (!library)
			return 1;
		*(void **)&work = dlsym(library, "work");
		for (int k = 0; k < 3; k++)
			work();
		if (strcmp(argv[1], "close") == 0)
			dlclose(library);
	}
	return 0;
}
#endif
