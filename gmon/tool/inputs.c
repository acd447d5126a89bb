/* SPDX-License-Identifier: 0BSD */
/* From the command line to a profile with all its images. */
#include "gmon/tool/inputs.h"
#include "gmon/tool/filter.h"
#include "gmon/tool/gather.h"
#include "gmon/tool/lookup.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/target.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What gprof takes if no program is named. */
#define DEFAULT_PROGRAM "a.out"

bool inputs_option(struct inputs *inputs, int option)
{
	switch (option) {
	case 'i':
		inputs->image = optarg;
		return true;
	case 'w':
		inputs->qualified = true;
		return true;
	case 'r':
		inputs->places.root = optarg;
		return true;
	case 'd':
		inputs->places.debug = optarg;
		return true;
	}
	return false;
}

bool inputs_find(struct inputs *inputs, int argc, char **argv,
		 struct problem *problem)
{
	int i = 0;

	if (argc && target_is_program(argv[0]))
		inputs->program = argv[i++];
	for (; i < argc; i++) {
		inputs->files = memory_grown(inputs->files, inputs->file_count,
					     &inputs->file_room,
					     sizeof *inputs->files);
		inputs->files[inputs->file_count++] = argv[i];
	}
	return inputs->file_count ||
	       lookup_profiles(inputs->program, &inputs->files,
			       &inputs->file_count, problem);
}

/* The program that the profile itself names, or gprof's default. */
static bool find_program(struct inputs *inputs, const struct profile *profile,
			 struct problem *problem)
{
	const struct image *image = images_main(&profile->images);
	char path[PATH_MAX];

	if (!image) {
		if (!target_is_program(DEFAULT_PROGRAM))
			return problem_set(problem, "%s: does not say which "
					   "program it is of; name it before "
					   "the file", profile->origin);
		inputs->program = DEFAULT_PROGRAM;
		return true;
	}
	if (inputs->places.root &&
	    snprintf(path, sizeof path, "%s/%s", inputs->places.root,
		     image->path) < (int)sizeof path &&
	    target_is_program(path))
		inputs->program = memory_text(path, strlen(path));
	else
		inputs->program = memory_text(image->path, strlen(image->path));
	return true;
}

/* Give the main program its place among the images, under the name at hand. */
static bool add_program(const struct inputs *inputs, struct profile *profile,
			struct problem *problem)
{
	const struct image *there = images_main(&profile->images);
	struct image image = {.origin = profile->origin};
	struct elf_file file;
	struct problem why;
	bool good = true;

	if (!elf_file_open(&file, inputs->program, problem))
		return false;
	image.id = elf_file_id(&file);
	image.path = file.path;
	if (there && strcmp(there->id, "-") && strcmp(there->id, image.id))
		good = problem_set(problem, "%s: has build-id %s, but %s is of "
				   "a program with %s", inputs->program,
				   image.id, there->origin, there->id);
	else if (!there && !elf_file_text(&file, &image.lowpc, &image.highpc))
		good = problem_set(problem, "%s: has no code", inputs->program);
	else if (!there && !images_add(&profile->images, &image, &why))
		good = problem_set(problem, "%s: %s", inputs->program,
				   why.text);
	free(image.id);
	elf_file_close(&file);
	return good;
}

/* Samples that no image explains are the sign of a program mixed up. */
static void say_strangers(const struct inputs *inputs,
			  const struct profile *profile)
{
	for (size_t i = 0; i < profile->ranges.count; i++) {
		const struct range *range = &profile->ranges.range[i];

		if (images_find(&profile->images,
				range->lowpc +
					(range->highpc - range->lowpc) / 2))
			continue;
		say("note: %s: has a histogram of %" PRIx64 "-%" PRIx64
		    ", where %s has no code; is it of another program?",
		    range->origin, range->lowpc, range->highpc,
		    inputs->program);
		return;
	}
}

bool inputs_read(struct inputs *inputs, struct profile *profile,
		 struct problem *problem)
{
	struct gather gather = {
		.names = inputs->files,
		.count = inputs->file_count,
		.threads = gather_threads(inputs->file_count),
		.progress = inputs->file_count > 1 && isatty(STDERR_FILENO),
	};

	if (inputs->program &&
	    !target_read(inputs->program, &gather.target, problem))
		return false;
	if (!gather_files(&gather, profile, problem))
		return false;
	if (!inputs->program && !find_program(inputs, profile, problem))
		return false;
	inputs->places.program = inputs->program;
	if (!add_program(inputs, profile, problem))
		return false;
	if (inputs->image && !filter_image(profile, inputs->image, problem))
		return false;
	say_strangers(inputs, profile);
	return true;
}

bool inputs_symbols(const struct inputs *inputs, const struct profile *profile,
		    struct symbols *symbols, struct problem *problem)
{
	return symbols_read(symbols, &profile->images, &inputs->places,
			    inputs->qualified, problem);
}

void inputs_free(struct inputs *inputs)
{
	free(inputs->files);
}
