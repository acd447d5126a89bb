/* SPDX-License-Identifier: 0BSD */
/*
 * Arguments and results in all the ways in which they travel; says "ok" when
 * all have arrived.
 *
 * calls main 1
 * calls integers 1
 * calls reals 1
 * calls long_reals 1
 * calls mixed 1
 * calls vectors 1
 * calls complex_product 1
 * calls make_big 1
 * calls big_sum 1
 * calls pair_sum 1
 * calls wide_product 1
 * calls sum_of_reals 2
 * calls sum_of_integers 2
 * calls with_chain 1
 */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

typedef float vector __attribute__((vector_size(16)));
struct big {
	long number[9];
};
struct pair {
	long integer;
	double real;
};

volatile int sink;

OPAQUE long integers(long a, int b, short c, char d, long e, long f, long g,
		     long h, long i, long j)
{
	return a + b * 10L + c * 100L + d * 1000L + e * 10000 + f * 100000 +
	       g * 1000000 + h * 10000000 + i * 100000000 + j * 1000000000;
}

OPAQUE double reals(double a, float b, double c, double d, double e, double f,
		    double g, double h, double i, double j)
{
	return a + b * 10 + c * 1e2 + d * 1e3 + e * 1e4 + f * 1e5 + g * 1e6 +
	       h * 1e7 + i * 1e8 + j * 1e9;
}

OPAQUE long double long_reals(long double a, long double b)
{
	return a / b;
}

OPAQUE double mixed(int a, double b, int c, double d, struct pair e, double *f)
{
	*f = a * b;
	return c * d + (double)e.integer * e.real;
}

OPAQUE vector vectors(vector a, vector b, vector c, vector d, vector e,
		      vector f, vector g, vector h)
{
	return a * b + c * d + e * f + g * h;
}

OPAQUE double complex complex_product(double complex a, float complex b)
{
	return a * b;
}

OPAQUE struct big make_big(long a)
{
	struct big big = {{a, 1, 2, 3, 4, 5, 6, 7, a}};

	return big;
}

OPAQUE long big_sum(struct big big, long more)
{
	for (int i = 0; i < 9; i++)
		more += big.number[i];
	return more;
}

OPAQUE struct pair pair_sum(struct pair a, struct pair b)
{
	struct pair sum = {a.integer + b.integer, a.real + b.real};

	return sum;
}

OPAQUE long long wide_product(long long a, long long b)
{
	return a * b;
}

OPAQUE double sum_of_reals(int count, ...)
{
	va_list numbers;
	double sum = 0;

	va_start(numbers, count);
	while (count--)
		sum += va_arg(numbers, double);
	va_end(numbers);
	return sum;
}

OPAQUE long sum_of_integers(int count, ...)
{
	va_list numbers;
	long sum = 0;

	va_start(numbers, count);
	while (count--)
		sum += va_arg(numbers, long);
	va_end(numbers);
	return sum;
}

#ifdef __clang__
OPAQUE long with_chain(long a)
{
	return 1000 + a;
}
#define CHAIN
#else
/* gprof knows no name with a dot in it, which GCC would make */
#define CHAIN                                              \
	long base = 1000;                                  \
	auto long with_chain(long a) __asm__("with_chain"); \
	OPAQUE long with_chain(long a)                     \
	{                                                  \
		return base + a;                           \
	}
#endif

static int wrong;

#define EXPECT(condition)                                 \
	do {                                              \
		if (!(condition)) {                       \
			printf("wrong: %s\n", #condition); \
			wrong = 1;                        \
		}                                         \
	} while (0)

int main(void)
{
	CHAIN
	vector v = {1, 2, 3, 4}, w;
	struct big big = make_big(42);
	struct pair one = {1, 0.5}, two = {2, 0.25}, sum = pair_sum(one, two);
	double product;

	EXPECT(integers(1, 2, 3, 4, 5, 6, 7, 8, 9, 0) == 987654321);
	EXPECT(reals(1, 2, 3, 4, 5, 6, 7, 8, 9, 0) == 987654321);
	EXPECT(long_reals(1 / 3.0L, 1) == 1 / 3.0L);
	EXPECT(mixed(2, 1.5, 3, 2.5, one, &product) == 8 && product == 3);
	w = vectors(v, v, v, v, v, v, v, v);
	EXPECT(w[0] == 4 && w[1] == 16 && w[2] == 36 && w[3] == 64);
	EXPECT(complex_product(3 + 4 * I, I) == -4 + 3 * I);
	EXPECT(big.number[0] == 42 && big.number[8] == 42);
	EXPECT(big_sum(big, 3) == 42 + 28 + 42 + 3);
	EXPECT(sum.integer == 3 && sum.real == 0.75);
	EXPECT(wide_product(1LL << 40, 1 << 20) == 1LL << 60);
	EXPECT(sum_of_reals(3, 1.5, 2.5, 3.0) == 7);
	EXPECT(sum_of_reals(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
	EXPECT(sum_of_integers(2, 1L, -2L) == -1);
	EXPECT(sum_of_integers(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L) == 36);
	EXPECT(with_chain(7) == 1007);
	if (!wrong)
		puts("ok");
	return wrong;
}
