/* SPDX-License-Identifier: 0BSD */
/* Names of functions: where they are found, and what is said where not. */
#include "tests/harness.h"
#include "tests/suites.h"
#include "tests/tool/maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the library lies in the file. */
#define BASE UINT64_C(0x10000000)

static const char program_source[] =
	"void api(void); static void hot(void) { __asm__(\"nop\"); } "
	"int main(void) { hot(); api(); return 0; }";
static const char library_source[] =
	"static void hot(void) { __asm__(\"nop; nop; nop; nop\"); } "
	"static void cold(void) { __asm__(\"nop; nop; nop; nop\"); } "
	"void api(void) { hot(); cold(); }";

/* A program, a library, and a profile of both; all in one folder. */
struct job {
	char *folder;
	uint64_t hot, api; /* link-time, in the library */
};

static uint64_t address_of(const char *folder, const char *file,
			   const char *name)
{
	char *line = command_output(folder, "nm '%s' | grep ' %s$'", file,
				    name);

	return strtoull(line, NULL, 16);
}

static char *id_of(const char *folder, const char *file)
{
	char *id = command_output(
		folder, "readelf -n '%s' | sed -n 's/.*Build ID: //p'", file);

	id[strcspn(id, "\n")] = '\0';
	return id;
}

static void put_source(const char *folder, const char *name, const char *source)
{
	command_output(folder, "printf '%%s' '%s' >'%s'", source, name);
}

/* Main calls the library's function; its static one has five ticks. */
static void make_profile(const struct job *job, const char *id)
{
	uint64_t low = job->api & ~UINT64_C(0xfff);
	uint64_t main_address = address_of(job->folder, "program", "main");
	struct maker maker = {.width = sizeof(void *)};

	make_header(&maker);
	make_table(&maker, text("image %s %" PRIx64 " %" PRIx64 " %" PRIx64
				" %s/libl.so\n", id, BASE, low, low + 0x1000,
				job->folder));
	make_histogram(&maker, BASE + low, BASE + low + 0x1000, 0x800, 100);
	for (uint64_t bin = 0; bin < 0x800; bin++)
		make_number(&maker, bin == (job->hot - low + 4) / 2 ? 5 : 0, 2);
	make_arc(&maker, main_address + 1, BASE + job->api, 3);
	make_arc(&maker, BASE + job->api + 1, BASE + job->hot, 7);
	make_file(&maker, text("%s/gmon.out", job->folder));
}

static struct job make_job(void)
{
	struct job job = {.folder = directory_make()};
	const char *flags = "-O0 -fno-inline -Wl,--build-id=sha1";

	put_source(job.folder, "program.c", program_source);
	put_source(job.folder, "library.c", library_source);
	command_output(job.folder, "cc %s -shared -fPIC library.c -o libl.so",
		       flags);
	command_output(job.folder, "cc %s program.c -o program -L. -ll "
		       "-Wl,-rpath,.", flags);
	job.hot = address_of(job.folder, "libl.so", "hot");
	job.api = address_of(job.folder, "libl.so", "api");
	make_profile(&job, id_of(job.folder, "libl.so"));
	return job;
}

static struct outcome gmon(const struct job *job, const char *words)
{
	return command(job->folder, "'%s/gmon' %s", setting("BUILD"), words);
}

/* What report prints, without a word on stderr. */
static char *report(const struct job *job, const char *words)
{
	struct outcome outcome = gmon(job, text("report -b %s", words));

	ck_assert_msg(outcome_exit(&outcome) == 0 && !*outcome.err, "%s%s",
		      outcome.out, outcome.err);
	return outcome.out;
}

static void has(const char *printed, const char *part)
{
	ck_assert_msg(strstr(printed, part) != NULL, "no \"%s\" in\n%s", part,
		      printed);
}

/* One graph over both; names of both images are told apart. */
START_TEST(graph_crosses_images)
{
	struct job job = make_job();
	char *printed = report(&job, "program");

	has(printed, "100.00      0.05     0.05        7     7.14     7.14  "
		     "hot@libl.so");
	has(printed, "       3/3           main [");
	has(printed, "       7/7           api [");
	printed = report(&job, "-w program");
	has(printed, "       7/7           api@libl.so [");
	printed = report(&job, "-p -i libl program");
	has(printed, "hot@libl.so");
	ck_assert_ptr_null(strstr(report(&job, "-q -i program program"),
				  "hot@libl.so"));
}
END_TEST

/* The last function of an image ends where the image does. */
START_TEST(images_have_ends)
{
	struct job job = make_job();
	struct outcome outcome = gmon(&job, "symbols program gmon.out");
	uint64_t low = job.api & ~UINT64_C(0xfff);
	char *last = "";

	ck_assert_int_eq(outcome_exit(&outcome), 0);
	has(outcome.out, "<end:program>\n");
	has(outcome.out, text("%0*" PRIx64 " T api\n",
			      2 * (int)sizeof(void *), BASE + job.api));
	has(outcome.out, text("%0*" PRIx64 " T <end:libl.so>\n",
			      2 * (int)sizeof(void *), BASE + low + 0x1000));
	for (char *line = strtok(outcome.out, "\n"); line;
	     line = strtok(NULL, "\n")) {
		ck_assert_int_lt(strcmp(last, line), 0);
		last = line;
	}
}
END_TEST

/* Ways to lose symbols, and where they are found then. */
static const struct {
	const char *commands;
	const char *options;
	const char *hot; /* how the function is called */
} losses[] = {
	{"true", "", "hot@libl.so"},
	{"strip libl.so", "", "libl.so+0x%" PRIx64},
	{"objcopy --only-keep-debug libl.so libl.debug && strip libl.so && "
	 "objcopy --add-gnu-debuglink=libl.debug libl.so",
	 "", "hot@libl.so"},
	{"objcopy --only-keep-debug libl.so libl.debug && strip libl.so && "
	 "objcopy --add-gnu-debuglink=libl.debug libl.so && mkdir .debug && "
	 "mv libl.debug .debug",
	 "", "hot@libl.so"},
	{"objcopy --only-keep-debug libl.so libl.debug && strip libl.so && "
	 "objcopy --add-gnu-debuglink=libl.debug libl.so && "
	 "echo >>libl.debug",
	 "", "libl.so+0x%" PRIx64},
	{"mkdir dbg && objcopy --only-keep-debug libl.so dbg/libl.dbg && "
	 "strip libl.so && objcopy --add-gnu-debuglink=dbg/libl.dbg libl.so",
	 "-d dbg", "hot@libl.so"},
	{"id=$(readelf -n libl.so | sed -n 's/.*Build ID: //p') && "
	 "rest=${id#??} && d=dbg/.build-id/${id%$rest} && mkdir -p $d && "
	 "objcopy --only-keep-debug libl.so $d/$rest.debug && strip libl.so",
	 "-d dbg", "hot@libl.so"},
	{"mkdir -p root/$PWD && mv libl.so root/$PWD", "-r root",
	 "hot@libl.so"},
	{"strip -R .gnu_debuglink -R .eh_frame_hdr libl.so", "",
	 "libl.so+0x%" PRIx64},
};

START_TEST(symbols_are_found)
{
	struct job job = make_job();
	char *name;

	command_output(job.folder, "%s", losses[_i].commands);
	name = text("%s", losses[_i].hot);
	if (strchr(name, '%'))
		name = text("libl.so+0x%" PRIx64, job.hot);
	/* hot lies before api, so without unwinding data nobody knows where
	   between the section's begin and api it begins */
	if (strstr(losses[_i].commands, "eh_frame_hdr"))
		name = "libl.so!.";
	has(report(&job, text("-p %s program", losses[_i].options)), name);
}
END_TEST

/* Wrong or no libraries are one function; a wrong program is refused. */
START_TEST(other_versions_are_not_believed)
{
	struct job job = make_job();
	struct outcome outcome;
	struct maker maker = {.width = sizeof(void *)};

	command_output(job.folder, "cc -O2 -shared -fPIC library.c -o other && "
				   "mv other libl.so");
	outcome = gmon(&job, "report -b -p program");
	ck_assert_int_eq(outcome_exit(&outcome), 0);
	has(outcome.out, "100.00      0.05     0.05        3    16.67    16.67"
			 "  libl.so");
	has(outcome.err, "libl.so: has build-id ");
	ck_assert_int_eq(text_count(outcome.err, "\n"), 1);

	command_output(job.folder, "rm libl.so");
	outcome = gmon(&job, "report -b -p program");
	ck_assert_int_eq(outcome_exit(&outcome), 0);
	has(outcome.err, "libl.so: No such file or directory; it is shown as");

	make_header(&maker);
	make_table(&maker, "image 1234 0 1000 2000 /x/program\n");
	make_file(&maker, text("%s/other", job.folder));
	outcome = gmon(&job, "report program other");
	ck_assert_int_eq(outcome_exit(&outcome), 1);
	has(outcome.err, "but other is of a program with 1234");
}
END_TEST

/* Without a build-id a library is known by where its text is. */
START_TEST(replaced_libraries_are_not_believed)
{
	static const char *const builds[] = {
		"true",
		"printf \"void more(void) { __asm__(\\\".skip 64\\\"); }\" "
		">>library.c; cc -O0 -shared -fPIC -Wl,--build-id=none "
		"library.c -o libl.so",
		"cc -O0 -fno-inline -shared -fPIC -Wl,--build-id=sha1 "
		"library.c -o libl.so"};
	static const char *const notes[] = {"", "has its text at ",
					    "had none; it is shown as one"};
	struct job job = make_job();
	struct maker maker = {.width = sizeof(void *)};
	struct outcome outcome;
	unsigned long long low, size;

	command_output(job.folder, "cc -O0 -fno-inline -shared -fPIC "
		       "-Wl,--build-id=none library.c -o libl.so");
	ck_assert_int_eq(sscanf(command_output(job.folder, "readelf -lW libl.so "
					       "| awk '/LOAD.* E / "
					       "{ print $3, $6 }'"),
				"%llx %llx", &low, &size), 2);
	make_header(&maker);
	make_table(&maker, text("image - %" PRIx64 " %llx %llx %s/libl.so\n",
				BASE, low, low + size, job.folder));
	make_file(&maker, text("%s/gmon.out", job.folder));
	command_output(job.folder, "%s", builds[_i]);
	outcome = gmon(&job, "symbols program");
	ck_assert_int_eq(outcome_exit(&outcome), 0);
	ck_assert_int_eq(!!strstr(outcome.out, " api\n"), _i == 0);
	has(outcome.err, notes[_i]);
	ck_assert_int_eq(text_count(outcome.err, "\n"), _i != 0);
}
END_TEST

/* The program that the file names, from any folder. */
START_TEST(program_is_found)
{
	struct job job = make_job();
	struct maker maker = {.width = sizeof(void *)};
	struct outcome outcome;

	outcome = gmon(&job, "report -b -p gmon.out");
	ck_assert_int_eq(outcome_exit(&outcome), 1);
	has(outcome.err, "gmon: gmon.out: does not say which program");
	make_header(&maker);
	make_table(&maker, text("image %s 0 1000 2000 %s/program\n",
				id_of(job.folder, "program"), job.folder));
	make_histogram(&maker, 0x1000, 0x1004, 2, 100);
	make_bytes(&maker, "\0\0\0\0", 4);
	make_file(&maker, text("%s/gmon.out", job.folder));
	outcome = command("/", "'%s/gmon' report '%s/gmon.out'",
			  setting("BUILD"), job.folder);
	ck_assert_msg(outcome_exit(&outcome) == 0, "%s", outcome.err);
}
END_TEST

/* Change bytes; most of what matters is in the headers at both ends. */
static void spoil(char *bytes, size_t size, uint32_t seed)
{
	for (int i = 0; i < 40; i++) {
		size_t place;

		seed = seed * 1664525 + 1013904223;
		place = (seed >> 8) % (i % 2 ? 400 : size);
		if (i % 4 == 3)
			place = size - 1 - place % 2000;
		bytes[place] = (char)(seed >> 3);
	}
	memcpy(bytes, "\177ELF", 4);
}

/* Hostile ELF files cost their names, and nothing else. */
START_TEST(broken_libraries_are_survived)
{
	struct job job = make_job();
	char *path = text("%s/libl.so", job.folder);
	struct maker maker = {.width = sizeof(void *)};
	size_t size;
	int read = 0;
	char *bytes = file_read(path, &size), *copy = malloc(size);

	for (uint32_t seed = 0; seed < 50; seed++) {
		struct outcome outcome;

		memcpy(copy, bytes, size);
		spoil(copy, size, seed);
		make_bytes(&maker, copy, size);
		make_file(&maker, path);
		outcome = gmon(&job, "symbols program");
		ck_assert_msg(outcome_exit(&outcome) == 0, "%u: %d: %s", seed,
			      outcome.status, outcome.err);
		has(outcome.out, "<end:libl.so>");
		read += !*outcome.err;
	}
	ck_assert_int_gt(read, 0);
}
END_TEST

Suite *tool_symbols_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("tool_symbols", &tcase);

	tcase_add_test(tcase, graph_crosses_images);
	tcase_add_test(tcase, images_have_ends);
	tcase_add_loop_test(tcase, symbols_are_found, 0,
			    sizeof losses / sizeof *losses);
	tcase_add_test(tcase, other_versions_are_not_believed);
	tcase_add_loop_test(tcase, replaced_libraries_are_not_believed, 0, 3);
	tcase_add_test(tcase, program_is_found);
	tcase_add_test(tcase, broken_libraries_are_survived);
	return suite;
}
