/* SPDX-License-Identifier: 0BSD */
/* Calls part() 100 times. */
#include <stdio.h>

int part(int n);

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += part(i);
	printf("%d\n", sum);
	return sum != 50;
}
