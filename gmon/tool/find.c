/* SPDX-License-Identifier: 0BSD */
/* Files of images and their debug files, as gdb looks for them. */
#include "gmon/tool/find.h"
#include "gmon/tool/memory.h"
#include "gmon/tool/walk.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *id_word(const char *id)
{
	return strcmp(id, "-") ? id : "none";
}

static bool has_id(const struct elf_file *file, const char *wanted,
		   struct problem *problem)
{
	char *id = elf_file_id(file);
	bool good = !strcmp(id, wanted);

	if (!good)
		problem_set(problem, "%s: has build-id %s, but what was "
			    "profiled had %s", file->path, id_word(id),
			    id_word(wanted));
	free(id);
	return good;
}

/* The code of one without a build-id must lie where that profiled lay. */
static bool has_text(const struct elf_file *file, const struct image *image,
		     struct problem *problem)
{
	uint64_t lowpc, highpc;

	if (!elf_file_text(file, &lowpc, &highpc))
		return problem_set(problem, "%s: has no code", file->path);
	return (lowpc == image->lowpc && highpc == image->highpc) ||
	       problem_set(problem, "%s: has its text at %" PRIx64 "-%" PRIx64
			   ", but what was profiled had it at %" PRIx64
			   "-%" PRIx64, file->path, lowpc, highpc,
			   image->lowpc, image->highpc);
}

/* Of a program only a part may have been profiled, as its monstartup said;
   and who names it knows which it is. */
static bool is_image(const struct elf_file *file, const struct image *image,
		     struct problem *problem)
{
	if (strcmp(image->id, "-"))
		return has_id(file, image->id, problem);
	return image->base == 0 || (has_id(file, image->id, problem) &&
				    has_text(file, image, problem));
}

static bool open_image(struct elf_file *file, const char *path,
		       const struct image *image, struct problem *problem)
{
	if (!elf_file_open(file, path, problem))
		return false;
	if (is_image(file, image, problem))
		return true;
	elf_file_close(file);
	return false;
}

/* A path that was relative to wherever the program ran: try its folder. */
static bool open_beside(const struct places *places, const struct image *image,
			struct elf_file *file)
{
	const char *slash =
		places->program ? strrchr(places->program, '/') : NULL;
	struct problem unsaid;
	char path[PATH_MAX];

	return image->path[0] != '/' && slash &&
	       snprintf(path, sizeof path, "%.*s/%s",
			(int)(slash - places->program), places->program,
			image->path) < (int)sizeof path &&
	       open_image(file, path, image, &unsaid);
}

bool find_image(const struct places *places, const struct image *image,
		struct elf_file *file, struct problem *problem)
{
	struct problem unsaid;
	char path[PATH_MAX];

	if (image->base == 0 && places->program)
		return open_image(file, places->program, image, problem);
	if (strstr(image_name(image), "vdso") && strcmp(image->id, "-") &&
	    elf_file_open_vdso(file)) {
		if (has_id(file, image->id, problem))
			return true;
		elf_file_close(file);
		return false;
	}
	if (places->root &&
	    snprintf(path, sizeof path, "%s/%s", places->root, image->path) <
		    (int)sizeof path &&
	    open_image(file, path, image, &unsaid))
		return true;
	return open_image(file, image->path, image, problem) ||
	       open_beside(places, image, file);
}

/* By build-id: XX/YYYY.debug; ids shorter than two bytes have no such file. */
static bool find_by_id(const char *folder, const char *id,
		       struct elf_file *debug)
{
	struct problem unsaid;
	char path[PATH_MAX];

	if (strlen(id) <= 2 ||
	    snprintf(path, sizeof path, "%s/.build-id/%.2s/%s.debug", folder,
		     id, id + 2) >= (int)sizeof path ||
	    !elf_file_open(debug, path, &unsaid))
		return false;
	if (has_id(debug, id, &unsaid))
		return true;
	elf_file_close(debug);
	return false;
}

/* The sum that .gnu_debuglink has of its file: CRC-32, bit by bit. */
static uint32_t sum_of(FILE *file)
{
	uint32_t sum = ~UINT32_C(0), table[256];
	unsigned char bytes[16384];
	size_t size;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^
				   (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	while ((size = fread(bytes, 1, sizeof bytes, file)) > 0)
		for (size_t i = 0; i < size; i++)
			sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
	return ~sum;
}

static bool open_with_sum(struct elf_file *debug, const char *path,
			  uint32_t wanted)
{
	struct problem unsaid;
	FILE *file;
	uint32_t sum;

	if (!elf_file_open(debug, path, &unsaid))
		return false;
	file = fopen(path, "re");
	sum = file ? sum_of(file) : 0;
	if (file)
		fclose(file);
	if (file && sum == wanted)
		return true;
	elf_file_close(debug);
	return false;
}

/* The name in .gnu_debuglink and the sum that stands behind it. */
static const char *link_of(const struct elf_file *file, uint32_t *sum)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file_named(file, ".gnu_debuglink", &header);
	Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;
	const char *name = data ? data->d_buf : NULL;
	size_t size = name ? strnlen(name, data->d_size) : 0;
	size_t at = (size + 4) & ~(size_t)3;

	if (!size || at + 4 > data->d_size || strchr(name, '/'))
		return NULL;
	*sum = get_u32((const unsigned char *)name + at,
		       file->header.e_ident[EI_DATA] == ELFDATA2MSB);
	return name;
}

static bool find_by_link(const char *folder, const struct elf_file *file,
			 struct elf_file *debug)
{
	uint32_t sum = 0;
	const char *name = link_of(file, &sum);
	char *real = realpath(file->path, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	const char *const patterns[] = {"%s%.*s/%s", "%s%.*s/.debug/%s"};
	const char *const before[] = {folder, ""};
	bool found = false;

	for (int i = 0; name && slash && !found && i < 4; i++) {
		char path[PATH_MAX];

		if (snprintf(path, sizeof path, patterns[i & 1], before[i >> 1],
			     (int)(slash - real), real, name) <
			    (int)sizeof path &&
		    strcmp(path, real))
			found = open_with_sum(debug, path, sum);
	}
	free(real);
	return found;
}

/* A folder of the user's own may have all debug files side by side. */
static bool find_by_name(const char *folder, const struct elf_file *file,
			 struct elf_file *debug)
{
	uint32_t sum = 0;
	const char *name = link_of(file, &sum);
	char path[PATH_MAX];

	return name &&
	       snprintf(path, sizeof path, "%s/%s", folder, name) <
		       (int)sizeof path &&
	       open_with_sum(debug, path, sum);
}

bool find_debug(const struct places *places, const struct elf_file *file,
		struct elf_file *debug)
{
	char *id = elf_file_id(file);
	char under_root[PATH_MAX] = DEBUG_FOLDER;
	const char *const folders[] = {places->debug, under_root, DEBUG_FOLDER};
	bool found = false;

	if (places->root)
		snprintf(under_root, sizeof under_root, "%s" DEBUG_FOLDER,
			 places->root);
	for (int i = 0; i < 3 && !found; i++)
		found = folders[i] && find_by_id(folders[i], id, debug);
	found = found ||
		(places->debug && find_by_name(places->debug, file, debug));
	for (int i = 0; i < 3 && !found; i++)
		found = folders[i] && find_by_link(folders[i], file, debug);
	free(id);
	return found;
}
