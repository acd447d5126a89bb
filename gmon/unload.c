/* SPDX-License-Identifier: 0BSD */
/*
 * dlclose(3), wrapped for images=all: before a library goes its identity is
 * noted, and after it has gone its counts are set aside, since the next
 * library may come to lie where it was.  Otherwise the C library's, untouched.
 */
#include "gmon/life.h"

#include <dlfcn.h>
#include <stddef.h>

/* Absent from static programs that load nothing. */
#pragma weak dlsym

__attribute__((weak, visibility("default"))) int dlclose(void *handle)
{
	int (*next)(void *) = NULL;
	int result;

	if (dlsym)
		*(void **)&next = dlsym(RTLD_NEXT, "dlclose");
	if (!next) /* it stays loaded, which no caller may rely against */
		return 0;
	life_unload(LIFE_BEFORE);
	result = next(handle);
	life_unload(LIFE_AFTER);
	return result;
}
