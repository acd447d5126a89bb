/* SPDX-License-Identifier: 0BSD */
/* Clocks and timers as the kernel's own calls have them. */
#include "profil/clocks.h"
#include "gmon/kernel.h"

#include <string.h>
#include <time.h>

/* struct itimerspec of the system calls, in which time_t is a long. */
struct kernel_itimerspec {
	struct {
		long tv_sec, tv_nsec;
	} it_interval, it_value;
};

/* struct sigevent of the system calls: 64 bytes. */
struct kernel_sigevent {
	union sigval value;
	int signal;
	int notify;
	int tid;
	int unused[(64 - sizeof(union sigval)) / sizeof(int) - 3];
};

int64_t clock_now(int clock)
{
	struct {
		long tv_sec, tv_nsec;
	} now;

	if (kernel(SYS_clock_gettime, clock, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_elapsed(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return 0;
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* It is the resolution of the coarse clocks. */
int64_t clock_kernel_tick(void)
{
	struct timespec resolution;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 &&
	    !resolution.tv_sec && resolution.tv_nsec)
		return resolution.tv_nsec;
	return NS_PER_S / 100;
}

bool clock_timer_make(int clock, int tid, int signal, void *cookie,
		      int *timer)
{
	struct kernel_sigevent event;

	memset(&event, 0, sizeof event);
	event.value.sival_ptr = cookie;
	event.signal = signal;
	event.notify = tid ? 4 /* SIGEV_THREAD_ID */ : SIGEV_SIGNAL;
	event.tid = tid;
	return kernel(SYS_timer_create, clock, &event, timer) == 0;
}

void clock_timer_arm(int timer, int64_t next, int64_t period)
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

void clock_timer_stop(int timer)
{
	struct kernel_itimerspec never;

	memset(&never, 0, sizeof never);
	kernel(SYS_timer_settime, timer, 0, &never, NULL);
}
