/* SPDX-License-Identifier: 0BSD */
/*
 * Calls in a row, fanning out, and by the function itself.
 *
 * calls main 1
 * calls first 10           arc main first 10
 * calls second 100         arc first second 100
 * calls third 300          arc second third 200    arc main third 100
 * calls wide 7             arc main wide 7
 * calls left 7             arc wide left 7
 * calls right 21           arc wide right 21
 * calls factorial 66       arc main factorial 11   arc factorial factorial 55
 * calls even 11            arc main even 1         arc odd even 10
 * calls odd 10             arc even odd 10
 * calls never 0
 */
#ifdef __clang__
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noipa))
#endif

volatile int sink;

OPAQUE void never(void)
{
	sink++;
}

OPAQUE void third(void)
{
	sink++;
}

OPAQUE void second(void)
{
	third();
	third();
	sink++;
}

OPAQUE void first(void)
{
	for (int i = 0; i < 10; i++)
		second();
	sink++;
}

OPAQUE void left(void)
{
	sink++;
}

OPAQUE void right(void)
{
	sink++;
}

OPAQUE void wide(void)
{
	left();
	right();
	right();
	right();
	sink++;
}

OPAQUE int factorial(int n)
{
	int rest = n ? factorial(n - 1) : 1;

	sink++;
	return n ? n * rest : rest;
}

OPAQUE void odd(int n);

OPAQUE void even(int n)
{
	if (n)
		odd(n - 1);
	sink++;
}

OPAQUE void odd(int n)
{
	if (n)
		even(n - 1);
	sink++;
}

int main(void)
{
	for (int i = 0; i < 10; i++)
		first();
	for (int i = 0; i < 100; i++)
		third();
	for (int i = 0; i < 7; i++)
		wide();
	for (int i = 0; i <= 10; i++)
		factorial(i);
	even(20);
	if (sink == -1)
		never();
	return 0;
}
