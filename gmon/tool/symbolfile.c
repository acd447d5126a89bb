/* SPDX-License-Identifier: 0BSD */
/* gmon symbols: the symbols of a program and all images of its profiles. */
#include "gmon/tool/inputs.h"
#include "gmon/tool/output.h"
#include "gmon/tool/verbs.h"

#include <getopt.h>

static const char help[] =
	"Usage: gmon symbols [OPTION]... [PROGRAM] [FILE]...\n"
	"Write the symbols of a program and of all images of its profiles as\n"
	"nm(1) does, for gprof -S.\n"
	"\n"
	"  -o, --output=FILE    write to FILE instead of standard output\n"
	INPUTS_HELP
	"\n"
	"    gmon symbols app gmon.out > app.syms\n"
	"    gprof -S app.syms app gmon.out\n";

static int read_command(int argc, char **argv, struct inputs *inputs,
			const char **output)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'}, INPUTS_OPTIONS};
	struct problem problem;
	int option;

	while ((option = verb_option(argc, argv, ":o:" INPUTS_LETTERS, options,
				     help)) >= 0) {
		if (option == 'o')
			*output = optarg;
		else if (!inputs_option(inputs, option))
			return EXIT_USAGE;
	}
	if (!inputs_find(inputs, argc - optind, argv + optind, &problem))
		return say_trouble(&problem);
	return EXIT_DONE;
}

int verb_symbols(int argc, char **argv)
{
	struct inputs inputs = {.program = NULL};
	struct profile profile = {.origin = NULL};
	struct symbols symbols = {.count = 0};
	const char *name = "-";
	struct output output;
	struct problem problem;
	int status = read_command(argc, argv, &inputs, &name);
	bool good;

	if (status)
		return status;
	good = inputs_read(&inputs, &profile, &problem) &&
	       inputs_symbols(&inputs, &profile, &symbols, &problem) &&
	       output_open(&output, name, &problem);
	if (good) {
		symbols_write(&symbols, profile.target.width, output.file);
		good = output_close(&output, true, &problem);
	}
	symbols_free(&symbols);
	profile_free(&profile);
	inputs_free(&inputs);
	return good ? EXIT_DONE : say_trouble(&problem);
}
