/* SPDX-License-Identifier: 0BSD */
/* syscall(2), within an object that shows it to nobody else. */
#include "tests/unit/calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

enum { ARGUMENTS = 6 };

bool (*calls_answer)(long number, const long *arguments, long *result);

static long (*real)(long number, ...);

/* Not at the first call, which may come in a handler. */
__attribute__((constructor)) static void find_real(void)
{
	*(void **)&real = dlsym(RTLD_DEFAULT, "syscall");
}

/* As the real one, it takes six of them, however many there are. */
long syscall(long number, ...)
{
	long arguments[ARGUMENTS], result;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < ARGUMENTS; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (!calls_answer || !calls_answer(number, arguments, &result))
		return real(number, arguments[0], arguments[1], arguments[2],
			    arguments[3], arguments[4], arguments[5]);
	if (result >= 0 || result <= -4096)
		return result;
	errno = (int)-result;
	return -1;
}
