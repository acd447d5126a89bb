/* SPDX-License-Identifier: 0BSD */
/* gmon show: the records of a file, as they stand in it. */
#include "gmon/tool/show.h"
#include "gmon/tool/lookup.h"
#include "gmon/tool/target.h"
#include "gmon/tool/verbs.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: gmon show [OPTION]... [FILE]...\n"
	"Print the records of profiles (gmon.out) in the order of the file.\n"
	"\n"
	"  -j, --json             as JSON: an object for each file\n"
	"  -p, --program=PROGRAM  the file is of this kind of executable;\n"
	"                         else width and byte order are guessed\n"
	"  -h, --help             this text\n"
	"\n"
	"Files not named are looked for: PROFDIR, GMON_OUT_PREFIX, gmon.out.\n"
	"A line is a word and its values; addresses are hexadecimal:\n"
	"  file SIZE BYTES FORMAT WIDTH ORDER NAME\n"
	"  histogram OFFSET LOWPC HIGHPC BINS RATE ABBREVIATION DIMENSION\n"
	"  bin ADDRESS COUNT                      (those that are not 0)\n"
	"  arc FROMPC SELFPC COUNT\n"
	"  image BUILDID BASE LOWPC HIGHPC PATH   (of the image table)\n"
	"  range LOWPC HIGHPC BINS                (of a sum)\n"
	"  block ADDRESS COUNT                    (of old compilers)\n";

/* Everything is checked before anything is printed. */
static bool show(const char *name, const struct target *target,
		 const struct shower *shower, struct problem *problem)
{
	struct source source = {.fd = -1};
	struct format format;
	bool good = source_open(&source, name, problem) &&
		    reader_detect(&source, target, &format, problem);

	if (good) {
		shower->begin(&source, &format);
		good = reader_walk(&source, &format, &shower->visitor, problem);
		shower->end();
	}
	source_free(&source);
	return good;
}

int verb_show(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"program", required_argument, NULL, 'p'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0}};
	const struct shower *shower = &show_text;
	struct target target = {0};
	struct problem problem;
	const char *program = NULL, **files;
	int option, status = EXIT_DONE;
	size_t count;

	while ((option = verb_option(argc, argv, ":jp:h", options, help)) >=
	       0) {
		if (option == 'j')
			shower = &show_json;
		else if (option == USAGE_BAD)
			return EXIT_USAGE;
		else if (!target_read(program = optarg, &target, &problem))
			return say_trouble(&problem);
	}
	files = (const char **)argv + optind;
	count = (size_t)(argc - optind);
	if (!count && !lookup_profiles(program, &files, &count, &problem))
		return say_trouble(&problem);
	for (size_t i = 0; i < count; i++)
		if (!show(files[i], &target, shower, &problem))
			status = say_trouble(&problem);
	return status;
}
