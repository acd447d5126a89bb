/* SPDX-License-Identifier: 0BSD */
/* Bins that the program owns. */
#include "profil/bins.h"
#include "gmon/kernel.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>

/*
 * Whether the word that holds the byte can be written, asked of the kernel by
 * a futex operation that ORs it with 0.
 */
static bool is_writable(const char *byte)
{
	static int unused;
	uintptr_t word = (uintptr_t)byte & ~(uintptr_t)3;

	return kernel(SYS_futex, &unused, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0,
		      NULL, word,
		      FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0)) >= 0;
}

bool bins_are_writable(const char *start, size_t size)
{
	size_t page = getauxval(AT_PAGESZ);

	if (!size)
		return true;
	if ((uintptr_t)start + size - 1 < (uintptr_t)start)
		return false; /* it would go round the end of all addresses */
	for (size_t at = 0; at < size; at += page)
		if (!is_writable(start + at))
			return false;
	return is_writable(start + size - 1);
}

/*
 * Another thread may unmap the bin at any moment, so the kernel does the
 * copying, which then fails and nothing else.  Memory that comes back at once
 * is tried again.  Where the kernel will not copy (a filter of system calls,
 * memory that can be written only), it is asked just before.
 */
static bool copy(long call, char *bin, void *value, size_t size)
{
	bool is_read = call == SYS_process_vm_readv;
	struct iovec here = {value, size}, there = {bin, size};

	for (int tries = 0; tries < 2; tries++) {
		if (kernel(call, kernel_getpid(), &here, 1L, &there, 1L, 0L) ==
		    (long)size)
			return true;
		if (!is_writable(bin) || !is_writable(bin + size - 1))
			return false;
	}
	memcpy(is_read ? value : bin, is_read ? bin : value, size);
	return true;
}

static bool add_narrow(char *bin, uint32_t count)
{
	uint16_t value;

	if (!copy(SYS_process_vm_readv, bin, &value, sizeof value))
		return false;
	value = count < (uint32_t)(UINT16_MAX - value)
			? (uint16_t)(value + count)
			: UINT16_MAX;
	return copy(SYS_process_vm_writev, bin, &value, sizeof value);
}

static bool add_wide(char *bin, uint32_t count)
{
	uint32_t value;

	if (!copy(SYS_process_vm_readv, bin, &value, sizeof value))
		return false;
	value = count < UINT32_MAX - value ? value + count : UINT32_MAX;
	return copy(SYS_process_vm_writev, bin, &value, sizeof value);
}

/* The kernel would write the half of a bin that lies across two pages. */
bool bins_add(char *bin, size_t size, uint32_t count)
{
	if ((uintptr_t)bin % size && !is_writable(bin + size - 1))
		return false;
	return size == sizeof(uint16_t) ? add_narrow(bin, count)
					: add_wide(bin, count);
}
