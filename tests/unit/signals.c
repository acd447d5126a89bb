/* SPDX-License-Identifier: 0BSD */
/* Signals by name and number. */
#include "gmon/signals.h"
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/unit/tools.h"

#include <signal.h>
#include <string.h>

static bool parse(const char *string, int *number)
{
	return signals_parse(text_at_edge(string), strlen(string), number);
}

START_TEST(known)
{
	const struct {
		const char *name;
		int number;
	} signals[] = {
		{"URG", SIGURG},	{"SIGURG", SIGURG},
		{"PROF", SIGPROF},	{"SIGUSR2", SIGUSR2},
		{"CHLD", SIGCHLD},	{"IO", SIGIO},
		{"POLL", SIGPOLL},	{"1", 1},
		{"23", 23},		{"RTMIN", SIGRTMIN},
		{"RTMAX", SIGRTMAX},	{"SIGRTMAX-2", SIGRTMAX - 2},
		{"RTMIN+3", SIGRTMIN + 3}, {"RTMAX-0", SIGRTMAX},
	};
	int number = 0;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		ck_assert_msg(parse(signals[i].name, &number), "%s",
			      signals[i].name);
		ck_assert_int_eq(number, signals[i].number);
	}
}
END_TEST

START_TEST(refused)
{
	static const char *const texts[] = {
		"", "0", "-1", "9", "19", "KILL", "SIGKILL", "STOP", "SIG",
		"urg", "URGE", "UR", "SIGSIGURG", "32", "33", "65", "99999999",
		"RTMIN-1", "RTMAX+1", "RTMIN+31", "RTMIN+", "RTMAX-", "RTMI",
		"RTMIN+ 1", "RTMIN+1x", "RTMAX-40", "RTMAX-999", "1 ", " 1",
		"0x17", "RTMIN+4294967296",
	};
	int number;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_assert_msg(!parse(texts[i], &number), "'%s' is %d",
			      texts[i], number);
}
END_TEST

Suite *unit_signals_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_signals", &tcase);

	tcase_add_test(tcase, known);
	tcase_add_test(tcase, refused);
	return suite;
}
