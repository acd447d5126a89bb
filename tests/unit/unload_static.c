/* SPDX-License-Identifier: 0BSD */
/*
 * gmon/unload.c once more, as in a static program that loads nothing: dlsym is
 * not there.  Its dlclose is dlclose_static.
 */
#include <dlfcn.h>

void *nothing_dlsym(void *handle, const char *name) __attribute__((weak));
int dlclose_static(void *handle);

#define dlsym	nothing_dlsym
#define dlclose dlclose_static
#include "gmon/unload.c"
