/*
 * Three layers of libraries, a plugin that is loaded and unloaded, and a
 * callback from the C library back into main.  Build with -DLAYER=1, 2, 3 the
 * libraries libtower1.so (calls 2), libtower2.so (calls 3), libtower3.so; with
 * -DPLUGIN plugin.so; and with neither the program.  Exact counts of a run:
 *
 *      calls main 1
 *      calls layer1 10
 *      calls layer2 30
 *      calls layer3 60
 *      calls plugin 12
 *      calls work 112         each image has a static work of its own
 *
 * With an argument the plugins plugin.so and other.so are loaded in turn, so
 * many times in all, and each time called thrice.
 */
#ifndef LAYER
#define LAYER 0
#endif

#include <time.h>

static volatile unsigned long sink;

#ifndef ROUNDS
#define ROUNDS 500
#endif

/* Use CPU time: a second has so many ROUNDS. */
__attribute__((noinline)) static void work(int rounds)
{
	clock_t end = clock() + rounds * (CLOCKS_PER_SEC / ROUNDS);

	while (clock() < end)
		for (unsigned long i = 0; i < 10000; i++)
			sink += i;
}

#if defined PLUGIN
void plugin(void);
void plugin(void)
{
	work(3);
}
#elif LAYER == 3
void layer3(void);
void layer3(void)
{
	work(2);
}
#elif LAYER == 2
void layer3(void);
void layer2(void);
void layer2(void)
{
	work(1);
	layer3();
	layer3();
}
#elif LAYER == 1
#include <stdlib.h>
void layer2(void);
void layer1(int (*compare)(const void *, const void *));
void layer1(int (*compare)(const void *, const void *))
{
	int two[] = {2, 1};

	work(1);
	layer2();
	layer2();
	layer2();
	qsort(two, 2, sizeof *two, compare);
}
#else
#include <dlfcn.h>
#include <stdlib.h>

void layer1(int (*compare)(const void *, const void *));

static int compare(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

int main(int argc, char **argv)
{
	int loads = argc > 1 ? atoi(argv[1]) : 4;

	for (int i = 0; i < 10; i++)
		layer1(compare);
	for (int i = 0; i < loads; i++) {
		void *library = dlopen(argc > 1 && i % 2 ? "./other.so"
							 : "./plugin.so",
				       RTLD_NOW | RTLD_LOCAL);
		void (*plugin)(void);

		if (!library)
			return 1;
		*(void **)&plugin = dlsym(library, "plugin");
		for (int k = 0; k < 3; k++)
			plugin();
		dlclose(library);
	}
	work(1);
	return 0;
}
#endif
