/* SPDX-License-Identifier: 0BSD */
/*
 * Every other name under which the C library has these functions.  A static
 * program takes an object out of libc.a for any of its names that is missing
 * here, and then has two of the others.
 */
#include "gmon/gmon.h"
#include "profil/profil.h"

#pragma GCC visibility push(default)

void __monstartup(unsigned long lowpc, unsigned long highpc);
void __moncontrol(int mode);
void __write_profiling(void);
void write_profiling(void);
int __profile_frequency(void);
int __profil(unsigned short *buffer, size_t size, size_t offset,
	     unsigned scale);
int __sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
	      unsigned flags);

/* gcc's basic-block counts and the other runtime's state: nothing here */
void *__bb_head;
long _gmonparam[16];

void __monstartup(unsigned long lowpc, unsigned long highpc)
{
	monstartup(lowpc, highpc);
}

void __moncontrol(int mode)
{
	moncontrol(mode);
}

void __write_profiling(void)
{
	mondump(0);
}

void write_profiling(void)
{
	mondump(0);
}

int __profil(unsigned short *buffer, size_t size, size_t offset, unsigned scale)
{
	return profil(buffer, size, offset, scale);
}

int __sprofil(struct prof *profp, int profcnt, struct timeval *tvp,
	      unsigned flags)
{
	return sprofil(profp, profcnt, tvp, flags);
}

int __profile_frequency(void)
{
	return PROFIL_RATE;
}

#pragma GCC visibility pop
