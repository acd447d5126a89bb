/* SPDX-License-Identifier: 0BSD */
/*
 * Calls through pointers, and functions with a variable argument list.
 *
 * calls main 1
 * calls add 30              arc apply add 30
 * calls subtract 15         arc apply subtract 15
 * calls multiply 15         arc apply multiply 10    arc main multiply 5
 * calls apply 55            arc main apply 55
 * calls sum 4               arc main sum 4
 * calls sum_of_reals 2      arc main sum_of_reals 2
 */
#include <stdarg.h>

#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile long sink;

typedef long operation(long, long);

OPAQUE long add(long a, long b)
{
	sink++;
	return a + b;
}

OPAQUE long subtract(long a, long b)
{
	sink++;
	return a - b;
}

OPAQUE long multiply(long a, long b)
{
	sink++;
	return a * b;
}

OPAQUE long apply(operation *function, long a, long b)
{
	long result = function(a, b);

	sink++;
	return result;
}

OPAQUE long sum(int count, ...)
{
	va_list numbers;
	long result = 0;

	va_start(numbers, count);
	while (count--)
		result += va_arg(numbers, long);
	va_end(numbers);
	sink++;
	return result;
}

OPAQUE double sum_of_reals(int count, ...)
{
	va_list numbers;
	double result = 0;

	va_start(numbers, count);
	while (count--)
		result += va_arg(numbers, double);
	va_end(numbers);
	sink++;
	return result;
}

int main(void)
{
	operation *const table[] = {add, subtract, add, multiply, add};
	operation *volatile last = multiply;
	long result = 0;

	for (int i = 0; i < 50; i++)
		result += apply(table[i % 5], i, 2);
	for (int i = 0; i < 5; i++)
		result += apply(subtract, i, i) + last(1, 1);
	result += sum(0) + sum(1, 1L) + sum(2, 1L, 2L) +
		  sum(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
	return result != 1574 ||
	       sum_of_reals(2, 1.5, 2.5) != 4 ||
	       sum_of_reals(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.) != 45;
}
