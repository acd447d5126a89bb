/* SPDX-License-Identifier: 0BSD */
/*
 * The timer engine: a CPU-time timer for each thread, whose signal goes to
 * that thread.
 *
 * CPU timers expire on the kernel's own tick only (250 a second here), however
 * short their period is; the overrun says how many periods a signal stands
 * for, so totals are right at any rate.  They do not survive exec, are not
 * inherited by fork, never wake a thread that sleeps, and leave ITIMER_PROF
 * and SIGPROF to the program.
 *
 * The signal is SIGURG by default: its default action is to ignore it, so
 * neither a program that resets all handlers nor a child about to exec can be
 * killed by a tick, and a debugger does not stop at each.
 */
#include "profil/sampler.h"
#include "gmon/kernel.h"
#include "gmon/state.h"
#include "pc.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000

/* A timer_create clock: another thread's CPU clock (linux/posix-timers.h). */
#define CLOCK_OF_THREAD(tid) ((int)(~(unsigned)(tid) << 3 | 6))

/* struct itimerspec of the system calls, in which time_t is a long. */
struct kernel_itimerspec {
	struct {
		long tv_sec, tv_nsec;
	} it_interval, it_value;
};

/* What our timers carry, so that nobody else's signal is taken for a tick. */
static char thread_cookie, process_cookie, every_cookie;

static struct {
	uint32_t rate;
	int signal;
	int64_t period;		/* ns */
	uint32_t weight_max;	/* what two ticks of the kernel can explain */
	struct sigaction before; /* who had the signal */
	_Atomic uint32_t phase;	/* how many timers were made */
	_Atomic bool refused;	/* a thread got no timer */
	bool wall;		/* threads' clock is elapsed time */
	int process_timer;
	bool has_process_timer;
	uint32_t every;		/* seconds between calls of every_function */
	void (*every_function)(void);
	_Atomic bool want[TAKER_COUNT];
	_Atomic(sampler_take *) take[TAKER_COUNT];
	_Atomic bool running;	/* timers are going */
	_Atomic bool fresh;	/* a thread's timer waits to be set going */
	_Atomic bool applying;	/* somebody starts or stops them */
} sampler;

static bool is_wanted(void)
{
	return sampler.want[TAKER_GMON] || sampler.want[TAKER_PROFIL];
}

static int64_t clock_now(int clock)
{
	struct {
		long tv_sec, tv_nsec;
	} now;

	if (kernel(SYS_clock_gettime, clock, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int clock_of(const struct thread_table *table)
{
	return sampler.wall ? CLOCK_MONOTONIC : CLOCK_OF_THREAD(table->owner);
}

/* Let the timer expire at `next` on its clock, and each period after it. */
static void timer_arm(int timer, int64_t next, int64_t period)
{
	struct kernel_itimerspec time;

	if (next <= 0)
		next = 1; /* 0 would mean: never */
	time.it_interval.tv_sec = (long)(period / NS_PER_S);
	time.it_interval.tv_nsec = (long)(period % NS_PER_S);
	time.it_value.tv_sec = (long)(next / NS_PER_S);
	time.it_value.tv_nsec = (long)(next % NS_PER_S);
	kernel(SYS_timer_settime, timer, TIMER_ABSTIME, &time, NULL);
}

static void timer_stop(int timer)
{
	struct kernel_itimerspec never;

	kernel_clear(&never, sizeof never);
	kernel(SYS_timer_settime, timer, 0, &never, NULL);
}

/* Go on from where ticks_stop stopped. */
static void ticks_go(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;

	if (atomic_exchange(&ticks->going, true))
		return;
	ticks->next += clock_now(clock_of(table));
	timer_arm(ticks->timer_id, ticks->next, sampler.period);
}

/* Stop a thread's timer and keep what is left to its next tick. */
static void ticks_stop(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;

	if (!atomic_exchange(&ticks->going, false))
		return;
	timer_stop(ticks->timer_id);
	ticks->next -= clock_now(clock_of(table));
}

/* struct sigevent of the system call: 64 bytes. */
struct kernel_sigevent {
	union sigval value;
	int signal;
	int notify;
	int tid;
	int unused[(64 - sizeof(union sigval)) / sizeof(int) - 3];
};

/* A timer on this clock for thread `tid`, or for the process if 0. */
static bool timer_make(int clock, int tid, void *cookie, int *timer)
{
	struct kernel_sigevent event;

	kernel_clear(&event, sizeof event);
	event.value.sival_ptr = cookie;
	event.signal = sampler.signal;
	event.notify = tid ? 4 /* SIGEV_THREAD_ID */ : SIGEV_SIGNAL;
	event.tid = tid;
	return kernel(SYS_timer_create, clock, &event, timer) == 0;
}

/*
 * The process timer looks for threads without a timer once a second of CPU
 * time; it stands in for their timers where the kernel refused some.
 */
static void process_timer_set(bool go)
{
	int64_t period = sampler.refused ? sampler.period : NS_PER_S;

	if (!sampler.has_process_timer)
		sampler.has_process_timer =
			timer_make(CLOCK_PROCESS_CPUTIME_ID, 0, &process_cookie,
				   &sampler.process_timer);
	if (!sampler.has_process_timer)
		return;
	if (go)
		timer_arm(sampler.process_timer,
			  clock_now(CLOCK_PROCESS_CPUTIME_ID) + period, period);
	else
		timer_stop(sampler.process_timer);
}

/*
 * Let all timers do what is wanted.  Whoever comes while another thread is at
 * it leaves the work to that one, which looks again before it is done.
 */
static void apply(void)
{
	struct kernel_sigset signals;
	struct thread_table *table;
	bool was;

	kernel_block_signals(&signals);
	while (sampler.fresh || is_wanted() != sampler.running) {
		if (atomic_exchange(&sampler.applying, true))
			break;
		sampler.fresh = false;
		was = sampler.running;
		sampler.running = is_wanted();
		if (was != sampler.running)
			process_timer_set(sampler.running);
		for (table = state.counts->threads.newest; table;
		     table = table->next) {
			if (!table->ticks.timed)
				continue;
			if (sampler.running)
				ticks_go(table);
			else
				ticks_stop(table);
		}
		sampler.applying = false;
	}
	kernel_restore_signals(&signals);
}

/*
 * A thread's first tick comes after a part of a period that differs from
 * thread to thread and covers the period evenly (multiples of the golden
 * ratio), so that the sum over many short threads is right: each of them is
 * rounded up or down in turn.
 */
static int64_t first_tick(void)
{
	uint32_t phase = UINT32_C(0x80000000) +
			 atomic_fetch_add(&sampler.phase, 1) *
				 UINT32_C(0x9e3779b9);

	return (int64_t)(((uint64_t)sampler.period * phase) >> 32) + 1;
}

static void timer_delete_of(struct thread_table *table)
{
	if (atomic_exchange(&table->ticks.timed, false))
		kernel(SYS_timer_delete, table->ticks.timer_id);
}

static void ticks_begin(struct thread_table *table)
{
	struct thread_ticks *ticks = &table->ticks;

	timer_delete_of(table); /* of a dead owner, or made by another thread */
	ticks->going = false;
	ticks->owed = 0;
	ticks->next = first_tick();
	if (timer_make(clock_of(table), table->owner, &thread_cookie,
		       &ticks->timer_id)) {
		ticks->timed = true;
	} else if (!sampler.refused) {
		sampler.refused = true;
		process_timer_set(sampler.running);
	}
	sampler.fresh = true;
}

void sampler_attach(struct thread_table *table)
{
	ticks_begin(table);
	apply();
	sampler_unblock();
}

void sampler_detach(struct thread_table *table)
{
	timer_delete_of(table);
}

void sampler_unblock(void)
{
	kernel_unblock_signal(sampler.signal);
}

/* The next entry of a directory that is a number, or 0. */
static int task_number(const char *name)
{
	int number = 0;

	while (*name >= '0' && *name <= '9')
		number = number * 10 + (*name++ - '0');
	return number;
}

/* Give a timer to every thread that has none.  Signals are blocked. */
static void scan_tasks(void)
{
	struct {
		uint64_t inode, offset;
		unsigned short size;
		unsigned char type;
		char name[];
	} *entry;
	_Alignas(8) char buffer[1024];
	struct thread_table *table;
	long size, at;
	int pid = state.identity->pid;
	int directory = (int)kernel(SYS_openat, AT_FDCWD, "/proc/self/task",
				    O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (directory < 0)
		return;
	while ((size = kernel(SYS_getdents64, directory, buffer,
			      sizeof buffer)) > 0)
		for (at = 0; at < size; at += entry->size) {
			int tid;

			entry = (void *)(buffer + at);
			tid = task_number(entry->name);
			if (!tid)
				continue;
			table = threads_claim_for(&state.counts->threads, pid,
						  tid);
			if (table)
				ticks_begin(table);
		}
	kernel(SYS_close, directory);
	apply();
}

static void take(struct thread_ticks *ticks, uintptr_t pc, uint32_t weight)
{
	for (int i = 0; i < TAKER_COUNT; i++)
		if (sampler.want[i] && !sampler.take[i](ticks, pc, weight))
			ticks->held += weight;
}

static struct thread_table *my_table(void)
{
	if (threads_mine.table)
		return threads_mine.table;
	return threads_find(&state.counts->threads, kernel_gettid());
}

static void tick_of_thread(uint32_t weight, uintptr_t pc)
{
	struct thread_table *table = my_table();

	if (!table)
		return;
	table->ticks.next += (int64_t)weight * sampler.period;
	if (!sampler.running) {
		table->ticks.owed += weight;
	} else if (weight > sampler.weight_max && !sampler.wall) {
		table->ticks.held += weight;
	} else {
		weight += table->ticks.owed;
		table->ticks.owed = 0;
		take(&table->ticks, pc, weight);
	}
}

static void tick_of_process(uint32_t weight, uintptr_t pc)
{
	struct thread_table *table;

	if (!sampler.running)
		return;
	if (!sampler.refused) {
		scan_tasks();
		return;
	}
	table = my_table();
	if (table && !table->ticks.timed && weight <= sampler.weight_max)
		take(&table->ticks, pc, weight);
}

/* A signal that is not ours goes where it would have gone without us. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
	if (sampler.before.sa_flags & SA_SIGINFO)
		sampler.before.sa_sigaction(signal, info, context);
	else if (sampler.before.sa_handler != SIG_DFL &&
		 sampler.before.sa_handler != SIG_IGN)
		sampler.before.sa_handler(signal);
}

static void tick(int signal, siginfo_t *info, void *context)
{
	const void *cookie = info->si_value.sival_ptr;
	uint32_t weight = 1 + (uint32_t)info->si_overrun;

	if (info->si_code == SI_TIMER && cookie == &thread_cookie)
		tick_of_thread(weight, pc_of(context));
	else if (info->si_code == SI_TIMER && cookie == &process_cookie)
		tick_of_process(weight, pc_of(context));
	else if (info->si_code == SI_TIMER && cookie == &every_cookie)
		sampler.every_function();
	else
		pass_on(signal, info, context);
}

static void take_signal(void)
{
	struct sigaction ours;

	memset(&ours, 0, sizeof ours);
	ours.sa_sigaction = tick;
	ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
	sigfillset(&ours.sa_mask);
	sigaction(sampler.signal, &ours, &sampler.before);
}

/* The kernel's tick is the resolution of its coarse clocks. */
static int64_t kernel_tick(void)
{
	struct timespec resolution;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) != 0 ||
	    resolution.tv_sec)
		return NS_PER_S / 100;
	return resolution.tv_nsec;
}

void sampler_start(uint32_t rate, int signal, bool wall)
{
	int saved = errno;

	sampler.rate = rate;
	sampler.signal = signal;
	sampler.wall = wall;
	sampler.period = NS_PER_S / rate;
	sampler.weight_max =
		1 + (uint32_t)((2 * kernel_tick() + sampler.period - 1) /
			       sampler.period);
	take_signal();
	errno = saved;
}

static void every_begin(void)
{
	int64_t period = (int64_t)sampler.every * NS_PER_S;
	int timer;

	if (timer_make(CLOCK_PROCESS_CPUTIME_ID, 0, &every_cookie, &timer))
		timer_arm(timer, clock_now(CLOCK_PROCESS_CPUTIME_ID) + period,
			  period);
}

void sampler_every(uint32_t seconds, void (*function)(void))
{
	sampler.every = seconds;
	sampler.every_function = function;
	every_begin();
}

void sampler_turn(enum sampler_taker taker, sampler_take *function, bool on)
{
	if (on)
		sampler.take[taker] = function;
	sampler.want[taker] = on;
	apply();
}

void sampler_fork(void)
{
	sampler.has_process_timer = false;
	sampler.refused = false;
	sampler.applying = false;
	sampler.running = false;
	if (sampler.every)
		every_begin();
	apply();
}

uint32_t sampler_rate(void)
{
	return sampler.rate;
}

const char *sampler_complaint(void)
{
	struct sigaction now;

	if (sigaction(sampler.signal, NULL, &now) == 0 &&
	    (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != tick))
		return "the program took over the signal of the ticks: "
		       "sampling stopped there";
	if (sampler.refused)
		return "the kernel refused timers to some threads: the process "
		       "clock sampled them";
	return NULL;
}
