/* SPDX-License-Identifier: 0BSD */
/*
 * dlclose(3), wrapped for images=all: before a library goes its counts are set
 * aside, and after it has gone what its destructors added, since the next
 * library may come to lie where it was.  Otherwise the C library's, untouched.
 *
 * No lock is held between the two, though another thread may load and call
 * such a library in the meantime: the C library has a lock of its own there,
 * and a constructor that calls dlclose() holds that one first.
 */
#include "gmon/life.h"
#include "gmon/state.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

/* Absent from static programs that load nothing. */
#pragma weak dlsym

/* Of the library behind a handle; 0 if it cannot be told. */
static uintptr_t bias_of(void *handle)
{
	int (*info)(void *, int, void *);
	struct link_map *map;

	*(void **)&info = dlsym(RTLD_DEFAULT, "dlinfo");
	if (!info || info(handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
		return 0;
	return map->l_addr;
}

__attribute__((weak, visibility("default"))) int dlclose(void *handle)
{
	int (*next)(void *) = NULL;
	int result;

	if (dlsym)
		*(void **)&next = dlsym(RTLD_NEXT, "dlclose");
	if (!next) /* it stays loaded, which no caller may rely against */
		return 0;
	if (!state_started() || !state.options.all_images)
		return next(handle);
	life_unloading(bias_of(handle));
	result = next(handle);
	life_unloaded();
	return result;
}
