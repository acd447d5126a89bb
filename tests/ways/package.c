/* SPDX-License-Identifier: 0BSD */
/*
 * `make deb`: lintian finds no error, and the package installs into an empty
 * root, is of use there, and goes away without a trace.
 */
#include "tests/harness.h"
#include "tests/profile.h"
#include "tests/suites.h"
#include "tests/ways/prefix.h"

#include <stdlib.h>
#include <string.h>

static bool is_here(void)
{
	static const char *const tools[] = {"dpkg-deb", "dpkg",
					    "dpkg-architecture"};

	if (!prefix_has_glibc())
		return false;
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (command("/", "command -v %s", tools[i]).status) {
			skip("make deb: there is no %s", tools[i]);
			return false;
		}
	return true;
}

/* Once per run. */
static char *package_make(void)
{
	char *made = text("%s/package-is-made", getenv("RUN_DIRECTORY"));
	char *path;

	if (!file_exists(made))
		command_output("/", "%s && touch %s", make_command("deb"),
			       made);
	path = command_output("/", "ls %s/gcrt_*.deb", setting("BUILD"));
	path[strcspn(path, "\n")] = '\0';
	return path;
}

START_TEST(lintian_finds_no_error)
{
	struct outcome outcome;

	if (!is_here())
		return;
	if (command("/", "command -v lintian").status) {
		skip("make deb: there is no lintian");
		return;
	}
	outcome = command("/", "lintian --fail-on error %s", package_make());
	ck_assert_msg(outcome.status == 0, "%s%s", outcome.out, outcome.err);
}
END_TEST

/* dpkg as root of a folder, where nothing else is installed. */
static struct outcome dpkg(const char *root, const char *words)
{
	return command("/", "%s dpkg --root=%s --force-depends "
			    "--force-not-root --force-script-chrootless "
			    "--log=/dev/null %s",
		       command("/", "test $(id -u) = 0").status ? "fakeroot"
								: "",
		       root, words);
}

static void well(struct outcome outcome)
{
	ck_assert_msg(outcome.status == 0, "%s\n%s%s", outcome.command,
		      outcome.out, outcome.err);
}

static char *root_make(void)
{
	char *root = directory_make();

	command_output(root, "mkdir -p var/lib/dpkg/info var/lib/dpkg/updates "
			     "var/lib/dpkg/triggers tmp && "
			     "touch var/lib/dpkg/status");
	return root;
}

static char *contents(const char *root)
{
	return command_output(root, "find . -path ./var -prune -o "
				    "! -type d -print | sort");
}

/* A program built with the unpacked wrapper. */
static void use(const char *root)
{
	char *directory = directory_make();
	struct profile profile;

	command_output(directory,
		       "GCRT_ROOT=%s/usr/lib/gcrt CC=gcc %s/usr/bin/gcrt-cc "
		       "-pg -O1 %s/tests/programs/chains.c -o chains && "
		       "./chains",
		       root, root, setting("SOURCE"));
	profile = profile_read(directory, "chains", "gmon.out");
	ck_assert_int_eq(profile_arc(&profile, "main", "third"), 100);
}

START_TEST(installs_and_removes)
{
	char *root, *package;

	if (!is_here())
		return;
	package = package_make();
	root = root_make();
	well(dpkg(root, text("-i %s", package)));
	ck_assert_ptr_nonnull(strstr(contents(root), "./usr/bin/gcrt-cc\n"));
	use(root);
	well(dpkg(root, "--audit"));
	well(dpkg(root, "--purge gcrt"));
	ck_assert_str_eq(contents(root), "");
}
END_TEST

/* Debian's own files stay where they are. */
START_TEST(clashes_with_nothing)
{
	struct outcome outcome;

	if (!is_here())
		return;
	outcome = command("/",
			  "dpkg-deb --fsys-tarfile %s | tar t | "
			  "sed -n 's,^\\.\\(/.*[^/]\\)$,\\1,p' | "
			  "xargs dpkg -S 2>/dev/null | grep -v '^gcrt:'",
			  package_make());
	ck_assert_str_eq(outcome.out, "");
}
END_TEST

Suite *package_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("package", &tcase);

	tcase_add_test(tcase, lintian_finds_no_error);
	tcase_add_test(tcase, installs_and_removes);
	tcase_add_test(tcase, clashes_with_nothing);
	return suite;
}
