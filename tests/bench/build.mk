# Builds the programs of the bench, each in several variants:
#
#   $(BENCH)/<variant>/<program>
#
#   base nothing libc gcrt   without -pg; with -pg and an mcount that is one
#                            ret, the C library's runtime, ours
#   fentry-...               with -mfentry
#   shared-...               the functions that call lie in a shared library
#   lib-nothing lib-gcrt     mcount lies in one: do-nothing, libgmon.so
#
#   make -f tests/bench/build.mk BENCH=... GCRT=... CC=...

HERE = tests/bench
BASIC = base nothing libc gcrt
FENTRY = fentry-nothing fentry-libc fentry-gcrt
SHARED = $(addprefix shared-,$(BASIC))
LIB = lib-nothing $(if $(wildcard $(GCRT)/libgmon.so),lib-gcrt)

time_FILES = time calls tree
arcs_FILES = arcs many
threads_FILES = threads calls tree
idle_FILES = idle
sample_FILES = sample
accuracy_FILES = accuracy

# functions shall lie alike in all variants, so sections begin with a line
FLAGS = -O2 -Wall -Wextra -fno-optimize-sibling-calls -fno-ipa-icf \
	-falign-functions=64
many_FLAGS = -falign-functions=16
base_FLAGS =
pg_FLAGS = -pg
fentry_FLAGS = -pg -mfentry
picbase_FLAGS = -fPIC
picpg_FLAGS = -fPIC -pg

# runtimes: what is linked
libc_LINK = -pg
gcrt_LINK = -pg -B$(GCRT)
nothing_LINK = $(BENCH)/nothing.o
lib-nothing_LINK = $(BENCH)/libnothing.so -Wl,-rpath,$(BENCH)
lib-gcrt_LINK = $(GCRT)/libgmon.so -Wl,-rpath,$(GCRT)
NEEDS = $(BENCH)/nothing.o $(BENCH)/libnothing.so $(GCRT)/gcrt1.o
ifneq ($(filter lib-gcrt,$(LIB)),)
NEEDS += $(GCRT)/libgmon.so
endif

all: $(foreach v,$(BASIC) $(FENTRY) $(SHARED) $(LIB),$(BENCH)/$(v)/time) \
	$(foreach p,arcs threads idle,$(BASIC:%=$(BENCH)/%/$(p))) \
	$(BENCH)/libc/sample $(BENCH)/gcrt/sample \
	$(BENCH)/gcrt/accuracy $(BENCH)/run

define COMPILE # objects
$(BENCH)/obj/$(1)/%.o: $(HERE)/%.c $(wildcard $(HERE)/*.h)
	@mkdir -p $$(@D)
	@$$(CC) $$(FLAGS) $$($$*_FLAGS) $$($(1)_FLAGS) -c $$< -o $$@
$(BENCH)/obj/$(1)/%.o: $(BENCH)/%.c $(wildcard $(HERE)/*.h)
	@mkdir -p $$(@D)
	@$$(CC) $$(FLAGS) $$($$*_FLAGS) $$($(1)_FLAGS) -I$(HERE) -c $$< -o $$@
endef
$(foreach o,base pg fentry picbase picpg,$(eval $(call COMPILE,$(o))))

define LINK # variant, runtime, objects, program, more files
$(BENCH)/$(1)/$(4): $(patsubst %,$(BENCH)/obj/$(3)/%.o,$($(4)_FILES)) \
		$(5) $(NEEDS)
	@mkdir -p $$(@D)
	@echo '  LD       $$@'
	@$$(CC) $(patsubst %,$(BENCH)/obj/$(3)/%.o,$($(4)_FILES)) $(5) \
		$($(2)_LINK) -o $$@
endef
OBJECTS_OF = $(if $(filter %base,$(1)),base,pg)
$(foreach v,$(BASIC),$(foreach p,time threads sample accuracy,\
$(eval $(call LINK,$(v),$(v),$(call OBJECTS_OF,$(v)),$(p),))))
$(foreach v,$(BASIC),\
$(eval $(call LINK,$(v),$(v),$(call OBJECTS_OF,$(v)),arcs,$(BENCH)/text40.o))\
$(eval $(call LINK,$(v),$(v),$(call OBJECTS_OF,$(v)),idle,$(BENCH)/text100.o)))
$(foreach v,$(FENTRY),\
$(eval $(call LINK,$(v),$(v:fentry-%=%),fentry,time,)))
$(foreach v,$(LIB),$(eval $(call LINK,$(v),$(v),pg,time,)))

define LINK_SHARED # runtime, objects
$(BENCH)/shared-$(1)/libcalls.so: $(BENCH)/obj/pic$(2)/calls.o \
		$(BENCH)/obj/pic$(2)/tree.o
	@mkdir -p $$(@D)
	@$$(CC) -shared $$^ -o $$@
$(BENCH)/shared-$(1)/time: $(BENCH)/obj/$(2)/time.o \
		$(BENCH)/shared-$(1)/libcalls.so $(NEEDS)
	@echo '  LD       $$@'
	@$$(CC) $(BENCH)/obj/$(2)/time.o $(BENCH)/shared-$(1)/libcalls.so \
		-Wl,-rpath,$(BENCH)/shared-$(1) $($(1)_LINK) -o $$@
endef
$(foreach v,$(BASIC),$(eval $(call LINK_SHARED,$(v),$(call OBJECTS_OF,$(v)))))

$(BENCH)/run: $(BENCH)/obj/base/run.o
	@$(CC) $< -o $@
$(BENCH)/tree.c: $(HERE)/generate.py
	@mkdir -p $(@D)
	@python3 -B $< tree >$@
$(BENCH)/many.c: $(HERE)/generate.py
	@mkdir -p $(@D)
	@python3 -B $< arcs >$@
$(BENCH)/nothing.o: $(HERE)/nothing.S
	@mkdir -p $(@D)
	@$(CC) -c $< -o $@
$(BENCH)/libnothing.so: $(BENCH)/nothing.o
	@$(CC) -shared $< -o $@
$(BENCH)/text%.o: $(HERE)/text.S
	@mkdir -p $(@D)
	@$(CC) -DTEXT_SIZE=$*000000 -c $< -o $@

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
.PHONY: all
