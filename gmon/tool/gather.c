/* SPDX-License-Identifier: 0BSD */
/*
 * Threads take file after file, each adding to a profile of its own; these
 * are added up at the end.  Memory follows the number of threads, not of files.
 */
#include "gmon/tool/gather.h"
#include "gmon/tool/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#define THREADS_MAX 64

struct shared {
	const struct gather *gather;
	_Atomic size_t next;   /* the file to be taken next */
	_Atomic size_t done;   /* how many have been added */
	_Atomic bool stop;     /* there is a problem somewhere */
};

struct worker {
	struct shared *shared;
	pthread_t thread;
	struct profile profile;
	struct problem problem;
	size_t failed; /* the file with the problem, or the number of files */
};

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct shared *shared = worker->shared;
	const struct gather *gather = shared->gather;
	struct source source = {.fd = -1};

	while (!atomic_load(&shared->stop)) {
		size_t file = atomic_fetch_add(&shared->next, 1);
		bool good;

		if (file >= gather->count)
			break;
		good = source_open(&source, gather->names[file],
				   &worker->problem) &&
		       profile_add(&worker->profile, &source, &gather->target,
				   &worker->problem);
		source_close(&source);
		if (!good) {
			worker->failed = file;
			atomic_store(&shared->stop, true);
			break;
		}
		atomic_fetch_add(&shared->done, 1);
	}
	source_free(&source);
	return NULL;
}

/* Say how far it is, from time to time, until all is done. */
static void watch(struct shared *shared)
{
	const struct timespec pause = {.tv_nsec = 100000000};
	size_t count = shared->gather->count, done;

	while ((done = atomic_load(&shared->done)) < count &&
	       !atomic_load(&shared->stop)) {
		fprintf(stderr, "\rgmon: %zu of %zu files", done, count);
		nanosleep(&pause, NULL);
	}
	fputs("\r\033[K", stderr);
}

/* The number of threads that could be started, at least one. */
static unsigned start(struct worker *workers, unsigned count,
		      struct shared *shared)
{
	for (unsigned i = 0; i < count; i++) {
		workers[i].shared = shared;
		workers[i].failed = shared->gather->count;
		if (pthread_create(&workers[i].thread, NULL, work,
				   &workers[i])) {
			if (i == 0)
				work(&workers[i]);
			return i;
		}
	}
	return count;
}

/* Of several problems, the one of the first file on the command line. */
static const struct problem *first_problem(const struct worker *workers,
					   unsigned count, size_t file_count)
{
	const struct worker *first = &workers[0];

	for (unsigned i = 1; i < count; i++)
		if (workers[i].failed < first->failed)
			first = &workers[i];
	return first->failed < file_count ? &first->problem : NULL;
}

static bool add_up(struct worker *workers, unsigned count,
		   struct profile *profile, struct problem *problem)
{
	bool good = true;

	*profile = workers[0].profile;
	for (unsigned i = 1; i < count; i++) {
		good = good &&
		       profile_merge(profile, &workers[i].profile, problem);
		profile_free(&workers[i].profile);
	}
	return good && profile_finish(profile, problem);
}

bool gather_files(const struct gather *gather, struct profile *profile,
		  struct problem *problem)
{
	unsigned count = gather->threads < THREADS_MAX ? gather->threads
						       : THREADS_MAX;
	struct shared shared = {.gather = gather};
	struct worker *workers = memory_zeroed(count, sizeof *workers);
	unsigned started = start(workers, count, &shared);
	const struct problem *first;
	bool good;

	if (gather->progress)
		watch(&shared);
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	first = first_problem(workers, count, gather->count);
	if (first)
		*problem = *first;
	good = add_up(workers, count, profile, problem) && !first;
	if (first)
		*problem = *first;
	free(workers);
	return good;
}

unsigned gather_threads(size_t file_count)
{
	cpu_set_t cpus;
	unsigned count = 1;

	if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
		count = (unsigned)CPU_COUNT(&cpus);
	return count < file_count ? count : (unsigned)file_count;
}
