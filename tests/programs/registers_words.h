/* SPDX-License-Identifier: 0BSD */
/*
 * Behind the entries of a registers_<cpu>.c whose floating-point registers are
 * plain words: any pattern will do, and all of it has to come back.
 */
PLAIN static void state_prepare(struct trial *at)
{
	(void)at;
}

PLAIN static const char *state_complaint(const struct trial *at)
{
	return memcmp(at->float_before, at->float_after,
		      sizeof at->float_before) == 0
		       ? NULL
		       : "a floating-point register";
}
