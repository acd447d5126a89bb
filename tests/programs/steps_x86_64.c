/* SPDX-License-Identifier: 0BSD */
/*
 * Steps through calls of profiled functions one instruction at a time, and
 * unwinds the stack at each: main has to be found from everywhere, in the
 * stub, in the recorder and in what that calls.  A first call, a known arc,
 * new arcs until the table grows, and with profiling off.  Says how many steps
 * it took.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unwind.h>

#define PLAIN __attribute__((no_instrument_function, noipa))
#define OPAQUE __attribute__((noipa))

void moncontrol(int mode);
int main(void);

enum { TRAP_FLAG = 0x100, CALLER_COUNT = 48 };

static volatile unsigned long steps, astray;
static volatile unsigned long astray_pc;
volatile int sink;

PLAIN static _Unwind_Reason_Code look(struct _Unwind_Context *context,
				      void *found)
{
	if (_Unwind_GetRegionStart(context) != (uintptr_t)main)
		return _URC_NO_REASON;
	*(int *)found = 1;
	return _URC_END_OF_STACK;
}

/* A blocked SIGTRAP would kill us: whoever is about to block it does not. */
PLAIN static void keep_unblocked(const greg_t *registers)
{
	const unsigned char *pc = (const unsigned char *)registers[REG_RIP];
	unsigned long *set = (unsigned long *)registers[REG_RSI];

	if (pc[0] == 0x0f && pc[1] == 0x05 && set &&
	    registers[REG_RAX] == SYS_rt_sigprocmask)
		*set &= ~(1UL << (SIGTRAP - 1));
}

PLAIN static void step(int signal, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	int found = 0;

	(void)signal;
	(void)info;
	_Unwind_Backtrace(look, &found);
	steps++;
	if (!found && !astray++)
		astray_pc = (unsigned long)registers[REG_RIP];
	keep_unblocked(registers);
}

OPAQUE void callee(void)
{
	sink++;
}

#define CALLER(n)                    \
	OPAQUE void caller_##n(void) \
	{                            \
		callee();            \
		sink = n;            \
	}
#define FOUR(M, n) M(n##0) M(n##1) M(n##2) M(n##3)
#define EIGHT(M, n) FOUR(M, n##0) FOUR(M, n##1)
#define ALL(M) EIGHT(M, 1) EIGHT(M, 2) EIGHT(M, 3) \
	       EIGHT(M, 4) EIGHT(M, 5) EIGHT(M, 6)
#define NAME(n) caller_##n,

ALL(CALLER)

static void (*const callers[CALLER_COUNT])(void) = { ALL(NAME) };

/* Only the calls are stepped through, not main; the red zone is left alone. */
#define TRAP(change)                                                \
	__asm__ volatile("sub $128, %%rsp\n pushf\n" change         \
			 ", (%%rsp)\n popf\n add $128, %%rsp"       \
			 : : "i"(TRAP_FLAG), "i"(~TRAP_FLAG) : "cc", \
			 "memory")
#define STEPPED(call)            \
	do {                     \
		TRAP("orq %0");  \
		call;            \
		TRAP("andq %1"); \
	} while (0)

int main(void)
{
	struct sigaction action = {.sa_sigaction = step,
				   .sa_flags = SA_SIGINFO};
	int found = 0;

	_Unwind_Backtrace(look, &found); /* whatever it has to load */
	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < CALLER_COUNT; i++)
		STEPPED(callers[i]());
	for (int i = 0; i < 3; i++)
		STEPPED(callee());
	moncontrol(0);
	STEPPED(callers[0]());
	moncontrol(1);
	STEPPED(callers[0]());
	if (!found || astray || steps < 1000) {
		printf("%lu of %lu steps went astray, the first at %#lx "
		       "(main is at %#lx)\n",
		       astray, steps, astray_pc, (unsigned long)main);
		return 1;
	}
	printf("%lu steps, all unwound\n", steps);
	return 0;
}
