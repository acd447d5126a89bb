/* SPDX-License-Identifier: 0BSD */
/* The names that the runtime gives to its files, read backwards. */
#include "gmon/tool/lookup.h"
#include "gmon/tool/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_FILE "gmon.out"

/* How the names are made: FOLDER/BEFORE<digits>BEHIND */
struct pattern {
	const char *folder;
	const char *before;
	const char *behind; /* null: a dot and anything, the same for all */
	char *found;	    /* what was behind the first one, if so */
};

struct list {
	const char **files;
	size_t count, room;
};

/* 1: the name fits; 0: it does not; -1: it is of another program. */
static int fits(struct pattern *pattern, const char *name)
{
	size_t before = strlen(pattern->before), digits;
	const char *behind;

	if (strncmp(name, pattern->before, before))
		return 0;
	digits = strspn(name + before, "0123456789");
	behind = name + before + digits;
	if (!digits)
		return 0;
	if (pattern->behind)
		return strcmp(behind, pattern->behind) == 0;
	if (behind[0] != '.' || !behind[1])
		return 0;
	if (!pattern->found)
		pattern->found = memory_text(behind, strlen(behind));
	return strcmp(behind, pattern->found) ? -1 : 1;
}

static void add(struct list *list, const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = memory_zeroed(size, 1);

	snprintf(path, size, "%s/%s", folder, name);
	list->files = memory_grown(list->files, list->count, &list->room,
				   sizeof *list->files);
	list->files[list->count++] =
		strcmp(folder, ".") ? path : strcpy(path, name);
}

static int by_name(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static bool search(struct pattern *pattern, struct list *list,
		   struct problem *problem)
{
	DIR *folder = opendir(pattern->folder);
	struct dirent *entry;
	int fit = 0;

	if (!folder)
		return problem_set(problem, "%s: %s", pattern->folder,
				   strerror(errno));
	while (fit >= 0 && (entry = readdir(folder))) {
		fit = fits(pattern, entry->d_name);
		if (fit > 0)
			add(list, pattern->folder, entry->d_name);
	}
	closedir(folder);
	free(pattern->found);
	if (fit < 0)
		return problem_set(problem, "%s: has files of several "
				   "programs; name the one you mean",
				   pattern->folder);
	if (!list->count)
		return problem_set(problem, "%s: has no file %s<pid>%s",
				   pattern->folder, pattern->before,
				   pattern->behind ? pattern->behind
						   : ".<program>");
	memory_sort(list->files, list->count, sizeof *list->files, by_name);
	return true;
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool search_folder(const char *folder, const char *program,
			  struct list *list, struct problem *problem)
{
	struct pattern pattern = {folder, "", NULL, NULL};
	char *behind = NULL;
	bool good;

	if (program) {
		const char *name = name_of(program);

		behind = memory_zeroed(strlen(name) + 2, 1);
		strcat(strcpy(behind, "."), name);
		pattern.behind = behind;
	}
	good = search(&pattern, list, problem);
	free(behind);
	return good;
}

static bool search_prefix(const char *prefix, struct list *list,
			  struct problem *problem)
{
	const char *name = name_of(prefix);
	size_t folder_size = (size_t)(name - prefix);
	char *folder = folder_size ? memory_text(prefix, folder_size)
				   : memory_text(".", 1);
	char *before = memory_zeroed(strlen(name) + 2, 1);
	struct pattern pattern = {folder, before, "", NULL};
	bool good;

	strcat(strcpy(before, name), ".");
	good = search(&pattern, list, problem);
	free(folder);
	free(before);
	return good;
}

bool lookup_profiles(const char *program, const char ***files, size_t *count,
		     struct problem *problem)
{
	const char *profdir = getenv("PROFDIR");
	const char *prefix = getenv("GMON_OUT_PREFIX");
	struct list list = {.count = 0};
	bool good = true;

	if (profdir && *profdir)
		good = search_folder(profdir, program, &list, problem);
	else if (prefix && *prefix)
		good = search_prefix(prefix, &list, problem);
	else if (access(DEFAULT_FILE, F_OK))
		good = problem_set(problem, DEFAULT_FILE ": %s",
				   strerror(errno));
	else
		add(&list, ".", DEFAULT_FILE);
	*files = list.files;
	*count = list.count;
	return good;
}
