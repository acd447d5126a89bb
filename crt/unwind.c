/* SPDX-License-Identifier: 0BSD */
/*
 * Exceptions, pthread_exit and pthread_cancel in a static program that has
 * gcrt0.o and no crtbegin.o.  gcc leaves the table by which the unwinder finds
 * its data (PT_GNU_EH_FRAME) out of static programs, and relies on crtbeginT.o
 * to register it; without either the first unwinding aborts.
 */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

/* libgcc's; absent where nothing unwinds. */
__attribute__((weak)) void __register_frame_info(const void *begin,
						 void *object);
/* crtend.o's: if it is here, so is crtbegin.o, which registers. */
extern char __TMC_END__ __attribute__((weak, visibility("hidden")));

extern const char __EH_FRAME_BEGIN__[] __attribute__((visibility("hidden")));
extern const char gcrt_frames_end[] __attribute__((visibility("hidden")));

/* Keeps both sections from --gc-sections, which knows only .eh_frame. */
static const char *volatile const frames[] = {__EH_FRAME_BEGIN__,
					      gcrt_frames_end};

/* How far the image's bytes go behind `address`; 0 if there is a table. */
static uintptr_t readable_end(uintptr_t address)
{
	const ElfW(Phdr) *header = (const void *)getauxval(AT_PHDR);
	uintptr_t bias = 0, end = 0;

	for (size_t i = 0; i < getauxval(AT_PHNUM); i++)
		if (header[i].p_type == PT_PHDR)
			bias = (uintptr_t)header - header[i].p_vaddr;
		else if (header[i].p_type == PT_GNU_EH_FRAME)
			return 0;
	for (size_t i = 0; i < getauxval(AT_PHNUM); i++)
		if (header[i].p_type == PT_LOAD &&
		    address - bias - header[i].p_vaddr < header[i].p_filesz)
			end = bias + header[i].p_vaddr + header[i].p_filesz;
	return end;
}

/* gold puts our zero elsewhere: without an end the unwinder would run off. */
static bool has_end(uintptr_t at)
{
	uintptr_t end = readable_end(at);

	while (at && at + sizeof(uint32_t) <= end) {
		uint32_t size = *(const uint32_t *)at;

		if (!size)
			return true;
		if (size == UINT32_MAX) /* a 64-bit length: none is made */
			return false;
		at += sizeof size + size;
	}
	return false;
}

static void register_frames(void)
{
	static void *object[8]; /* the unwinder's for ever: 6 words today */

	if (__register_frame_info && !&__TMC_END__ &&
	    has_end((uintptr_t)frames[0]))
		__register_frame_info(frames[0], object);
}

__attribute__((section(".preinit_array"), used)) static void (
	*const at_preinit)(void) = register_frames;
