/* SPDX-License-Identifier: 0BSD */
/* A library that raises SIGUSR1 while it is loaded. */
#include <signal.h>

__attribute__((constructor)) static void loaded(void)
{
	raise(SIGUSR1);
}

/* With glibc in the middle of its relocation, too: the loader's lock is held. */
#ifdef __GLIBC__
static void nothing(void)
{
}

static void (*resolve(void))(void)
{
	raise(SIGUSR1);
	return nothing;
}

__attribute__((ifunc("resolve"))) void alarmed(void);
void (*alarmed_address)(void) = alarmed;
#endif
