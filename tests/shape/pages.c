/* SPDX-License-Identifier: 0BSD */
/*
 * The manuals: no other compiler reads them, so mandoc does, and what they
 * say of prototypes and options is compared with the sources.
 */
#include "tests/harness.h"
#include "tests/suites.h"

#include <stdio.h>
#include <string.h>

static const struct page {
	const char *page, *header; /* header: or null */
} pages[] = {
	{"gmon/moncontrol.3", "gmon/gmon.h"},
	{"profil/profil.3gcrt", "profil/profil.h"},
	{"gmon/gmon.out.5", NULL},
	{"crt/gcrt.7", NULL},
	{"crt/gcrt-cc.1", NULL},
	{"gmon/tool/gmon.1", NULL},
};
enum { PAGE_COUNT = sizeof pages / sizeof *pages };

static char *source_read(const char *name)
{
	char *bytes =
		file_read(text("%s/%s", setting("SOURCE"), name), NULL);

	ck_assert_msg(bytes != NULL, "there is no %s", name);
	return bytes;
}

/* References to each other are unknown before they are installed. */
START_TEST(well_formed)
{
	const char *page = pages[_i].page;
	struct outcome outcome = command(
		setting("SOURCE"),
		"mandoc -Tlint -Wstyle %s 2>/dev/null | "
		"grep -v -e 'referenced manual not found' -e '^$'", page);

	if (command("/", "command -v mandoc").status)
		skip("%s: there is no mandoc to check it", page);
	else
		ck_assert_msg(!*outcome.out, "%s", outcome.out);
}
END_TEST

/* As Debian's man shows it; it does not break lines within columns. */
START_TEST(fits_groff)
{
	const char *page = pages[_i].page;
	struct outcome outcome = command(setting("SOURCE"),
					 "groff -mdoc -Tutf8 -z %s", page);

	if (command("/", "command -v groff").status)
		skip("%s: there is no groff to check it", page);
	else
		ck_assert_msg(!*outcome.err, "%s", outcome.err);
}
END_TEST

/* One blank for all white space, none behind '(' or '*'. */
static char *squeezed(const char *from)
{
	char *to = text("%s", from), *end = to;

	for (; *from; from++)
		if (!strchr(" \t\n", *from))
			*end++ = *from;
		else if (end > to && !strchr(" (*", end[-1]))
			*end++ = ' ';
	*end = '\0';
	return to;
}

/* `.Fn name "type argument" ...` and the .Ft before as C has them. */
static char *prototype(const char *type, char *words)
{
	char *result = text("%s %s(", type, strsep(&words, " "));
	const char *comma = "";

	while (words && *words) {
		words++; /* the opening quote */
		result = text("%s%s%s", result, comma, strsep(&words, "\""));
		comma = ", ";
		if (words && *words == ' ')
			words++;
	}
	return squeezed(text("%s);", result));
}

static int check_prototypes(char *synopsis, const char *header)
{
	const char *type = NULL;
	char *line;
	int count = 0;

	while ((line = strsep(&synopsis, "\n"))) {
		if (strncmp(line, ".Ft ", 4) == 0)
			type = line + 4;
		if (strncmp(line, ".Fn ", 4) != 0)
			continue;
		ck_assert(type != NULL);
		line = prototype(type, line + 4);
		ck_assert_msg(strstr(header, line) != NULL,
			      "the header has no `%s'", line);
		count++;
	}
	return count;
}

START_TEST(prototypes_agree)
{
	char *page = source_read(pages[_i].page);
	char *header = source_read(pages[_i].header);
	char *synopsis = strstr(page, ".Sh SYNOPSIS");
	int count;

	ck_assert(synopsis != NULL);
	*strstr(synopsis, ".Sh DESCRIPTION") = '\0';
	count = check_prototypes(synopsis, squeezed(header));
	ck_assert_int_gt(count, 0);
	ck_assert_int_eq(count, text_count(header, ");\n"));
}
END_TEST

/* {"rate", parse_rate}, in the one is `.It Cm rate Ns' in the other. */
START_TEST(options_agree)
{
	char *code = source_read("gmon/options.c");
	char *page = source_read("crt/gcrt.7");
	char name[32];
	int count = 0;

	for (const char *p = code; (p = strstr(p, "\t{\"")); p++) {
		if (sscanf(p, "\t{\"%31[a-z]\", parse_", name) != 1 ||
		    !strstr(p, ", parse_"))
			continue;
		ck_assert_msg(strstr(page, text(".It Cm %s Ns = Ns", name)) !=
				      NULL,
			      "gcrt.7 does not have the option %s", name);
		count++;
	}
	ck_assert_int_gt(count, 10);
	ck_assert_int_eq(count, text_count(page, "\n.It Cm "));
}
END_TEST

Suite *pages_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("pages", &tcase);

	tcase_add_loop_test(tcase, well_formed, 0, PAGE_COUNT);
	tcase_add_loop_test(tcase, fits_groff, 0, PAGE_COUNT);
	tcase_add_loop_test(tcase, prototypes_agree, 0, 2);
	tcase_add_test(tcase, options_agree);
	return suite;
}
