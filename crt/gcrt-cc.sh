#!/bin/sh
# SPDX-License-Identifier: 0BSD
#
# gcrt-cc, gcrt-c++: the compiler, and on a line that links for profiling
# gcrt's start objects.  Everything else passes as it came.  gcrt-cc(1).

root=${GCRT_ROOT:-@ROOT@}

complain()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# `make CC="gcrt-cc -pg"` exports CC: that is not the compiler to call
is_self()
{
	case " $1 " in
	*gcrt-cc\ * | *gcrt-c++\ *) return 0 ;;
	esac
	return 1
}

case ${0##*/} in
*++) compiler=${GCRT_CXX:-$CXX} fallback=c++ ;;
*) compiler=${GCRT_CC:-$CC} fallback=cc ;;
esac
if [ -z "$compiler" ] || is_self "$compiler"; then
	compiler=$fallback
fi

# what the line asks for
links=yes input= profile= instrument= kind= own_start= target= before=
for word in $compiler :: "$@"; do
	case $before in
	-o) before= && continue ;;
	-target) target="$target -target $word" before= && continue ;;
	esac
	before=
	case $word in
	-c | -S | -E | -M | -MM | -fsyntax-only | -shared | -r) links= ;;
	-pg | -p) profile=yes ;;
	-no-pg) profile= ;;
	-finstrument-functions | -finstrument-functions-after-inlining)
		instrument=yes ;;
	-fno-instrument-functions) instrument= ;;
	-static | -static-pie) kind=$word ;;
	-nostartfiles | -nostdlib) own_start=yes ;;
	-o | -target) before=$word ;;
	-m32 | -m64 | -mx32 | --target=*) target="$target $word" ;;
	::) input= ;; # the compiler's own name was none
	-?*) ;;
	*) input=yes ;;
	esac
done

if [ -z "$links" ] || [ -z "$input" ] || [ -z "$profile$instrument" ]; then
	exec $compiler "$@"
fi

# for which machine and C library
triplet=$($compiler $target -print-target-triple 2>/dev/null)
if [ -n "$triplet" ]; then
	family=clang
else
	family=gcc
	triplet=$($compiler $target -print-multiarch 2>/dev/null)
	[ -n "$triplet" ] || triplet=$($compiler $target -dumpmachine)
fi
triplet=$(echo "$triplet" |
	sed 's/-\(pc\|unknown\)-/-/; s/^i[4-6]86-/i386-/')
case " $compiler " in
*musl-gcc\ *)
	# it takes musl's start object by an absolute path: ours comes behind
	family=musl
	triplet=$(echo "$triplet" | sed 's/-gnu/-musl/') ;;
esac
directory=$root/$triplet
[ -d "$directory" ] || complain "gcrt is not installed for $triplet:" \
	"there is no $directory"

case $family:$kind in
musl:*) exec $compiler "$@" -L"$directory" -l:libgmon.a ;;
esac
if [ -n "$own_start" ]; then
	exec $compiler -B"$directory/" "$@"
fi
case $kind in
-static-pie) start=grcrt0.o header= ;;
-static) start=gcrt0.o header=-Wl,--eh-frame-hdr ;;
*) start=gcrt0.o header= ;;
esac
# clang takes the start object of another kind for -static-pie; and no
# compiler takes one of ours without -pg
if [ "$family$kind" = clang-static-pie ] || [ -z "$profile" ]; then
	[ -f "$directory/$start" ] || complain "there is no $directory/$start"
	exec $compiler $header -nostartfiles "$directory/$start" "$@"
fi
exec $compiler $header -B"$directory/" "$@"
