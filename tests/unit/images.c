/* SPDX-License-Identifier: 0BSD */
/* Images: this process's own, and libraries that come and go. */
#include "gmon/images.h"
#include "tests/harness.h"
#include "tests/suites.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

extern const char __executable_start[], etext[];

static struct image program;
static struct images images;

static void begin(void)
{
	ck_assert(images_main(&program));
	images.first = &program;
}

static void a_function(void)
{
}

static uintptr_t here(void)
{
	return (uintptr_t)a_function;
}

/* The text holds our functions, not our data, and not the ELF header. */
START_TEST(main_program)
{
	static int data;

	begin();
	ck_assert(image_holds(&program, here()));
	ck_assert(image_holds(&program, (uintptr_t)etext - 1));
	ck_assert(!image_holds(&program, (uintptr_t)&data));
	ck_assert(!image_holds(&program, (uintptr_t)__executable_start));
	ck_assert(!image_holds(&program, (uintptr_t)&begin + ((uintptr_t)1 << 46)));
	ck_assert(!image_holds(&program, 0));
	ck_assert(!image_holds(&program, UINTPTR_MAX));
	ck_assert_uint_eq(program.bias % 4096, 0);
	ck_assert_uint_eq(program.base, 0);
	ck_assert_str_eq(program.path, "");
}
END_TEST

START_TEST(text_range)
{
	struct image image = {.lowpc = 0x1000, .highpc = 0x2000,
			      .bias = 0x10000};

	ck_assert(!image_holds(&image, 0x10fff));
	ck_assert(image_holds(&image, 0x11000));
	ck_assert(image_holds(&image, 0x11fff));
	ck_assert(!image_holds(&image, 0x12000));
	ck_assert(!image_holds(&image, 0x1800));
	ck_assert(!image_holds(&image, (uintptr_t)-1));
}
END_TEST

static int count(void)
{
	int number = 0;

	for (struct image *i = images.first; i; i = i->next)
		number += !i->is_gone;
	return number;
}

/* The loader's own answer for an address. */
static const char *path_of(uintptr_t pc)
{
	Dl_info info;

	ck_assert(dladdr((void *)pc, &info));
	return info.dli_fname;
}

/* Every image is found once, however often one asks. */
START_TEST(libraries)
{
	uintptr_t pc = (uintptr_t)dlsym(RTLD_DEFAULT, "qsort");
	const struct image *image;
	int number;

	begin();
	ck_assert(images_refresh(&images, NULL, NULL));
	number = count();
	ck_assert(images_refresh(&images, NULL, NULL));
	images_refresh_unlocked(&images);
	ck_assert_int_eq(count(), number);
	ck_assert_ptr_eq(images_find(&images, here()), &program);
	image = images_find(&images, pc);
	ck_assert_ptr_nonnull(image);
	ck_assert_str_eq(image->path, path_of(pc));
	ck_assert_uint_ge(image->base, (uintptr_t)1 << 46);
	ck_assert_uint_eq(image->base % 16384, 0);
	ck_assert_ptr_null(images_find(&images, 0));
	ck_assert_ptr_null(images_find(&images, (uintptr_t)&images));
}
END_TEST

/* In a signal handler the same images are found as outside. */
START_TEST(unlocked_finds_the_same)
{
	static struct images others;
	static struct image again;

	begin();
	ck_assert(images_main(&again));
	others.first = &again;
	images_refresh_unlocked(&others);
	images_refresh(&images, NULL, NULL);
	for (struct image *i = images.first->next; i; i = i->next) {
		struct image *other =
			images_find(&others, i->lowpc + i->bias);

		ck_assert_msg(other, "%s was not found", i->path);
		ck_assert_uint_eq(other->base, i->base);
		ck_assert_uint_eq(other->highpc, i->highpc);
		ck_assert_int_eq(other->id_size, i->id_size);
		ck_assert_int_eq(memcmp(other->id, i->id, i->id_size), 0);
	}
}
END_TEST

static int gone_count;

static void on_gone(void *context, const struct image *image)
{
	ck_assert_str_eq(context, image->path);
	ck_assert(!image->is_gone);
	gone_count++;
}

static char *make_library(const char *name)
{
	char *directory = directory_make();

	command_output(directory,
		       "echo 'int %s(void) { return 1; }' > l.c && "
		       "cc -shared -fPIC -Wl,--build-id=sha1 -o %s.so l.c",
		       name, name);
	return text("%s/%s.so", directory, name);
}

/*
 * Unloaded and loaded again, elsewhere perhaps: it is the same image with the
 * same place in the file.
 */
START_TEST(come_and_go)
{
	char *path = make_library("guest");
	struct image *image;
	uintptr_t base, pc;
	void *library;

	begin();
	images_refresh(&images, NULL, NULL);
	for (int round = 1; round <= 3; round++) {
		library = dlopen(path, RTLD_NOW);
		ck_assert_ptr_nonnull(library);
		pc = (uintptr_t)dlsym(library, "guest");
		images_refresh(&images, on_gone, path);
		image = images_find(&images, pc);
		ck_assert_ptr_nonnull(image);
		ck_assert_str_eq(image->path, path);
		ck_assert_int_eq(image->id_size, 20);
		if (round > 1)
			ck_assert_uint_eq(image->base, base);
		base = image->base;
		ck_assert_int_eq(dlclose(library), 0);
		ck_assert_int_eq(gone_count, round - 1);
		images_refresh(&images, on_gone, path);
		ck_assert_int_eq(gone_count, round);
		ck_assert_ptr_null(images_find(&images, pc));
	}
}
END_TEST

/* Loaded by a relative name, seen from the root. */
START_TEST(from_the_root)
{
	char *path = make_library("rooted");
	void *library;

	ck_assert_int_eq(chdir("/"), 0);
	library = dlopen(path + 1, RTLD_NOW);
	ck_assert_ptr_nonnull(library);
	begin();
	images.directory = "/";
	images_refresh(&images, NULL, NULL);
	ck_assert_str_eq(images_find(&images, (uintptr_t)dlsym(library,
							       "rooted"))
				 ->path, path);
}
END_TEST

/* Places in the file depend on what a library is, and do not touch. */
START_TEST(places_in_the_file)
{
	void *first = dlopen(make_library("first"), RTLD_NOW);
	void *second = dlopen(make_library("second"), RTLD_NOW);

	ck_assert(first && second);
	begin();
	images_refresh(&images, NULL, NULL);
	for (struct image *i = images.first; i; i = i->next)
		for (struct image *k = i->next; k; k = k->next)
			ck_assert(i->highpc + i->base <= k->lowpc + k->base ||
				  k->highpc + k->base <= i->lowpc + i->base);
}
END_TEST

Suite *unit_images_suite(void)
{
	TCase *tcase;
	Suite *suite = suite_make("unit_images", &tcase);

	tcase_add_test(tcase, main_program);
	tcase_add_test(tcase, text_range);
	tcase_add_test(tcase, libraries);
	tcase_add_test(tcase, unlocked_finds_the_same);
	tcase_add_test(tcase, come_and_go);
	tcase_add_test(tcase, from_the_root);
	tcase_add_test(tcase, places_in_the_file);
	return suite;
}
