/* SPDX-License-Identifier: 0BSD */
/*
 * What every suite needs: the settings the build was given, commands and what
 * came of them, fresh folders, and skips that are reported.
 *
 * Nothing here is freed: a test is a process of its own.  Whatever goes wrong
 * fails the test that asked.
 */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <check.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Called once, by main. */
void harness_start(void);
void harness_report_skips(void);
void harness_end(void);

/*
 * A setting of the build: CC, CXX, RUN, GPROF, NM, OBJDUMP, READELF, ARCH
 * from the environment or, where that has none, as they were when the runner
 * was built; BUILD and SOURCE as absolute paths.
 */
const char *setting(const char *name);

/* printf into memory of its own. */
__attribute__((format(printf, 1, 2))) char *text(const char *format, ...);
char *text_valist(const char *format, va_list arguments);

/* What a command did. */
struct outcome {
	int status; /* as from wait */
	char *out, *err;
	double cpu; /* user and system seconds, of it and what it waited for */
	const char *command;
	const char *directory;
};

/* Run a shell command in a directory. */
__attribute__((format(printf, 2, 3))) struct outcome
command(const char *directory, const char *format, ...);

/* As command(), and fail unless it exits with 0; returns what it printed. */
__attribute__((format(printf, 2, 3))) char *
command_output(const char *directory, const char *format, ...);

/* The exit status, or -1 if a signal ended it. */
int outcome_exit(const struct outcome *outcome);

/* How often a string is in a text. */
int text_count(const char *text, const char *part);

/* A new empty folder that anybody may enter. */
char *directory_make(void);

/* The names in a folder in order, each followed by a blank; not . and .. */
char *directory_names(const char *directory);

/* A whole file, ended by NUL; null if there is none. */
char *file_read(const char *path, size_t *size);
bool file_exists(const char *path);

/* Tell the user that something was not tested, and why; once per text. */
__attribute__((format(printf, 1, 2))) void skip(const char *format, ...);

/* A suite of one test case, with a limit that only a hang can reach. */
Suite *suite_make(const char *name, TCase **tcase);

#endif
