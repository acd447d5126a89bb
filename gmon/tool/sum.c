/* SPDX-License-Identifier: 0BSD */
/* gmon sum: adds up the files of many runs. */
#include "gmon/tool/gather.h"
#include "gmon/tool/lookup.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/output.h"
#include "gmon/tool/target.h"
#include "gmon/tool/verbs.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: gmon sum [OPTION]... [FILE]...\n"
	"Add up profiles of one program, with 64-bit counts, into one file.\n"
	"\n"
	"  -o, --output=FILE      the sum (gmon.sum); `-' is standard output\n"
	"  -T, --files-from=FILE  read names, one a line, from FILE or `-'\n"
	"  -j, --jobs=N           N threads (as many as CPUs); each needs as\n"
	"                         much memory as the sum\n"
	"  -p, --program=PROGRAM  files are of this kind of executable\n"
	"  -q, --quiet            no progress on the terminal\n"
	"  -h, --help             this text\n"
	"\n"
	"Files not named are looked for: PROFDIR, GMON_OUT_PREFIX, gmon.out.\n"
	"Files of other programs, versions, rates or scales are refused by\n"
	"name.  An existing file is replaced when the sum is complete.\n";

struct names {
	const char **name;
	size_t count, room;
};

struct command {
	struct names names;
	const char *output;
	const char *program;
	unsigned jobs;
	bool quiet;
	bool listed; /* there was a list of names, however short */
};

static void add_name(struct names *names, const char *name)
{
	names->name = memory_grown(names->name, names->count, &names->room,
				   sizeof *names->name);
	names->name[names->count++] = name;
}

static bool add_names_from(struct names *names, const char *list)
{
	FILE *file = strcmp(list, "-") ? fopen(list, "re") : stdin;
	char *line = NULL;
	size_t room = 0;
	ssize_t size;

	if (!file) {
		say("%s: %s", list, strerror(errno));
		return false;
	}
	while ((size = getline(&line, &room, file)) > 0) {
		if (line[size - 1] == '\n')
			size--;
		if (size)
			add_name(names, memory_text(line, (size_t)size));
	}
	free(line);
	if (file != stdin)
		fclose(file);
	return true;
}

static bool read_jobs(const char *text, unsigned *jobs)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	*jobs = (unsigned)number;
	return *end == '\0' && end != text && number >= 1 && number <= 1024;
}

static int read_command(int argc, char **argv, struct command *command)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"files-from", required_argument, NULL, 'T'},
		{"jobs", required_argument, NULL, 'j'},
		{"program", required_argument, NULL, 'p'},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0}};
	int option;

	while ((option = verb_option(argc, argv, ":o:T:j:p:qh", options,
				     help)) >= 0) {
		if (option == 'o')
			command->output = optarg;
		else if (option == 'p')
			command->program = optarg;
		else if (option == 'q')
			command->quiet = true;
		else if (option == USAGE_BAD)
			return EXIT_USAGE;
		else if (option == 'j' && !read_jobs(optarg, &command->jobs))
			return verb_usage("sum", "-j wants a number");
		else if (option == 'T' &&
			 !add_names_from(&command->names, optarg))
			return EXIT_TROUBLE;
		command->listed |= option == 'T';
	}
	for (; optind < argc; optind++)
		add_name(&command->names, argv[optind]);
	if (!command->names.count && command->listed)
		return verb_usage("sum", "no files given");
	return EXIT_DONE;
}

static bool sum(const struct command *command, struct problem *problem)
{
	struct profile profile = {.origin = NULL};
	struct output output;
	struct gather gather = {
		.names = command->names.name,
		.count = command->names.count,
		.threads = command->jobs ? command->jobs
					 : gather_threads(command->names.count),
		.progress = !command->quiet && isatty(STDERR_FILENO),
	};
	bool good = (!command->program ||
		     target_read(command->program, &gather.target, problem)) &&
		    gather_files(&gather, &profile, problem) &&
		    output_open(&output, command->output, problem);

	if (good) {
		good = profile_write(&profile, output.file, problem);
		good = output_close(&output, good, problem) && good;
	}
	if (good && profile.block_count)
		say("note: basic-block counts are not part of the sum");
	profile_free(&profile);
	return good;
}

int verb_sum(int argc, char **argv)
{
	struct command command = {.output = "gmon.sum"};
	struct problem problem;
	int status = read_command(argc, argv, &command);

	if (status)
		return status;
	if (!command.names.count &&
	    !lookup_profiles(command.program, &command.names.name,
			     &command.names.count, &problem))
		return say_trouble(&problem);
	return sum(&command, &problem) ? EXIT_DONE : say_trouble(&problem);
}
