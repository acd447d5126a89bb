/* SPDX-License-Identifier: 0BSD */
/* GMON_OPTIONS=key=value:key=value… and the variables that name the file. */
#include "gmon/options.h"
#include "gmon/signals.h"
#include "gmon/warn.h"

#include <linux/limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

/* A stretch of the environment, not ended by NUL. */
struct text {
	const char *start;
	size_t size;
};

static bool text_is(struct text text, const char *string)
{
	return strlen(string) == text.size &&
	       memcmp(text.start, string, text.size) == 0;
}

static bool parse_number(struct text text, uint32_t least, uint32_t most,
			 uint32_t *number)
{
	uint64_t value = 0;

	if (!text.size || text.size > 9)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (text.start[i] < '0' || text.start[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(text.start[i] - '0');
	}
	if (value < least || value > most)
		return false;
	*number = (uint32_t)value;
	return true;
}

/* One of two words; `on` is what the second one means. */
static bool parse_word(struct text text, const char *off, const char *on,
		       bool *value)
{
	*value = text_is(text, on);
	return *value || text_is(text, off);
}

static bool parse_rate(struct options *options, struct text text)
{
	return parse_number(text, 1, OPTIONS_RATE_MAX, &options->rate);
}

static bool parse_start(struct options *options, struct text text)
{
	return parse_word(text, "off", "on", &options->start);
}

static bool parse_verbose(struct options *options, struct text text)
{
	return parse_word(text, "0", "1", &options->verbose);
}

static bool parse_fork(struct options *options, struct text text)
{
	return parse_word(text, "reset", "inherit", &options->inherit);
}

/* Copies of what names are made of; one place for each. */
enum kept { KEPT_FILE, KEPT_PROFDIR, KEPT_PREFIX, KEPT_RANK, KEPT_COUNT };
static char kept[KEPT_COUNT][PATH_MAX + 1];

static const char *keep(enum kept which, struct text text)
{
	/* a path of PATH_MAX bytes is too long already: name.c will say so */
	if (text.size > PATH_MAX)
		text.size = PATH_MAX;
	memcpy(kept[which], text.start, text.size);
	kept[which][text.size] = '\0';
	return kept[which];
}

static const char *keep_string(enum kept which, const char *string)
{
	return keep(which, (struct text){string, strlen(string)});
}

static bool parse_file(struct options *options, struct text text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.start[i] == '%' &&
		    (++i == text.size || !strchr("pnhr:%", text.start[i])))
			return false;
	if (!text.size)
		return false; /* with an earlier pattern still in its place */
	options->file = keep(KEPT_FILE, text);
	return true;
}

/* Two words each; the second one sets the flag. */
static bool parse_fatal(struct options *options, struct text text)
{
	return parse_word(text, "0", "1", &options->fatal);
}

static bool parse_open(struct options *options, struct text text)
{
	return parse_word(text, "exit", "start", &options->open_at_start);
}

static bool parse_format(struct options *options, struct text text)
{
	return parse_word(text, "gnu", "bsd", &options->bsd);
}

static bool parse_clock(struct options *options, struct text text)
{
	return parse_word(text, "cpu", "wall", &options->wall);
}

static bool parse_images(struct options *options, struct text text)
{
	return parse_word(text, "main", "all", &options->all_images);
}

static bool parse_engine(struct options *options, struct text text)
{
	return parse_word(text, "timer", "perf", &options->perf);
}

static bool parse_every(struct options *options, struct text text)
{
	return parse_number(text, 1, 1000000, &options->every);
}

/*
 * A signal that says that an instruction failed cannot be had: returning from
 * its handler would run the instruction again, for ever.
 */
static bool parse_free_signal(struct text text, int *signal)
{
	static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,
				     SIGFPE, SIGSEGV, SIGSYS};

	if (!signals_parse(text.start, text.size, signal))
		return false;
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (*signal == faults[i])
			return false;
	return true;
}

/* The ticks and the snapshots each need a signal to themselves. */
static bool parse_signal(struct options *options, struct text text)
{
	return parse_free_signal(text, &options->signal) &&
	       options->signal != options->dump;
}

static bool parse_dump(struct options *options, struct text text)
{
	return parse_free_signal(text, &options->dump) &&
	       options->dump != options->signal;
}

static const struct {
	const char *name;
	const char *takes;
	bool (*parse)(struct options *options, struct text text);
} keys[] = {
	{"rate", "1 to 100000", parse_rate},
	{"start", "on or off", parse_start},
	{"verbose", "0 or 1", parse_verbose},
	{"fork", "reset or inherit", parse_fork},
	{"file", "a path with %p %n %h %r %: %%", parse_file},
	{"fatal", "0 or 1", parse_fatal},
	{"open", "exit or start", parse_open},
	{"format", "gnu or bsd", parse_format},
	{"clock", "cpu or wall", parse_clock},
	{"images", "main or all", parse_images},
	{"engine", "timer or perf", parse_engine},
	{"every", "seconds, 1 to 1000000", parse_every},
	{"signal", "a signal that is free", parse_signal},
	{"dump", "a signal that is free", parse_dump},
};

/* A key or value as far as it fits into a line of warning. */
struct quote {
	char text[64];
};

static const char *quote(struct quote *quote, struct text text)
{
	size_t size = text.size < sizeof quote->text - 1
			      ? text.size
			      : sizeof quote->text - 1;

	memcpy(quote->text, text.start, size);
	quote->text[size] = '\0';
	return quote->text;
}

static void parse_pair(struct options *options, struct text key,
		       struct text value)
{
	struct options before = *options;
	struct quote shown_key, shown_value;

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (!text_is(key, keys[i].name))
			continue;
		if (keys[i].parse(options, value))
			return;
		*options = before;
		warn("GMON_OPTIONS: bad value '%s' of '%s', which takes %s: "
		     "ignored",
		     quote(&shown_value, value), quote(&shown_key, key),
		     keys[i].takes);
		return;
	}
	warn("GMON_OPTIONS: unknown option '%s', ignored",
	     quote(&shown_key, key));
}

/* A pair ends at ':'; in a file pattern "%:" is a colon of the name. */
static size_t pair_size(const char *pair)
{
	size_t size = 0;

	while (pair[size] && pair[size] != ':')
		size += pair[size] == '%' && pair[size + 1] ? 2 : 1;
	return size;
}

static void parse_all(struct options *options, const char *string)
{
	while (*string) {
		size_t size = pair_size(string);
		const char *equals = memchr(string, '=', size);
		struct text key = {string, size};
		struct text value = {string + size, 0};

		if (equals) {
			key.size = (size_t)(equals - string);
			value.start = equals + 1;
			value.size = size - key.size - 1;
		}
		if (size)
			parse_pair(options, key, value);
		string += size;
		string += *string == ':';
	}
}

void options_default(struct options *options)
{
	*options = (struct options){
		.rate = 100,
		.signal = SIGURG,
		.start = true,
		.rank = "0",
	};
}

/* The value if the string is NAME=value, or null. */
static const char *value_of(const char *string, const char *name)
{
	size_t size = strlen(name);

	return strncmp(string, name, size) == 0 && string[size] == '='
		       ? string + size + 1
		       : NULL;
}

/* Where the usual launchers put the rank, the more particular one last. */
static const char *const rank_names[] = {
	"SLURM_PROCID", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK",
	"OMPI_COMM_WORLD_RANK",
};

static void read_rank(struct options *options, char *const *environment)
{
	const char *value;

	for (size_t i = 0; i < sizeof rank_names / sizeof *rank_names; i++)
		for (char *const *e = environment; *e; e++)
			if ((value = value_of(*e, rank_names[i])) && *value)
				options->rank =
					keep_string(KEPT_RANK, value);
}

void options_read(struct options *options, char *const *environment)
{
	const char *value;

	if (!environment)
		return;
	read_rank(options, environment);
	for (; *environment; environment++) {
		if ((value = value_of(*environment, "PROFDIR")))
			options->profdir =
				keep_string(KEPT_PROFDIR, value);
		else if ((value = value_of(*environment, "GMON_OUT_PREFIX")))
			/* empty is as if not set: no file ".<pid>" */
			options->prefix =
				*value ? keep_string(KEPT_PREFIX, value) : NULL;
		else if ((value = value_of(*environment, "GMON_OPTIONS")))
			parse_all(options, value);
	}
}
