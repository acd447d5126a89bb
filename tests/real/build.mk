# Builds lua, bzip2 and sqlite3 in every way that is compared, after fetch.sh:
#
#   $(REAL)/<mode>/<runtime>/<program>
#
#   mode      pie nopie static; shared (liblua.so and libsqlite3.so, and the
#             module lpeg.so); whole (the same objects in one program)
#   runtime   libc (the C library's own), gcrt (ours); and, for the bench,
#             base (without -pg), nothing (an mcount that is one ret)
#
#   make -f tests/real/build.mk REAL=... GCRT=... WANTED="pie/gcrt/lua ..."

SOURCES = $(REAL)/src
vpath %.c $(SOURCES)/lua/src $(SOURCES)/lpeg $(SOURCES)/bzip2 $(REAL)/amalgamation

# the files of a program, and what they need; lua's steps shall depend on
# neither time (hash seed, pivot of a sort) nor addresses (cache of strings)
lua_FILES := $(filter-out luac.c,$(notdir $(wildcard $(SOURCES)/lua/src/*.c)))
lua_FLAGS = -DLUA_USE_POSIX '-Dluai_makeseed(...)=5489u' \
	'-Dl_randomizePivot()=0u' -DSTRCACHE_N=1 -DSTRCACHE_M=2
lpeg_FILES = lpcap.c lpcode.c lpprint.c lptree.c lpvm.c
lpeg_FLAGS = -I$(SOURCES)/lua/src
bzip2_FILES = blocksort.c huffman.c crctable.c randtable.c compress.c \
	decompress.c bzlib.c bzip2.c
bzip2_FLAGS = -D_FILE_OFFSET_BITS=64
sqlite3_FILES = sqlite3.c shell.c
sqlite3_FLAGS = -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION

# the objects, and which of them a mode and a runtime are made of
plain_FLAGS =
pg_FLAGS = -pg
pgnopie_FLAGS = -pg -fno-pie
pgpic_FLAGS = -pg -fPIC -DLUA_USE_DLOPEN
OBJECTS_OF = $(if $(filter base,$(2)),plain,$(if $(filter nopie,$(1)),pgnopie,pg))
nopie_LINK = -no-pie
static_LINK = -static
libc_LINK = -pg
gcrt_LINK = -pg -B$(GCRT)
gcrt_NEEDS = $(GCRT)/gcrt1.o
nothing_LINK = $(REAL)/nothing.o
nothing_NEEDS = $(REAL)/nothing.o

all: $(addprefix $(REAL)/,$(WANTED))

define COMPILE # objects, program
$(REAL)/obj/$(1)/$(2)/%.o: %.c
	@mkdir -p $$(@D)
	@echo '  CC       $$@'
	@$$(CC) -O2 -w $$($(1)_FLAGS) $$($(2)_FLAGS) -c $$< -o $$@
endef
$(foreach o,plain pg pgnopie,$(foreach p,lua bzip2 sqlite3,\
$(eval $(call COMPILE,$(o),$(p)))))
$(foreach p,lua lpeg sqlite3,$(eval $(call COMPILE,pgpic,$(p))))

define LINK # mode, runtime, program, objects
$(REAL)/$(1)/$(2)/$(3): $(4) $($(2)_NEEDS)
	@mkdir -p $$(@D)
	@echo '  LD       $$@'
	@$$(CC) $(4) $$($(1)_LINK) $$($(2)_LINK) -lm -o $$@
endef
$(foreach m,pie nopie static,$(foreach r,base nothing libc gcrt,\
$(foreach p,lua bzip2 sqlite3,$(eval $(call LINK,$(m),$(r),$(p),\
$($(p)_FILES:%.c=$(REAL)/obj/$(call OBJECTS_OF,$(m),$(r))/$(p)/%.o))))))

# program, its library and modules; -E: the module finds lua's functions
PIC_OF = $(patsubst %.c,$(REAL)/obj/pgpic/$(1)/%.o,$(2))
lua_MAIN = lua.c
sqlite3_MAIN = shell.c
lua_MODULES = lpeg

define WHOLE # program
$(REAL)/shared/gcrt/lib$(1).so: $(call PIC_OF,$(1),$(filter-out \
		$($(1)_MAIN),$($(1)_FILES)))
	@mkdir -p $$(@D)
	@echo '  LD       $$@'
	@$$(CC) -shared $$^ -lm -o $$@
$(REAL)/shared/gcrt/$(1): $(REAL)/shared/gcrt/lib$(1).so \
		$(call PIC_OF,$(1),$($(1)_MAIN)) $(gcrt_NEEDS)
	@echo '  LD       $$@'
	@$$(CC) $(call PIC_OF,$(1),$($(1)_MAIN)) $$(gcrt_LINK) -L$$(@D) -l$(1) \
		-Wl,-rpath,'$$$$ORIGIN' -o $$@
$(REAL)/whole/libc/$(1): $(call PIC_OF,$(1),$($(1)_FILES)) \
		$(foreach m,$($(1)_MODULES),$(call PIC_OF,$(m),$($(m)_FILES)))
	@mkdir -p $$(@D)
	@echo '  LD       $$@'
	@$$(CC) $$^ $$(libc_LINK) -Wl,-E -lm -o $$@
endef
$(foreach p,lua sqlite3,$(eval $(call WHOLE,$(p))))

$(REAL)/shared/gcrt/lpeg.so: $(call PIC_OF,lpeg,$(lpeg_FILES))
	@mkdir -p $(@D)
	@echo '  LD       $@'
	@$(CC) -shared $^ -o $@

# leads to the one in the program
$(REAL)/whole/libc/lpeg.so:
	@mkdir -p $(@D)
	@printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' \
		'int luaopen_lpeg(void *l) { int (*f)(void *) =' \
		'dlsym(RTLD_DEFAULT, "luaopen_lpeg"); return f(l); }' | \
		$(CC) -O2 -shared -fPIC -x c - -o $@

$(REAL)/nothing.o: tests/bench/nothing.S
	@$(CC) -c $< -o $@

# sqlite3's one big file is made from its sources, by its own makefile
$(REAL)/amalgamation/sqlite3.c $(REAL)/amalgamation/shell.c &:
	@mkdir -p $(REAL)/amalgamation
	@echo '  GEN      $@'
	@cd $(REAL)/amalgamation && MAKEFLAGS= $(MAKE) -f ../src/sqlite3/main.mk \
		TOP=../src/sqlite3 BCC='$(CC)' TCC='$(CC)' NAWK=awk \
		sqlite3.c shell.c >log 2>&1 || { tail log >&2; exit 1; }

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all
