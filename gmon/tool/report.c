/* SPDX-License-Identifier: 0BSD */
/* gmon report: the whole process in one profile, printed by stock gprof. */
#include "gmon/tool/gprof.h"
#include "gmon/tool/inputs.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/output.h"
#include "gmon/tool/verbs.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: gmon report [OPTION]... [PROGRAM] [FILE]...\n"
	"Show the flat profile and the call graph of a program and all its\n"
	"libraries, by gprof.  Several files are added up.\n"
	"\n"
	"  -b, -p[NAME], -q[NAME]  gprof's: brief; flat profile; call graph\n"
	"  -o, --gprof=OPTIONS  more options for gprof, separated by blanks\n"
	INPUTS_HELP
	"\n"
	"Without FILE the files are those of PROFDIR or GMON_OUT_PREFIX,\n"
	"or gmon.out; without PROGRAM it is what the file says, or a.out.\n"
	"GPROF is the gprof to run.\n";

struct command {
	struct inputs inputs;
	struct gprof gprof;
};

static int read_command(int argc, char **argv, struct command *command)
{
	static const struct option options[] = {
		{"gprof", required_argument, NULL, 'o'},
		{"brief", no_argument, NULL, 'b'},
		{"flat-profile", optional_argument, NULL, 'p'},
		{"graph", optional_argument, NULL, 'q'},
		INPUTS_OPTIONS};
	struct problem problem;
	int option;

	while ((option = verb_option(argc, argv, ":o:bp::q::" INPUTS_LETTERS,
				     options, help)) >= 0) {
		if (option == 'o')
			gprof_add_words(&command->gprof, optarg);
		else if (option == 'b' || option == 'p' || option == 'q')
			gprof_add_letter(&command->gprof, (char)option,
					 optarg);
		else if (!inputs_option(&command->inputs, option))
			return EXIT_USAGE;
	}
	if (!inputs_find(&command->inputs, argc - optind, argv + optind,
			 &problem))
		return say_trouble(&problem);
	return EXIT_DONE;
}

static bool close_file(FILE *file, const char *name, bool good,
		       struct problem *problem)
{
	if (fclose(file) && good)
		return problem_set(problem, "%s: %s", name, strerror(errno));
	return good;
}

/* Without any histogram gprof has no flat profile, and no numbers for times:
   an empty one is enough. */
static void add_kind(struct profile *profile)
{
	static const struct histogram kind = {
		.rate = 100, .dimension = "seconds", .abbreviation = 's'};
	struct problem unsaid;

	profile_join_kind(profile, &kind, profile->origin, &unsaid);
}

/* gprof reads a single file as it is; sums and parts are written for it. */
static bool write_profile(const struct inputs *inputs, struct profile *profile,
			  char **name, struct problem *problem)
{
	FILE *file;
	bool good;

	if (inputs->file_count == 1 && !inputs->image &&
	    profile->kind_origin && strcmp(inputs->files[0], "-")) {
		*name = NULL;
		return true;
	}
	if (!profile->kind_origin)
		add_kind(profile);
	file = output_temporary(name, problem);
	if (!file)
		return false;
	good = profile_write(profile, file, problem);
	return close_file(file, *name, good, problem);
}

static bool write_symbols(const struct inputs *inputs,
			  const struct profile *profile, char **name,
			  struct problem *problem)
{
	struct symbols symbols = {.count = 0};
	FILE *file = NULL;
	bool good = inputs_symbols(inputs, profile, &symbols, problem) &&
		    (file = output_temporary(name, problem));

	if (good) {
		symbols_write(&symbols, profile->target.width, file);
		good = close_file(file, *name, true, problem);
	}
	symbols_free(&symbols);
	return good;
}

static bool report(struct command *command, struct problem *problem)
{
	struct inputs *inputs = &command->inputs;
	struct profile profile = {.origin = NULL};
	char *symbols = NULL, *sum = NULL;
	bool good = inputs_read(inputs, &profile, problem);

	if (good && command->gprof.by_line && profile.images.count > 1)
		say("note: by line gprof shows the main program alone");
	good = good && write_profile(inputs, &profile, &sum, problem) &&
	       (command->gprof.by_line ||
		write_symbols(inputs, &profile, &symbols, problem));
	profile_free(&profile);
	good = good &&
	       gprof_run(&command->gprof, symbols, inputs->program,
			 sum ? sum : inputs->files[0], problem);
	output_remove(symbols);
	output_remove(sum);
	return good;
}

int verb_report(int argc, char **argv)
{
	struct command command = {.inputs = {.program = NULL}};
	struct problem problem;
	int status = read_command(argc, argv, &command);

	if (status)
		return status;
	return report(&command, &problem) ? EXIT_DONE : say_trouble(&problem);
}
