/* SPDX-License-Identifier: 0BSD */
/*
 * The globals of the products: those of crt/exports, those of the C library's
 * start object in the joined ones, and no others.
 */
#include "tests/harness.h"
#include "tests/suites.h"

#include <string.h>

static const struct {
	const char *object; /* of BUILD */
	const char *start;  /* the setting that names the C library's part */
	const char *more;   /* what else it may define, in blanks */
	const char *nm;     /* which table */
} products[] = {
	{"gmon.o", NULL, " ", ""},
	{"gcrt1.o", "CRT1", " ", ""},
	{"grcrt1.o", "RCRT1", " ", ""},
	{"gcrt0.o", "CRT1", " __EH_FRAME_BEGIN__ __dso_handle _fini _init ",
	 ""},
	{"grcrt0.o", "RCRT1", " __EH_FRAME_BEGIN__ __dso_handle _fini _init ",
	 ""},
	{"libgmon.so", NULL, " ", "-D"},
};

enum { PRODUCT_COUNT = sizeof products / sizeof *products };

/* Names in blanks, with one before the first. */
static char *globals_of(const char *flags, const char *path)
{
	return text(" %s", command_output("/",
					  "%s -g --defined-only %s -P %s "
					  "| grep -v ':$' | "
					  "cut -d' ' -f1 | tr '\\n' ' '",
					  setting("NM"), flags, path));
}

static char *exports(void)
{
	return text(" %s", command_output(setting("SOURCE"),
					  "sed 's/^gcrt_external$/<external>/' "
					  "crt/exports | tr '\\n' ' '"));
}

static bool is_in(const char *names, const char *name)
{
	return strstr(names, text(" %s ", name)) != NULL;
}

/* What the compilers call. */
static const char *entry(void)
{
	static const struct {
		const char *arch, *name;
	} entries[] = {
		{"x86_64", "mcount"},	{"i386", "mcount"},
		{"aarch64", "_mcount"}, {"armhf", "__gnu_mcount_nc"},
		{"ppc64le", "_mcount"}, {"riscv64", "_mcount"},
		{"s390x", "_mcount"},
	};

	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		if (strcmp(entries[i].arch, setting("ARCH")) == 0)
			return entries[i].name;
	ck_abort_msg("what is called on %s?", setting("ARCH"));
}

/* Every i386 object has them, and the linker takes one. */
static bool is_of_compiler(const char *name)
{
	return strncmp(name, "__x86.get_pc_thunk.", 19) == 0;
}

START_TEST(exports_only)
{
	const char *path = text("%s/%s", setting("BUILD"), products[_i].object);
	char *start = text(" "), *allowed = exports(), *globals, *name;

	if (!file_exists(path)) {
		skip("%s: not built, the C library has no start object for it",
		     products[_i].object);
		return;
	}
	if (products[_i].start)
		start = globals_of("", setting(products[_i].start));
	globals = globals_of(products[_i].nm, path);
	ck_assert_msg(is_in(globals, entry()), "%s has no %s: %s", path,
		      entry(), globals);
	while ((name = strsep(&globals, " ")))
		ck_assert_msg(!*name || is_in(allowed, name) ||
				      is_in(start, name) ||
				      is_of_compiler(name) ||
				      is_in(products[_i].more, name),
			      "%s: %s is global and not in crt/exports",
			      products[_i].object, name);
}
END_TEST

/* A program may have functions of these names, and the C library does. */
START_TEST(weak_where_it_must_be)
{
	static const char *const weak[] = {
		"_exit", "_Exit", "dlclose", "sigaltstack",
	};
	char *table =
		command_output(setting("BUILD"), "%s -P gmon.o", setting("NM"));

	for (size_t i = 0; i < sizeof weak / sizeof *weak; i++)
		ck_assert_msg(strstr(table, text("\n%s W ", weak[i])) != NULL,
			      "%s is not weak", weak[i]);
}
END_TEST

/* What a header promises is there. */
START_TEST(headers_are_exported)
{
	static const char *const headers[] = {"gmon/gmon.h", "profil/profil.h"};
	char *names = command_output(
		setting("SOURCE"),
		"sed -n 's/^[a-z].*[ *]\\([a-z_]*\\)(.*/\\1/p' %s | "
		"grep -v '^static\\|attribute' | tr '\\n' ' '",
		headers[_i]);
	char *name;
	int count = 0;

	while ((name = strsep(&names, " ")))
		if (*name && ++count)
			ck_assert_msg(is_in(exports(), name),
				      "%s: %s is not in crt/exports",
				      headers[_i], name);
	ck_assert_msg(count > 0 || _i, "no function in %s", headers[_i]);
}
END_TEST

Suite *exports_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("exports", &tcase);

	tcase_add_loop_test(tcase, exports_only, 0, PRODUCT_COUNT);
	tcase_add_test(tcase, weak_where_it_must_be);
	tcase_add_loop_test(tcase, headers_are_exported, 0, 1);
	return suite;
}
