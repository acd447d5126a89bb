/* SPDX-License-Identifier: 0BSD */
/*
 * gmon/ends.c once more, as with musl: __cxa_at_quick_exit is not there.  Its
 * names end in _musl.
 */
#include <stdlib.h>
#include <unistd.h>

_Noreturn void _exit_musl(int status);
_Noreturn void _Exit_musl(int status);

#define __cxa_at_quick_exit nothing_at_quick_exit
#define ends_start	    ends_start_musl
#define ends_hook	    ends_hook_musl
#define _exit		    _exit_musl
#define _Exit		    _Exit_musl
#include "gmon/ends.c"
