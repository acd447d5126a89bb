/* SPDX-License-Identifier: 0BSD */
/* Which ELF symbols are functions, and what to call code that has none. */
#include "gmon/tool/elfsymbols.h"
#include "gmon/tool/functions.h"
#include "gmon/tool/starts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Whether a section has code; of special ones we cannot tell. */
static bool has_code(const struct elf_file *file, unsigned section)
{
	GElf_Shdr header;

	if (section == SHN_UNDEF || section == SHN_ABS)
		return false;
	if (section >= SHN_LORESERVE)
		return true;
	return gelf_getshdr(elf_getscn(file->elf, section), &header) &&
	       header.sh_flags & SHF_EXECINSTR;
}

/* As gprof prefers them; negative: not a function. */
static int rank_of(const GElf_Sym *symbol, const char *name)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	int rank = RANK_LABEL;

	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		rank += RANK_FUNCTION;
	else if (type != STT_NOTYPE || name[0] == '$' ||
		 strncmp(name, ".L", 2) == 0)
		return -1;
	if (name[0] != '_')
		rank += RANK_PLAIN;
	if (GELF_ST_BIND(symbol->st_info) != STB_LOCAL)
		rank += RANK_GLOBAL;
	return rank;
}

static void add_symbol(struct functions *functions, const struct elf_file *file,
		       const GElf_Sym *symbol, const char *name)
{
	struct function function = {symbol->st_value, symbol->st_size, name, 0};

	if (!name || !*name || !has_code(file, symbol->st_shndx))
		return;
	function.rank = rank_of(symbol, name);
	if (function.rank < 0)
		return;
	if (file->header.e_machine == EM_ARM && function.rank & RANK_FUNCTION)
		function.address &= ~UINT64_C(1); /* Thumb */
	functions_add(functions, &function);
}

/* Add the functions of a symbol table; false if there is none with any. */
static bool add_table(struct functions *functions, const struct elf_file *file,
		      unsigned type)
{
	size_t before = functions->count;
	GElf_Shdr header;
	Elf_Scn *section = elf_file_section(file, type, &header);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	size_t count = data && header.sh_entsize
		? header.sh_size / header.sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; i < count; i++)
		if (gelf_getsym(data, (int)i, &symbol))
			add_symbol(functions, file, &symbol,
				   elf_strptr(file->elf, header.sh_link,
					      symbol.st_name));
	return functions->count > before;
}

static void add_sections(struct functions *functions,
			 const struct elf_file *file)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names))
		return;
	while ((section = elf_nextscn(file->elf, section))) {
		struct function function = {.rank = RANK_SECTION};
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header) ||
		    !(header.sh_flags & SHF_EXECINSTR))
			continue;
		function.address = header.sh_addr;
		function.name = elf_strptr(file->elf, names, header.sh_name);
		if (function.name)
			functions_add(functions, &function);
	}
}

/* What a stripped file still tells: where unwinding data begins a function,
   and how long its exported ones are. */
static void add_nameless(struct functions *functions,
			 const struct elf_file *file)
{
	uint64_t *starts;
	size_t count = starts_read(file, &starts);

	functions_sort(functions);
	functions_add_gaps(functions);
	for (size_t i = 0; i < count; i++)
		functions_add(functions,
			      &(struct function){.address = starts[i]});
	free(starts);
}

static void name(struct symbols *symbols, const struct image *image,
		 const struct function *function)
{
	bool global = function->rank >= RANK_GLOBAL;
	char text[1024];

	if (function->rank == RANK_NAMELESS)
		snprintf(text, sizeof text, "%s+0x%" PRIx64, image_name(image),
			 function->address);
	else if (function->rank == RANK_SECTION)
		snprintf(text, sizeof text, "%s!%s", image_name(image),
			 function->name);
	else /* without a version, as in memcpy@@GLIBC_2.14 */
		snprintf(text, sizeof text, "%.*s",
			 (int)strcspn(function->name + 1, "@") + 1,
			 function->name);
	symbols_add(symbols, image, function->address, text, global);
}

void elf_symbols_read(struct symbols *symbols, const struct image *image,
		      const struct elf_file *file, const struct places *places)
{
	struct functions functions = {.lowpc = image->lowpc,
				      .highpc = image->highpc};
	struct elf_file debug = {.fd = -1};

	if (!add_table(&functions, file, SHT_SYMTAB) &&
	    !(find_debug(places, file, &debug) &&
	      add_table(&functions, &debug, SHT_SYMTAB))) {
		add_table(&functions, file, SHT_DYNSYM);
		add_nameless(&functions, file);
	}
	add_sections(&functions, file);
	functions_add(&functions, &(struct function){.address = image->lowpc});
	functions_sort(&functions);
	for (size_t i = 0; i < functions.count; i++)
		name(symbols, image, &functions.function[i]);
	free(functions.function);
	elf_file_close(&debug);
}
