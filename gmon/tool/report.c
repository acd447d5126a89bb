/* SPDX-License-Identifier: 0BSD */
/* gmon report: the whole process in one profile, printed by stock gprof. */
#include "gmon/tool/inputs.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/output.h"
#include "gmon/tool/run.h"
#include "gmon/tool/verbs.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: gmon report [OPTION]... [PROGRAM] [FILE]...\n"
	"Show the flat profile and the call graph of a program and all its\n"
	"libraries, by gprof.  Several files are added up.\n"
	"\n"
	"  -b, -p[NAME], -q[NAME]  gprof's: brief; flat profile; call graph\n"
	"  -o, --gprof=OPTIONS  more options for gprof, separated by blanks\n"
	INPUTS_HELP
	"\n"
	"Without FILE the files are those of PROFDIR or GMON_OUT_PREFIX, or\n"
	"gmon.out; without PROGRAM it is what the file says, or a.out.  GPROF is\n"
	"the gprof to run.\n";

struct command {
	struct inputs inputs;
	char **words; /* gprof's options */
	size_t count, room;
	bool by_line; /* among them is one that needs gprof's own symbols */
};

/* What is about source lines takes them from the program, not from -S. */
static bool is_by_line(const char *word)
{
	static const char *const long_names[] = {
		"--annotated-source", "--line", "--all-lines",
		"--no-annotated-source"};

	for (size_t i = 0; i < sizeof long_names / sizeof *long_names; i++)
		if (strncmp(word, long_names[i], strlen(long_names[i])) == 0)
			return true;
	if (word[0] != '-' || word[1] == '-')
		return false;
	word += 1 + strspn(word + 1, "abciLrsTvyz"); /* without a value */
	return *word && strchr("lAJx", *word);
}

static void add_word(struct command *command, const char *word, size_t size)
{
	char *copy = memory_text(word, size);

	command->words = memory_grown(command->words, command->count,
				      &command->room, sizeof *command->words);
	command->words[command->count++] = copy;
	command->by_line = command->by_line || is_by_line(copy);
}

static void add_words(struct command *command, const char *text)
{
	while (*(text += strspn(text, " \t"))) {
		size_t size = strcspn(text, " \t");

		add_word(command, text, size);
		text += size;
	}
}

static void add_letter(struct command *command, char letter, const char *value)
{
	char word[512];

	snprintf(word, sizeof word, "-%c%s", letter, value ? value : "");
	add_word(command, word, strlen(word));
}

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
			add_words(command, optarg);
		else if (option == 'b' || option == 'p' || option == 'q')
			add_letter(command, (char)option, optarg);
		else if (!inputs_option(&command->inputs, option))
			return EXIT_USAGE;
	}
	if (!inputs_find(&command->inputs, argc - optind, argv + optind,
			 &problem))
		return say_trouble(&problem);
	return EXIT_DONE;
}

/* gprof, with its options, the symbol file or null, program and profile. */
static bool run_gprof(const struct command *command, const char *symbols,
		      const char *profile, struct problem *problem)
{
	const char *gprof = getenv("GPROF");
	const char **argv = memory_zeroed(command->count + 6, sizeof *argv);
	size_t count = 0;
	int status;

	argv[count++] = gprof && *gprof ? gprof : "gprof";
	for (size_t i = 0; i < command->count; i++)
		argv[count++] = command->words[i];
	if (symbols) {
		argv[count++] = "-S";
		argv[count++] = symbols;
	}
	argv[count++] = command->inputs.program;
	argv[count++] = profile;
	status = run_program((char *const *)argv, -1, -1, problem);
	if (status > 0)
		problem_set(problem, "%s: exit status %d", argv[0], status);
	free(argv);
	return status == 0;
}

/* gprof reads a single file as it is; sums and parts are written for it. */
static bool write_profile(const struct inputs *inputs,
			  const struct profile *profile, char **name,
			  struct problem *problem)
{
	FILE *file;
	bool good;

	if (inputs->file_count == 1 && !inputs->image &&
	    strcmp(inputs->files[0], "-")) {
		*name = NULL;
		return true;
	}
	file = output_temporary(name, problem);
	if (!file)
		return false;
	good = profile_write(profile, file, problem);
	if (fclose(file) && good)
		good = problem_set(problem, "%s: cannot be written", *name);
	return good;
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
		if (fclose(file))
			good = problem_set(problem, "%s: cannot be written",
					   *name);
	}
	symbols_free(&symbols);
	return good;
}

static void remove_file(char *name)
{
	if (name)
		unlink(name);
	free(name);
}

static bool report(struct command *command, struct problem *problem)
{
	struct inputs *inputs = &command->inputs;
	struct profile profile = {.origin = NULL};
	char *symbols = NULL, *sum = NULL;
	bool good = inputs_read(inputs, &profile, problem);

	if (good && command->by_line && profile.images.count > 1)
		say("note: by line gprof shows the main program alone");
	good = good && write_profile(inputs, &profile, &sum, problem) &&
	       (command->by_line ||
		write_symbols(inputs, &profile, &symbols, problem));
	profile_free(&profile);
	good = good && run_gprof(command, symbols, sum ? sum : inputs->files[0],
				 problem);
	remove_file(symbols);
	remove_file(sum);
	return good;
}

int verb_report(int argc, char **argv)
{
	struct command command = {.count = 0};
	struct problem problem;
	int status = read_command(argc, argv, &command);

	if (status)
		return status;
	return report(&command, &problem) ? EXIT_DONE : say_trouble(&problem);
}
