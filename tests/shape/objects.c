/* SPDX-License-Identifier: 0BSD */
/*
 * The machine code: without vector registers, in .text alone, with the notes
 * that keep the user's hardening on, and with unwind data that are true at
 * every single instruction.
 */
#include "tests/program.h"
#include "tests/suites.h"

#include <stdlib.h>
#include <string.h>

static const char *const products[] = {
	"gmon.o", "gcrt0.o", "gcrt1.o", "grcrt0.o", "grcrt1.o", "libgmon.so",
};

enum { PRODUCT_COUNT = sizeof products / sizeof *products };

static bool is_built(const char *product)
{
	if (file_exists(text("%s/%s", setting("BUILD"), product)))
		return true;
	skip("%s: not built, the C library has no start object for it",
	     product);
	return false;
}

/* What objdump calls the registers in which arguments may still be. */
static const struct {
	const char *arch, *registers;
} vectors[] = {
	{"x86_64", "%[xyz]mm[0-9]\\|%st\\|%mm[0-7]\\|%k[0-7]"},
	{"i386", "%[xyz]mm[0-9]\\|%st\\|%mm[0-7]\\|%k[0-7]"},
	{"aarch64", "\\<[vqdshbz][0-9][0-9]*\\([],.}]\\|$\\)"},
	/* the stubs save the arguments among them */
	{"armhf", "\tv\\(ldr\\|str\\|mov\\|ld[1-4]\\|st[1-4]\\)"},
	{"s390x", "l[gd][dg]r\\|%v[0-9]"},
};

START_TEST(no_vector_register)
{
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		if (strcmp(vectors[i].arch, setting("ARCH")) != 0)
			continue;
		if (!is_built(products[_i]))
			return;
		ck_assert_str_eq(
			command_output(setting("BUILD"),
				       "%s -d --no-show-raw-insn %s | "
				       "grep '%s' | head -5",
				       setting("OBJDUMP"), products[_i],
				       vectors[i].registers),
			"");
		return;
	}
	skip("vector registers: not known how %s names them", setting("ARCH"));
}
END_TEST

/* The C library's use vector registers, too, and may not be relocated yet. */
START_TEST(no_borrowed_memory_functions)
{
	ck_assert_str_eq(command_output(setting("BUILD"),
					"%s -u %s | grep ' \\(mem\\|str\\)' | "
					"cat",
					setting("NM"), products[_i]),
			 "");
}
END_TEST

START_TEST(code_is_in_text)
{
	if (!is_built(products[_i]))
		return;
	/* the linker's own, and those of musl's start object */
	ck_assert_str_eq(
		command_output(setting("BUILD"),
			       "%s -hw %s | grep CODE | awk '{ print $2 }' | "
			       "grep -vx '.init\\|.fini\\|.plt.*\\|"
			       ".text.__x86.get_pc_thunk.*\\|"
			       ".text._start_c\\|.text.__dls2' | "
			       "tr '\\n' ' '",
			       setting("OBJDUMP"), products[_i]),
		".text ");
}
END_TEST

START_TEST(stack_is_not_executable)
{
	char *line;

	if (!is_built(products[_i]))
		return;
	if (strstr(products[_i], ".so"))
		line = command_output(setting("BUILD"),
				      "%s -lW %s | grep GNU_STACK | tr -d ' '",
				      setting("READELF"), products[_i]);
	else /* no flag at all: neither A nor W nor X */
		line = command_output(setting("BUILD"),
				      "%s -SW %s | grep -c "
				      "'note.GNU-stack *PROGBITS *"
				      "[0-9a-f]* [0-9a-f]* 000000 00 *0'",
				      setting("READELF"), products[_i]);
	ck_assert_msg(strstr(line, "RW0x") || strcmp(line, "1\n") == 0,
		      "%s: %s", products[_i], line);
}
END_TEST

/* Linking us must not make a program's stack executable either. */
START_TEST(stack_of_program)
{
	const struct mode *mode = &modes[_i];

	if (!mode_is_there(mode))
		return;
	ck_assert_str_eq(
		command_output("/",
			       "%s -lW %s | grep GNU_STACK | awk '{ print $7 "
			       "}'",
			       setting("READELF"),
			       program_build(mode, "tiny.c", "-O1")),
		"RW\n");
}
END_TEST

/* Each object of ours must say so, or no program that has us is protected. */
START_TEST(branch_protection_is_noted)
{
	const char *arch = setting("ARCH"), *note;
	char *objects;

	note = strcmp(arch, "aarch64") == 0 ? "BTI, PAC"
	       : strcmp(arch, "x86_64") == 0 || strcmp(arch, "i386") == 0
		       ? "IBT, SHSTK"
		       : NULL;
	if (!note) {
		skip("property notes: %s has none", arch);
		return;
	}
	objects = command_output(
		setting("BUILD"),
		"find obj gmon.o alone.o -name '*.o' | sort | "
		"while read o; do %s -n $o | grep -q '%s' || "
		"echo $o; done",
		setting("READELF"), note);
	ck_assert_str_eq(objects, "");
	ck_assert_str_ne(command_output(setting("BUILD"),
					"find obj -name '*.o' | head -1"),
			 "");
}
END_TEST

/* The address of a function in a program. */
static unsigned long address_of(const char *program, const char *function)
{
	return strtoul(command_output("/",
				      "%s %s | awk '$3 == \"%s\" "
				      "{ print $1 }'",
				      setting("NM"), program, function),
		       NULL, 16);
}

/*
 * Everything that most calls need is fetched with one line of the cache; and
 * the return is not its last byte, which costs as well.
 */
static void in_one_line(const char *program, const char *function)
{
	unsigned long start = address_of(program, function);
	char *line;

	ck_assert_msg(start != 0 && start % 64 == 0, "%s: %s begins at %#lx",
		      program, function, start);
	line = command_output("/",
			      "%s -d --no-show-raw-insn --start-address=%#lx "
			      "--stop-address=%#lx %s",
			      setting("OBJDUMP"), start, start + 63, program);
	ck_assert_msg(strstr(line, "\tret") != NULL,
		      "%s: the fast path of %s does not end in its line\n%s",
		      program, function, line);
}

START_TEST(fast_path_is_one_line)
{
	const struct mode *mode = &modes[_i];
	char *program;

	if (strcmp(setting("ARCH"), "x86_64") != 0) {
		skip("fast path in one line: a promise for x86-64 only");
		return;
	}
	if (!mode_is_there(mode))
		return;
	program = program_build(mode, "tiny.c", "-O1");
	in_one_line(program, "mcount");
	in_one_line(program, "__fentry__");
}
END_TEST

/*
 * The program looks by itself, at each instruction.  (In a static program the
 * unwinder sees what crtbeginT.o sees: nothing of what stands before it on the
 * line, crt1.o and what is joined with it.  gcrt0.o shows all.)
 */
START_TEST(unwinds_at_each_instruction)
{
	static const struct mode *const *const both[] = {&mode_alone,
							 &mode_alone_static};
	const char *flags[] = {"-O1 -fexceptions", "-O1 -fexceptions -mfentry"};
	struct outcome outcome;

	if (strcmp(setting("ARCH"), "x86_64") != 0 || *setting("RUN")) {
		skip("unwinding at each instruction: needs x86-64 itself");
		return;
	}
	if (!mode_is_there(*both[_i / 2]) ||
	    !program_is_there("steps_x86_64.c"))
		return;
	outcome = program_run_well(
		program_build(*both[_i / 2], "steps_x86_64.c", flags[_i % 2]),
		"");
	ck_assert_msg(strstr(outcome.out, " steps, all unwound\n") != NULL,
		      "%s%s", outcome.out, outcome.err);
}
END_TEST

Suite *objects_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("objects", &tcase);

	tcase_add_loop_test(tcase, no_vector_register, 0, PRODUCT_COUNT);
	tcase_add_loop_test(tcase, no_borrowed_memory_functions, 0, 1);
	tcase_add_loop_test(tcase, code_is_in_text, 0, PRODUCT_COUNT);
	tcase_add_loop_test(tcase, stack_is_not_executable, 0, PRODUCT_COUNT);
	tcase_add_loop_test(tcase, stack_of_program, 0, mode_count);
	tcase_add_test(tcase, branch_protection_is_noted);
	tcase_add_loop_test(tcase, fast_path_is_one_line, 0, mode_count);
	tcase_add_loop_test(tcase, unwinds_at_each_instruction, 0, 4);
	return suite;
}
