/* SPDX-License-Identifier: 0BSD */
/*
 * The runtime's entries, however the compiler calls them: every option that
 * changes the call, every register that may be in use, functions in functions.
 */
#include "tests/suites.h"
#include "tests/truth.h"

#include <stdlib.h>
#include <string.h>

static const char *const options[] = {
	"-O0",
	"-O1",
	"-O2",
	"-O3",
	"-Os",
	"-O2 -flto",
	"-O2 -mfentry",
	"-O2 -no-pie -fno-pie -mfentry",
	"-O2 -fno-plt",
	"-O2 -mcmodel=large",
	"-O2 -no-pie -fno-pie -mcmodel=large",
};

/* What one CPU has besides. */
static const struct {
	const char *arch, *options;
} cpu_options[] = {
	{"aarch64", "-O2 -mbranch-protection=standard"},
	{"aarch64", "-O3 -march=armv8.2-a+sve"},
	{"armhf", "-O2 -marm"},
	{"armhf", "-O2 -mthumb"},
	{"i386", "-O2 -fno-pic -no-pie"},
	{"i386", "-O2 -fPIC -mno-sse -mfpmath=387"},
	{"ppc64le", "-O2 -Wl,-z,now"},
	{"riscv64", "-O2 -march=rv64g"},
	{"s390x", "-O3 -march=z13"},
};

static const char *const programs[] = {"chains.c", "pointers.c", "last_calls.c",
				       "arguments.c"};

enum {
	OPTION_COUNT = sizeof options / sizeof *options,
	CPU_OPTION_COUNT = sizeof cpu_options / sizeof *cpu_options,
	PROGRAM_COUNT = sizeof programs / sizeof *programs,
};

/* A reason to skip, or null: can the compiler do this at all? */
static const char *complaint(const char *flags)
{
	struct outcome outcome = command(
		getenv("RUN_DIRECTORY"),
		"echo 'int n; int f(void) { return n; } "
		"int main(void) { return f(); }' | "
		"%s -pg %s -x c - -x none %s/libgmon.a -o able",
		setting("CC"), flags, setting("BUILD"));

	return outcome.status ? text("%.*s", (int)strcspn(outcome.err, "\n"),
				     outcome.err)
			      : NULL;
}

/*
 * A reason to skip functions in functions, or null.  GCC for s390x compiles
 * them with -mfentry and does not count them, as it warns.
 */
static const char *chain_complaint(const char *flags)
{
	const char *format = "echo 'int main(int n, char **unused) { "
			     "__attribute__((noipa)) int f(void) { return n; } "
			     "return f(); }' | %s -pg %s %s -x c - -o able";
	struct outcome plain = command(getenv("RUN_DIRECTORY"), format,
				       setting("CC"), flags, ""),
		       strict = command(getenv("RUN_DIRECTORY"), format,
					setting("CC"), flags, "-Werror");
	const char *error = strstr(strict.err, "error: ");

	return !plain.status && error
		       ? text("%.*s", (int)strcspn(error, "\n"), error)
		       : NULL;
}

static void check_options(const char *flags)
{
	const char *reason = complaint(flags);
	const char *chains = chain_complaint(flags);

	if (reason) {
		skip("%s: %s", flags, reason);
		return;
	}
	for (int i = 0; i < PROGRAM_COUNT; i++) {
		if (chains && strcmp(programs[i], "arguments.c") == 0) {
			skip("arguments.c: %s: %s", flags, chains);
			continue;
		}
		truth_holds(mode_alone, programs[i], flags);
		truth_holds(mode_found_static, programs[i], flags);
	}
}

START_TEST(options_exact)
{
	check_options(options[_i]);
}
END_TEST

START_TEST(cpu_options_exact)
{
	if (strcmp(setting("ARCH"), cpu_options[_i].arch) == 0)
		check_options(cpu_options[_i].options);
}
END_TEST

/* Nested functions are GCC's own. */
static const char *const nested_options[] = {
	"-O0", "-O2", "-O0 -mfentry", "-O2 -mfentry", "-Os -no-pie -fno-pie",
	"-O2 -no-pie -fno-pie -mfentry",
};

enum { NESTED_COUNT = sizeof nested_options / sizeof *nested_options };

START_TEST(nested_exact)
{
	const char *reason = complaint(nested_options[_i]);
	struct outcome outcome =
		command(getenv("RUN_DIRECTORY"),
			"echo 'int main(void) { int f(void) { return 0; } "
			"return f(); }' | %s -x c - -o able",
			setting("CC"));

	if (outcome.status) {
		skip("nested.c: the compiler has no nested functions");
		return;
	}
	if (!reason)
		reason = chain_complaint(nested_options[_i]);
	if (reason) {
		skip("nested.c: %s: %s", nested_options[_i], reason);
		return;
	}
	truth_holds(mode_alone, "nested.c", nested_options[_i]);
	truth_holds(mode_found_static, "nested.c", nested_options[_i]);
}
END_TEST

/*
 * Also as on a CPU without AVX-512, where the C library's own functions use
 * other registers, those in which arguments are.
 */
static const char *const cpus[] = {
	"",
	"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL",
	"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-ERMS",
};

enum { CPU_COUNT = sizeof cpus / sizeof *cpus };

static void registers_in(const struct mode *mode, const char *cpu)
{
	const char *source = text("registers_%s.c", setting("ARCH"));
	struct outcome outcome;
	struct profile profile;
	char *program, *directory = directory_make();

	if (!mode_is_there(mode))
		return;
	program = program_build(mode, source, "-O1 -pthread");
	outcome = command(directory, "%s exec %s %s", cpu, setting("RUN"),
			  program);
	ck_assert_msg(outcome.status == 0, "%s %s: %s%s", cpu, mode->name,
		      outcome.out, outcome.err);
	profile = profile_read(directory, program, "gmon.out");
	truth_check(source, outcome.out, &profile,
		    text("%s %s %s", source, cpu, mode->name));
}

START_TEST(registers_kept)
{
	if (!file_exists(text("%s/tests/programs/registers_%s.c",
			      setting("SOURCE"), setting("ARCH")))) {
		skip("registers_%s.c: not written; arguments.c stands in",
		     setting("ARCH"));
		return;
	}
	if (program_is_checked("valgrind", "registers: it has no mxcsr"))
		return;
	registers_in(mode_alone, cpus[_i]);
	registers_in(mode_found_static, cpus[_i]);
}
END_TEST

/* Case 15 asks for more options than the counts suite has. */
START_TEST(overflow_exact)
{
	truth_holds(mode_found, "overflow.c", "-O2");
	truth_holds(mode_found, "overflow.c", "-O0 -no-pie");
}
END_TEST

/* -finstrument-functions; -pg is for the linker only. */
static void instrumented_in(const struct mode *mode, const char *source)
{
	char *object = text("%s/%s.o", getenv("RUN_DIRECTORY"), source);
	struct outcome outcome;
	struct profile profile;
	char *program;

	if (!mode_is_there(mode))
		return;
	command_output("/", "%s -O2 -fno-pie -finstrument-functions -c "
			    "-o %s "
			    "%s/tests/programs/%s",
		       setting("CC"), object, setting("SOURCE"), source);
	program = program_build(mode, object, "");
	outcome = program_run_well(program, "");
	profile = profile_read(outcome.directory, program, "gmon.out");
	truth_check(source, outcome.out, &profile,
		    text("%s -finstrument-functions %s", source, mode->name));
}

START_TEST(instrumented_exact)
{
	static const char *const sources[] = {"chains.c", "last_calls.c"};

	instrumented_in(&modes[1], sources[_i]);
	instrumented_in(mode_found_static, sources[_i]);
}
END_TEST

Suite *entries_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("entries", &tcase);

	tcase_add_loop_test(tcase, options_exact, 0, OPTION_COUNT);
	tcase_add_loop_test(tcase, cpu_options_exact, 0, CPU_OPTION_COUNT);
	tcase_add_loop_test(tcase, nested_exact, 0, NESTED_COUNT);
	tcase_add_loop_test(tcase, registers_kept, 0, CPU_COUNT);
	tcase_add_loop_test(tcase, instrumented_exact, 0, 2);
	tcase_add_test(tcase, overflow_exact);
	return suite;
}
