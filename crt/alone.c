/* SPDX-License-Identifier: 0BSD */
/*
 * What gcrt0.o gives a program that is linked with it and with none of the
 * compiler's own crti.o, crtbegin.o, crtend.o, crtn.o.  All weak: where those
 * are on the line, theirs hold.
 */
#define WEAK __attribute__((weak, visibility("hidden")))

/* Names this image to atexit() and C++ destructors; null: the program. */
WEAK void *__dso_handle;

/* glibc's static start calls both; the linker makes DT_INIT of them. */
void _init(void);
void _fini(void);

WEAK void _init(void)
{
}

WEAK void _fini(void)
{
}
