/* SPDX-License-Identifier: 0BSD */
/*
 * The proof of "nothing is lost": a call, from the stub's first instruction to
 * its last, is interrupted at every instruction by a handler that makes calls,
 * too: of the same arc, of others, of so many that the table grows; that jumps
 * out of it; or that forks.  The call may be one of a known arc, of a new one,
 * of the last one that fits, of one that needs a bigger table, the first of
 * its thread, or one before start.
 */
#include "gmon/kernel.h"
#include "gmon/merge.h"
#include "gmon/state.h"
#include "mcount/mcount.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/counted.h"
#include "tests/unit/stepper.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The arcs of the call, of the handler, and of many. */
enum { KNOWN = 0, NEW = 45, OTHER = 46, MANY = 50 };

/* How often each caller's call began and came back. */
static int attempted[CALLER_COUNT], finished[CALLER_COUNT];
static int64_t counts[CALLER_COUNT];

static void call(int caller)
{
	attempted[caller]++;
	call_counted(caller);
	finished[caller]++;
}

static void take(void *context, const struct arc *arc, uint64_t count)
{
	(void)context;
	counts[caller_of(arc->frompc)] += (int64_t)count;
}

static const char *wrong(int caller, const char *how)
{
	static char text[200];

	snprintf(text, sizeof text,
		 "caller %d: %d attempted, %d finished, %ld counted %s", caller,
		 attempted[caller], finished[caller], (long)counts[caller],
		 how);
	return text;
}

/* Exact; or where a jump abandoned a call, that one may be counted or not. */
static const char *verify_with(void *memory, size_t size, const char *how)
{
	static const struct threads nobody;

	memset(counts, 0, sizeof counts);
	merge_arcs(state_started() ? &state.threads : &nobody, memory,
		   size, take, NULL);
	for (int i = 0; i < CALLER_COUNT; i++)
		if (counts[i] < finished[i] || counts[i] > attempted[i])
			return wrong(i, how);
	return NULL;
}

static int table_count(void)
{
	const struct thread_table *table = state.threads.newest;
	int count = 0;

	for (; table; table = table->next)
		count++;
	return count;
}

/* The process is as good as new: it makes more calls, and all are there. */
static const char *verify(bool interrupted)
{
	enum { SIZE = 65536 };
	const char *text;

	call(KNOWN);
	call(NEW); /* before the table grows */
	for (int i = 0; i < CALLER_COUNT; i++)
		call(i);
	text = verify_with(calloc(1, SIZE), SIZE, "when merged");
	if (!text)
		text = verify_with(NULL, 0, "when told without memory");
	if (!text && state_started() && state.counts->lost_calls)
		text = "calls were said to be lost";
	if (!text && state_started() && table_count() != 1)
		text = "this one thread has not one table";
	if (!text && !interrupted && finished[KNOWN] + finished[NEW] < 3)
		text = "nothing was called";
	return text;
}

/* Before the call. */

static void begin(bool inherit)
{
	struct options options;

	options_default(&options);
	options.inherit = inherit;
	state_start(&options);
	mcount_start();
	mcount_turn(1);
}

static char *map(size_t size, int protection)
{
	return mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/*
 * Let the page that is mapped next, the thread's first table, lie between
 * pages that cannot be read: then an entry sought with the mask of a bigger
 * table is not just missed.  The kernel takes the highest gap that fits, so
 * all are filled until ours is the next.
 */
static void guard_next_page(void)
{
	enum { PAGE = 4096, SIZE = 1 << 19 };
	char *gap = map(2 * SIZE, PROT_NONE) + SIZE;

	munmap(gap, PAGE);
	for (int i = 0; i < 1000 && map(PAGE, PROT_NONE) != gap; i++)
		;
	munmap(gap, PAGE);
}

static void with_arcs(bool inherit, int count)
{
	begin(inherit);
	guard_next_page();
	for (int i = 0; i < count; i++)
		call(i);
}

static void nothing_yet(void)
{
	begin(true);
}

static void one_arc(void)
{
	with_arcs(true, 1);
}

static int room(void)
{
	return (int)threads_mine.table->arcs->arc_max;
}

static void all_but_one(void)
{
	with_arcs(true, 1);
	for (int i = 1; i < room() - 1; i++)
		call(i);
}

static void full_table(void)
{
	with_arcs(true, 1);
	for (int i = 1; i < room(); i++)
		call(i);
}

static void before_start(void)
{
}

/* The call. */

static sigjmp_buf before_call;
static volatile sig_atomic_t can_jump;

static void call_one(int caller)
{
	if (!sigsetjmp(before_call, 1)) {
		can_jump = 1;
		call(caller);
	}
	can_jump = 0;
}

static void call_known(void)
{
	call_one(KNOWN);
}

static void call_new(void)
{
	call_one(NEW);
}

/* What the handler does. */

static void same(void)
{
	call(NEW);
	call(KNOWN);
}

static void another(void)
{
	call(OTHER);
}

static void many(void)
{
	for (int i = MANY; i < CALLER_COUNT; i++)
		call(i);
}

static void jump(void)
{
	if (can_jump)
		siglongjmp(before_call, 1);
}

static void same_and_jump(void)
{
	same();
	jump();
}

static void many_and_jump(void)
{
	many();
	jump();
}

/* A copy stands for the process itself: its counts and its table are its. */
static void copied(void)
{
	if (!state_started())
		return;
	state.identity->pid = kernel_getpid();
	if (threads_mine.table)
		threads_mine.table->owner = kernel_gettid();
}

static const struct before {
	const char *name;
	void (*prepare)(void);
} befores[] = {
	{"the first call of a thread", nothing_yet},
	{"a table of one arc", one_arc},
	{"a table with room for one", all_but_one},
	{"a full table", full_table},
	{"before start", before_start},
};
enum { BEFORE_COUNT = sizeof befores / sizeof *befores };

static const struct handler {
	const char *name;
	void (*interrupt)(void);
} handlers[] = {
	{"calls the same arc", same},
	{"calls another arc", another},
	{"calls many arcs", many},
	{"jumps out", jump},
	{"calls the same arc and jumps out", same_and_jump},
	{"calls many arcs and jumps out", many_and_jump},
};
enum { HANDLER_COUNT = sizeof handlers / sizeof *handlers };

static void run(const struct before *before, const struct handler *handler,
		void (*act)(void), void (*in_copy)(void))
{
	struct stepper stepper = {
		.prepare = before->prepare,
		.act = act,
		.interrupt = handler->interrupt,
		.verify = verify,
		.copied = in_copy,
	};
	int places = stepper_run(&stepper);

	if (!places)
		skip("unit_steps: this machine does not let a process be "
		     "single-stepped");
	else
		ck_assert_int_ge(places, 60);
}

START_TEST(known_arc)
{
	run(&befores[1], &handlers[_i], call_known, copied);
}
END_TEST

START_TEST(new_arc)
{
	run(&befores[_i / HANDLER_COUNT], &handlers[_i % HANDLER_COUNT],
	    call_new, copied);
}
END_TEST

/*
 * The handler forks and the child goes on: its counts are wiped in the middle
 * of the call.  That call was its parent's; all later ones are exact.
 */
static void adopted(void)
{
	state_adopt_forced();
	guard_next_page();
	mcount_attach();
	memset(attempted, 0, sizeof attempted);
	memset(finished, 0, sizeof finished);
	attempted[KNOWN] = attempted[NEW] = 1;
	finished[KNOWN] = finished[NEW] = -1;
}

static int arcs_before_fork;

static void begin_forgetting(void)
{
	with_arcs(false, arcs_before_fork);
}

START_TEST(fork_in_handler)
{
	static const int arc_counts[] = {0, 1, 31, 32, 44};
	struct before before = {"a fork", begin_forgetting};

	arcs_before_fork = arc_counts[_i % 5];
	run(&before, &handlers[1], _i < 5 ? call_new : call_known, adopted);
}
END_TEST

Suite *unit_steps_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_steps", &tcase);

	tcase_add_loop_test(tcase, known_arc, 0, HANDLER_COUNT);
	tcase_add_loop_test(tcase, new_arc, 0, BEFORE_COUNT * HANDLER_COUNT);
	tcase_add_loop_test(tcase, fork_in_handler, 0, 10);
	return suite;
}
