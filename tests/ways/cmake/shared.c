/* SPDX-License-Identifier: 0BSD */
int shared(int n)
{
	return n & 2;
}
