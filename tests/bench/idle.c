/* SPDX-License-Identifier: 0BSD */
/* Does nothing: what remains is the start and the exit. */
int main(void)
{
	return 0;
}
