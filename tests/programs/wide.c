/* SPDX-License-Identifier: 0BSD */
/*
 * A text that reaches over 2.5 GiB: far() is linked to the end of it.
 *
 * calls main 1
 * calls near 10
 * calls far 20
 *
 * A third of the time is in near, the rest in far.
 */
#define OPAQUE __attribute__((noipa))
#define FAR    __attribute__((section(".far")))

volatile unsigned sink;

#define SPIN                               \
	for (int i = 0; i < 30000000; i++) \
	sink = sink * 3 + 1

OPAQUE void near(void)
{
	SPIN;
}

OPAQUE FAR void far(void)
{
	SPIN;
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		near();
		far();
		far();
	}
	return 0;
}
