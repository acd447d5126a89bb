/* SPDX-License-Identifier: 0BSD */
/*
 * What registers_<cpu>.c have in common: every register that may carry
 * something when an entry of the runtime is called is filled with a pattern
 * before a call and compared after it, for known arcs, for new ones and those
 * that make the table grow, for the first call of a thread and of a forked
 * child, and with profiling off.  Prints how often it called.
 *
 * The CPU's file says first: REGISTER_COUNT, the integer registers that it
 * fills; FLOAT_COUNT, 8-byte floating-point ones; SHIFT_STEP and SHIFT_COUNT,
 * where the stack may be; and the entries, each with its own `exercise`.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

void moncontrol(int mode);

/* What the assembly reads and fills; words are as wide as a register. */
struct trial {
	void (*entry)(void);
	uintptr_t frompc;
	uintptr_t shift;
	uintptr_t stack_before, stack_after;
	uintptr_t before[REGISTER_COUNT];
	uintptr_t after[REGISTER_COUNT];
	_Alignas(16) uint64_t float_before[FLOAT_COUNT];
	_Alignas(16) uint64_t float_after[FLOAT_COUNT];
};

struct entry {
	const char *name;
	void (*entry)(void);
	void (*exercise)(struct trial *trial);
	const char *exercise_name;
};

static const struct entry entries[ENTRY_COUNT];
static void state_prepare(struct trial *trial);
static const char *state_complaint(const struct trial *trial);

static struct trial trial;
static unsigned long counted[ENTRY_COUNT];
static uintptr_t next_frompc = 0x20000000;

PLAIN static void fail(const struct entry *entry, const char *what, long number)
{
	printf("%s: %s %ld changed\n", entry->name, what, number);
	exit(1);
}

PLAIN static void try_once(int way)
{
	const struct entry *entry = &entries[way / SHIFT_COUNT];

	trial.entry = entry->entry;
	trial.shift = (uintptr_t)(way % SHIFT_COUNT * SHIFT_STEP);
	trial.frompc = next_frompc;
	for (int i = 0; i < REGISTER_COUNT; i++)
		trial.before[i] = next_frompc * (2 * (uintptr_t)i + 3) +
				  0x12345678;
	for (int i = 0; i < FLOAT_COUNT; i++)
		trial.float_before[i] = ((uint64_t)next_frompc << 31) *
						(2 * (uint64_t)i + 3) +
					0x3456789;
	state_prepare(&trial);
	entry->exercise(&trial);
	for (int i = 0; i < REGISTER_COUNT; i++)
		if (trial.before[i] != trial.after[i])
			fail(entry, "register", i);
	if (trial.stack_before != trial.stack_after)
		fail(entry, "the stack pointer", 0);
	if (state_complaint(&trial))
		fail(entry, state_complaint(&trial), 0);
}

PLAIN static void try_all(int new_arcs, int counts)
{
	for (int way = 0; way < ENTRY_COUNT * SHIFT_COUNT; way++)
		for (int n = 0; n < new_arcs; n++) {
			try_once(way); /* a new arc, then a known one */
			try_once(way);
			next_frompc += 6;
			counted[way / SHIFT_COUNT] += counts ? 2 : 0;
		}
}

PLAIN static void *first_call(void *argument)
{
	const int *way = argument;

	try_once(*way);
	counted[*way / SHIFT_COUNT]++;
	return NULL;
}

PLAIN static int in_thread(int way)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, first_call, &way) ||
	       pthread_join(thread, NULL);
}

PLAIN static int in_child(int way)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		first_call(&way);
		syscall(SYS_exit_group, 0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status;
}

int main(void)
{
	unsigned long called = 0;

	try_all(1500, 1);
	for (int way = 0; way < ENTRY_COUNT * SHIFT_COUNT; way++)
		if (in_thread(way) || in_child(way))
			return 1;
	moncontrol(0);
	try_all(3, 0);
	moncontrol(1);
	try_all(3, 1);
	for (int i = 0; i < ENTRY_COUNT; i++) {
		called += counted[i];
		if (i + 1 < ENTRY_COUNT &&
		    entries[i + 1].exercise == entries[i].exercise)
			continue;
		printf("calls %s %lu\n", entries[i].exercise_name, called);
		called = 0;
	}
	return 0;
}
