/* SPDX-License-Identifier: 0BSD */
/* Images: found through their program headers, known by their build-id. */
#include "gmon/images.h"
#include "gmon/kernel.h"
#include "gmon/pages.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <string.h>
#include <sys/auxv.h>

typedef ElfW(Phdr) header;

/*
 * The text of an image: from its first to its last executable segment.  Its
 * begin is that of the segment, not of the ELF header, since gprof shows time
 * before the first symbol in no line, yet counts it in the total.
 */
static bool text_find(struct image *image, const header *headers, size_t count)
{
	image->lowpc = UINTPTR_MAX;
	image->highpc = 0;
	for (size_t i = 0; i < count; i++) {
		uintptr_t end = headers[i].p_vaddr + headers[i].p_memsz;

		if (headers[i].p_type != PT_LOAD ||
		    !(headers[i].p_flags & PF_X))
			continue;
		if (headers[i].p_vaddr < image->lowpc)
			image->lowpc = headers[i].p_vaddr;
		if (end > image->highpc)
			image->highpc = end;
	}
	return image->lowpc < image->highpc;
}

/*
 * PT_PHDR tells where the headers would be without a bias.  Static programs
 * have none; there the ELF header, which lies before them in the first
 * segment, tells whether the program is position-independent.
 */
static uintptr_t bias_find(const header *headers, size_t count)
{
	const ElfW(Ehdr) *file = (const ElfW(Ehdr) *)headers - 1;
	const header *first = NULL;

	for (size_t i = 0; i < count; i++) {
		if (headers[i].p_type == PT_PHDR)
			return (uintptr_t)headers - headers[i].p_vaddr;
		if (headers[i].p_type == PT_LOAD && !first)
			first = &headers[i];
	}
	if (!first || first->p_offset || memcmp(file, ELFMAG, SELFMAG) ||
	    file->e_type != ET_DYN)
		return 0;
	return (uintptr_t)file - first->p_vaddr;
}

/* The build-id is a note of owner "GNU" and type 3 in a PT_NOTE segment. */
static void id_find(struct image *image, const header *note)
{
	const char *at = (const char *)note->p_vaddr + image->bias;
	const char *end = at + note->p_memsz;
	size_t align = note->p_align > 4 ? note->p_align : 4;

	while (at + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *n = (const void *)at;
		const char *name = at + sizeof *n;
		const char *id =
			at + ((sizeof *n + n->n_namesz + align - 1) & -align);

		if (id > end || n->n_descsz > (size_t)(end - id))
			return;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 &&
		    memcmp(name, "GNU", 4) == 0 && n->n_descsz <= IMAGE_ID_MAX) {
			memcpy(image->id, id, n->n_descsz);
			image->id_size = (uint8_t)n->n_descsz;
		}
		at = id + ((n->n_descsz + align - 1) & -align);
	}
}

bool images_main(struct image *image)
{
	const header *headers = (const void *)getauxval(AT_PHDR);
	size_t count = getauxval(AT_PHNUM);

	image->name = image->path = "";
	if (!headers || !text_find(image, headers, count))
		return false;
	image->bias = bias_find(headers, count);
	return true;
}

void images_name_main(struct image *image)
{
	static char path[PATH_MAX];
	const header *headers = (const void *)getauxval(AT_PHDR);
	size_t count = getauxval(AT_PHNUM);
	long size = kernel(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path,
			   sizeof path - 1);

	if (size > 0)
		image->path = path;
	for (size_t i = 0; i < count; i++)
		if (headers[i].p_type == PT_NOTE)
			id_find(image, &headers[i]);
}

/* FNV-1a, 64 bits. */
static uint64_t hash_add(uint64_t hash, const void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) *
		       UINT64_C(0x100000001b3);
	return hash;
}

/* What tells an image from another: its build-id, else its name and size. */
static uint64_t identity_of(const struct image *image)
{
	const char *slash = strrchr(image->name, '/');
	const char *name = slash ? slash + 1 : image->name;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (image->id_size)
		return hash_add(hash, image->id, image->id_size);
	hash = hash_add(hash, name, strlen(name));
	return hash_add(hash, &image->highpc, sizeof image->highpc);
}

/* Whether the image's place in the file touches that of an earlier one. */
static bool place_is_taken(const struct images *images,
			   const struct image *image)
{
	const struct image *other = images->first;

	for (; other && other != image; other = other->next)
		if (!other->is_left_out &&
		    image->lowpc + image->base < other->highpc + other->base &&
		    other->lowpc + other->base < image->highpc + image->base)
			return true;
	return false;
}

/* As far as build-id, if there is one, and text range can tell. */
static bool is_same_file(const struct image *one, const struct image *other)
{
	return one->id_size == other->id_size &&
	       memcmp(one->id, other->id, one->id_size) == 0 &&
	       one->lowpc == other->lowpc && one->highpc == other->highpc;
}

/*
 * An earlier library with the same build-id under another name: a copy of the
 * file, which programs make to load it twice, or anew.
 */
static struct image *original_of(const struct images *images,
				 const struct image *image)
{
	struct image *other = images->first->next;

	while (other && (other->original || !image->id_size ||
			 !is_same_file(other, image)))
		other = other->next;
	return other;
}

#if UINTPTR_MAX > UINT32_MAX
/*
 * 2^46 is beyond every program; 40 bits of the identity, in units of the
 * writer's 16 KiB chunks, keep the chance that two of 1000 libraries touch
 * below 1 in 10^4.
 */
static void place(const struct images *images, struct image *image)
{
	uint64_t hash = identity_of(image) & ((UINT64_C(1) << 40) - 1);

	image->base = (UINT64_C(1) << 46) + (hash << 14);
	image->is_left_out = place_is_taken(images, image);
}
#else
/* No room for hashes: one behind the other, in the order of discovery. */
static void place(const struct images *images, struct image *image)
{
	uintptr_t end = 0x40000000;
	const struct image *other = images->first;

	(void)identity_of;
	for (; other && other != image; other = other->next)
		if (other->base && other->highpc + other->base > end)
			end = other->highpc + other->base;
	image->base = (end + 0x3fff) & ~(uintptr_t)0x3fff;
	image->is_left_out = place_is_taken(images, image);
}
#endif

/*
 * Is this image, described anew, one that we know and that is still there?
 * The program is known by its place: C libraries have different names for it.
 */
static struct image *known(const struct images *images,
			   const struct image *found)
{
	struct image *image = images->first;

	while (image && (image->is_gone || image->bias != found->bias ||
			 image->highpc != found->highpc ||
			 (image != images->first &&
			  strcmp(image->name, found->name) != 0)))
		image = image->next;
	return image;
}

/* An unloaded image that is the very same as the one found, at any address. */
static struct image *known_before(const struct images *images,
				  const struct image *found)
{
	struct image *image = images->first;

	while (image && !(image->is_gone && is_same_file(image, found) &&
			  strcmp(image->name, found->name) == 0))
		image = image->next;
	return image;
}

/* "DIRECTORY/name" of a relative name; the vDSO's name is no path. */
static void path_put(char *path, const char *directory, const char *name)
{
	if (name[0] != '/' && strchr(name, '/') && directory) {
		strcpy(path, directory);
		path += strlen(path);
		if (path[-1] != '/')
			*path++ = '/';
		while (name[0] == '.' && name[1] == '/')
			name += 2;
	}
	strcpy(path, name);
}

static struct image *append(struct images *images, const struct image *found)
{
	size_t name_size = strlen(found->name) + 1;
	size_t directory_size =
		images->directory ? strlen(images->directory) + 1 : 0;
	struct image *image = pages_map(
		sizeof *image + 2 * name_size + directory_size, PAGES_KEPT);
	struct image **end = &images->first;
	char *name = (char *)(image + 1);

	if (!image)
		return NULL;
	*image = *found;
	image->name = strcpy(name, found->name);
	image->path = name + name_size;
	path_put(name + name_size, images->directory, found->name);
	while (*end)
		end = &(*end)->next;
	image->original = original_of(images, image);
	if (image->original) {
		image->base = image->original->base;
		image->is_left_out = image->original->is_left_out;
	} else {
		place(images, image);
	}
	__atomic_store_n(end, image, __ATOMIC_RELEASE);
	return image;
}

/* Besides the program, musl has one without a name: what glibc calls so. */
#define VDSO_NAME "linux-vdso.so.1"

/* False if it has no text. */
static bool describe(struct image *found, const header *headers, size_t count,
		     uintptr_t bias, const char *name)
{
	*found = (struct image){.bias = bias,
				.name = name && *name ? name : VDSO_NAME};
	return text_find(found, headers, count);
}

static bool take_notice(struct images *images, const header *headers,
			size_t count, uintptr_t bias, const char *name)
{
	struct image found;
	struct image *image;

	if (!describe(&found, headers, count, bias, name) ||
	    known(images, &found))
		return true;
	for (size_t i = 0; i < count; i++)
		if (headers[i].p_type == PT_NOTE)
			id_find(&found, &headers[i]);
	image = known_before(images, &found);
	if (!image)
		return append(images, &found) != NULL;
	image->bias = bias;
	image->is_gone = false;
	return true;
}

struct refresh {
	struct images *images;
	void (*gone)(void *context, const struct image *image);
	void *context;
	bool complete;
};

/* Whoever has this place in memory is not there any more. */
static void contest(const struct images *images, const struct image *found)
{
	uintptr_t low = found->lowpc + found->bias;
	uintptr_t high = found->highpc + found->bias;
	struct image *image = images->first;

	for (; image; image = image->next)
		image->is_contested |= !image->is_gone &&
				       image->lowpc + image->bias < high &&
				       low < image->highpc + image->bias;
}

static int see_image(struct dl_phdr_info *info, size_t size, void *context)
{
	struct images *images = context;
	struct image found, *image;

	if (size >= offsetof(struct dl_phdr_info, dlpi_subs) +
			    sizeof info->dlpi_subs)
		images->unloads = info->dlpi_subs;
	if (!describe(&found, info->dlpi_phdr, info->dlpi_phnum,
		      info->dlpi_addr, info->dlpi_name))
		return 0;
	image = known(images, &found);
	if (image)
		image->is_seen = true;
	else
		contest(images, &found);
	return 0;
}

static int add_image(struct dl_phdr_info *info, size_t size, void *context)
{
	struct refresh *refresh = context;

	(void)size;
	if (!take_notice(refresh->images, info->dlpi_phdr, info->dlpi_phnum,
			 info->dlpi_addr, info->dlpi_name))
		refresh->complete = false;
	return 0;
}

/*
 * With the loader's lock, since it is called from within one walk.  First out,
 * then in: a library that is back at another place is still the same one.
 */
static int refresh_locked(struct dl_phdr_info *info, size_t size, void *context)
{
	struct refresh *refresh = context;
	struct image *first = refresh->images->first, *image;

	(void)info, (void)size;
	for (image = first; image; image = image->next)
		image->is_seen = image->is_contested = false;
	dl_iterate_phdr(see_image, refresh->images);
	for (image = first; image; image = image->next)
		if (!image->is_seen && !image->is_gone && image != first) {
			if (refresh->gone)
				refresh->gone(refresh->context, image);
			image->is_gone = true;
		}
	dl_iterate_phdr(add_image, refresh);
	return 1;
}

bool images_refresh(struct images *images,
		    void (*gone)(void *context, const struct image *image),
		    void *context)
{
	struct refresh refresh = {images, gone, context, true};

	dl_iterate_phdr(refresh_locked, &refresh);
	return refresh.complete;
}

/* The loader's list for debuggers, through the program's DT_DEBUG. */
static const struct r_debug *loader_list(const struct image *program)
{
	const header *headers = (const void *)getauxval(AT_PHDR);
	size_t count = getauxval(AT_PHNUM);
	const ElfW(Dyn) *dynamic = NULL;

	for (size_t i = 0; i < count; i++)
		if (headers[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(headers[i].p_vaddr +
						 program->bias);
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == DT_DEBUG)
			return (const void *)dynamic->d_un.d_ptr;
	return NULL;
}

void images_refresh_unlocked(struct images *images)
{
	const struct r_debug *list = loader_list(images->first);
	const struct link_map *map;

	if (!list || list->r_state != RT_CONSISTENT)
		return;
	for (map = list->r_map; map; map = map->l_next) {
		const ElfW(Ehdr) *file = (const void *)map->l_addr;

		/* the program itself; a prelinked library, without a header */
		if (!map->l_addr || map == list->r_map ||
		    memcmp(file, ELFMAG, SELFMAG) != 0)
			continue;
		take_notice(images,
			    (const void *)(map->l_addr + file->e_phoff),
			    file->e_phnum, map->l_addr, map->l_name);
	}
}

struct image *images_at(const struct images *images, uintptr_t bias)
{
	struct image *image = images->first->next;

	while (image && (image->is_gone || image->bias != bias))
		image = image->next;
	return image;
}

struct image *images_find(const struct images *images, uintptr_t pc)
{
	struct image *image = images->first;

	while (image && (image->is_gone || !image_holds(image, pc)))
		image = image->next;
	return image;
}
