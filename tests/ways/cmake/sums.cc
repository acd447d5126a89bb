/* SPDX-License-Identifier: 0BSD */
/* Calls part() 100 times, shared() 10 times. */
#include <iostream>

extern "C" int part(int n);
extern "C" int shared(int n);

int main()
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += part(i);
	for (int i = 0; i < 10; i++)
		sum += shared(i);
	std::cout << sum << std::endl;
	return sum != 58;
}
