/* SPDX-License-Identifier: 0BSD */
/*
 * Every register that may carry something when the runtime's entries are
 * called is filled with a pattern before a call and compared after it: the
 * general ones (static chain and vector count among them) except r11, the
 * whole x87, vector and mask state, the control words, and the direction flag.
 * With the stack at a multiple of 16 and 8 past it; for known arcs, for new
 * ones and those that make the table grow; for the first call of a thread and
 * of a forked child; and with profiling off.  Prints how often it called.
 *
 * calls main 1
 */
#include <cpuid.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

void mcount(void);
void __fentry__(void);
void moncontrol(int mode);

enum { STATE_SIZE = 16384, LEGACY_SIZE = 512, HEADER_SIZE = 64 };

/* What the assembly below reads and fills. */
struct trial {
	void (*entry)(void);	 /* 0 */
	uint64_t frompc;	 /* 8 */
	uint64_t shift;		 /* 16: 0 or 8, of the stack */
	void *state_before;	 /* 24: for XRSTOR */
	void *state_after;	 /* 32: by XSAVE */
	void *state_clean;	 /* 40: what C code expects */
	uint32_t mask[2];	 /* 48: of state components */
	/* rax rbx rcx rdx rsi rdi r8 r9 r10 r12 r13 r14 r15 rsp rbp flags */
	uint64_t before[16];	 /* 56 */
	uint64_t after[16];	 /* 184 */
};

void exercise(struct trial *trial);
struct trial *exercised;

__asm__("	.text\n"
	"	.globl exercise\n"
	"	.type exercise, @function\n"
	"exercise:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n"
	"	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rdi, exercised(%rip)\n"
	"	mov %rsp, %rbx\n"
	"	sub $8, %rsp\n"
	"	and $-16, %rsp\n"
	"	sub 16(%rdi), %rsp\n"
	"	push %rbx\n"
	"	mov %rdi, %r11\n"
	"	mov 48(%r11), %eax\n	mov 52(%r11), %edx\n"
	"	mov 40(%r11), %rcx\n	xsave64 (%rcx)\n"
	"	mov 24(%r11), %rcx\n	xrstor64 (%rcx)\n"
	"	push 8(%r11)\n"		/* frompc: 8(%rsp) in __fentry__ */
	"	lea -8(%rsp), %rbp\n"	/* 8(%rbp) for mcount: the same */
	"	mov %rsp, 160(%r11)\n	mov %rbp, 168(%r11)\n"
	"	mov 56(%r11), %rax\n	mov 64(%r11), %rbx\n"
	"	mov 72(%r11), %rcx\n	mov 80(%r11), %rdx\n"
	"	mov 88(%r11), %rsi\n	mov 96(%r11), %rdi\n"
	"	mov 104(%r11), %r8\n	mov 112(%r11), %r9\n"
	"	mov 120(%r11), %r10\n	mov 128(%r11), %r12\n"
	"	mov 136(%r11), %r13\n	mov 144(%r11), %r14\n"
	"	mov 152(%r11), %r15\n"
	"	call *(%r11)\n"
	"	mov exercised(%rip), %r11\n"
	"	mov %rax, 184(%r11)\n	mov %rbx, 192(%r11)\n"
	"	mov %rcx, 200(%r11)\n	mov %rdx, 208(%r11)\n"
	"	mov %rsi, 216(%r11)\n	mov %rdi, 224(%r11)\n"
	"	mov %r8, 232(%r11)\n	mov %r9, 240(%r11)\n"
	"	mov %r10, 248(%r11)\n	mov %r12, 256(%r11)\n"
	"	mov %r13, 264(%r11)\n	mov %r14, 272(%r11)\n"
	"	mov %r15, 280(%r11)\n	mov %rsp, 288(%r11)\n"
	"	mov %rbp, 296(%r11)\n"
	"	pushf\n	pop 304(%r11)\n"
	"	cld\n"
	"	mov 48(%r11), %eax\n	mov 52(%r11), %edx\n"
	"	mov 32(%r11), %rcx\n	xsave64 (%rcx)\n"
	"	mov 40(%r11), %rcx\n	xrstor64 (%rcx)\n"
	"	add $8, %rsp\n"
	"	pop %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n"
	"	pop %r12\n	pop %rbp\n	pop %rbx\n"
	"	ret\n"
	"	.size exercise, . - exercise\n");

static struct trial trial;
static unsigned char before[STATE_SIZE] __attribute__((aligned(64)));
static unsigned char after[STATE_SIZE] __attribute__((aligned(64)));
static unsigned char clean[STATE_SIZE] __attribute__((aligned(64)));
static unsigned long counted;
static uint64_t next_frompc = 0x100000000;

PLAIN static void fail(const char *what, long number)
{
	printf("%s %ld changed\n", what, number);
	exit(1);
}

/* Only x87, SSE, AVX, and the three of AVX-512: what user code computes with */
PLAIN static uint32_t components(void)
{
	uint32_t low, high;

	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low & 0xe7;
}

PLAIN static void part_of(int component, uint32_t *offset, uint32_t *size)
{
	uint32_t unused_c, unused_d;

	__cpuid_count(13, component, *size, *offset, unused_c, unused_d);
	if (*offset + *size > STATE_SIZE)
		exit(77);
}

PLAIN static void prepare(void)
{
	trial.entry = mcount;
	trial.state_before = before;
	trial.state_after = after;
	trial.state_clean = clean;
	trial.mask[0] = components();
	for (size_t i = 0; i < sizeof before; i++)
		before[i] = (unsigned char)(i * 7 + i / 256 + 1);
	memset(before, 0, 32);
	memset(before + LEGACY_SIZE, 0, HEADER_SIZE);
	before[LEGACY_SIZE] = (unsigned char)trial.mask[0];
	before[0] = 0x7f, before[1] = 0x0b; /* round up */
	before[4] = 0xff;		    /* eight x87 registers in use */
	before[24] = 0xa0, before[25] = 0x3f; /* round down */
	memset(before + 28, 0, 4);
}

PLAIN static void compare_state(void)
{
	uint32_t offset, size;

	if (memcmp(before, after, 5) != 0) /* control, status and tag words */
		fail("x87 control", 0);
	if (memcmp(before + 24, after + 24, 4) != 0)
		fail("mxcsr", 0);
	for (int i = 0; i < 8; i++)
		if (memcmp(before + 32 + 16 * i, after + 32 + 16 * i, 10) != 0)
			fail("x87 register", i);
	for (int i = 0; i < 16; i++)
		if (memcmp(before + 160 + 16 * i, after + 160 + 16 * i, 16))
			fail("xmm", i);
	for (int i = 2; i < 8; i++) {
		if (!(trial.mask[0] >> i & 1))
			continue;
		part_of(i, &offset, &size);
		if (memcmp(before + offset, after + offset, size) != 0)
			fail("state component", i);
	}
}

PLAIN static void try_once(uint64_t frompc)
{
	trial.frompc = frompc;
	for (int i = 0; i < 13; i++)
		trial.before[i] = frompc * (2 * (uint64_t)i + 3) + 0x1234567890;
	exercise(&trial);
	for (int i = 0; i < 15; i++)
		if (trial.before[i] != trial.after[i])
			fail("general register", i);
	if (trial.after[15] & 0x400)
		fail("direction flag", 0);
	compare_state();
}

PLAIN static void try_all(int new_arcs, int counts)
{
	static void (*const entries[])(void) = {mcount, __fentry__};

	for (int i = 0; i < 4; i++) {
		trial.entry = entries[i / 2];
		trial.shift = i % 2 * 8;
		for (int n = 0; n < new_arcs; n++) {
			try_once(next_frompc); /* a new arc, then a known one */
			try_once(next_frompc);
			next_frompc += 5;
			counted += counts ? 2 : 0;
		}
	}
}

PLAIN static void *first_call(void *argument)
{
	const int *way = argument;

	trial.entry = *way / 2 ? __fentry__ : mcount;
	trial.shift = (uint64_t)(*way % 2) * 8;
	try_once(next_frompc);
	counted++;
	return NULL;
}

PLAIN static int in_thread(int way)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, first_call, &way) ||
	       pthread_join(thread, NULL);
}

/* The first call of a child, after fork() or without its handlers. */
PLAIN static int in_child(int raw, int way)
{
	pid_t child = raw ? (pid_t)syscall(SYS_fork) : fork();
	int status;

	if (child == 0) {
		first_call(&way);
		syscall(SYS_exit_group, 0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status;
}

int main(void)
{
	prepare();
	try_all(1500, 1);
	for (int way = 0; way < 4; way++)
		if (in_thread(way) || in_child(0, way) || in_child(1, way))
			return 1;
	moncontrol(0);
	try_all(3, 0);
	moncontrol(1);
	try_all(3, 1);
	printf("calls exercise %lu\n", counted);
	return 0;
}
