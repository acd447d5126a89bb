/* SPDX-License-Identifier: 0BSD */
/*
 * Functions inside a function, which find its variables through the static
 * chain: called directly, through a pointer, by each other, from deep below.
 * GCC's -mfentry hides the caller one word deeper in these.
 *
 * calls main 1
 * calls outer 3             arc main outer 3
 * calls direct 6          arc outer direct 6
 * calls pointed 90        arc apply pointed 90
 * calls apply 9             arc outer apply 9
 * calls helped 12         arc outer helped 12
 * calls helper 24         arc helped helper 24
 * calls plain 24            arc helper plain 24
 */
#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

/* gprof knows no name with a dot in it, which GCC would make */
#define NAMED(type, name, arguments) auto type name arguments __asm__(#name)

volatile long sink;

OPAQUE void plain(void)
{
	sink++;
}

OPAQUE void apply(void (*function)(long))
{
	for (long i = 0; i < 10; i++)
		function(i);
	sink++;
}

OPAQUE long outer(long base)
{
	long total = base;

	NAMED(void, helper, (long n));
	NAMED(void, helped, (long n));
	NAMED(void, pointed, (long n));
	NAMED(long, direct, (long, long, long, long, long, long, long));

	OPAQUE void helper(long n)
	{
		total += n;
		plain();
		sink++;
	}
	OPAQUE void helped(long n)
	{
		helper(n);
		helper(n + base);
		sink++;
	}
	OPAQUE void pointed(long n)
	{
		total += n + base;
		sink++;
	}
	OPAQUE long direct(long a, long b, long c, long d, long e, long f,
			   long g)
	{
		sink++;
		return base + a + b + c + d + e + f + g;
	}

	for (int i = 0; i < 3; i++)
		apply(pointed);
	for (int i = 0; i < 4; i++)
		helped(1);
	total += direct(1, 2, 3, 4, 5, 6, 7);
	return total + direct(1, 1, 1, 1, 1, 1, 1);
}

int main(void)
{
	/* base + 3 * (45 + 10 * base) + 4 * (2 + base) + 2 * base + 35 */
	for (long base = 0; base < 3; base++)
		if (outer(base) != 178 + 37 * base)
			return 1;
	return 0;
}
