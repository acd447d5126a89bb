#!/bin/sh
# SPDX-License-Identifier: 0BSD
# make check-all: every CPU and compiler that are here, two at a time; with
# `all`, not `cpus`, all ways in and musl as well.  What is not here is a
# reported skip; what fails is run once more, since a busy machine upsets the
# emulators; its log is shown.  Arguments: cpus or all, the make to call.
#
# clang is told from gcc where it calls mcount in a way of its own.  On s390x it
# tells no caller but with -mfentry, which only the suites' own flags give:
# gcc's programs stand in.
set -u
what=$1
make="$2 --no-print-directory"
export WAYS=all
logs=$(mktemp -d) || exit
trap 'rm -rf "$logs"' EXIT

gcc='control counts entries hostile lifetime names refusal times exports objects'
musl="$gcc thread_counts thread_handlers thread_forks tool_process"
gcc="$gcc thread_counts thread_handlers thread_forks thread_execs"
clang='counts entries names exports objects thread_handlers'

list() { # the longest first
	if [ "$what" = all ]; then
		echo '|gcc|g++|ways builds'
		echo "|musl-gcc|g++|$musl"
	fi
	for prefix in aarch64-linux-gnu- riscv64-linux-gnu- i686-linux-gnu- \
		arm-linux-gnueabihf- powerpc64le-linux-gnu- s390x-linux-gnu-; do
		echo "$prefix|${prefix}gcc|${prefix}g++|$gcc"
	done
	for target in aarch64-linux-gnu riscv64-linux-gnu i686-linux-gnu \
		'arm-linux-gnueabihf -march=armv7-a' powerpc64le-linux-gnu; do
		echo "${target%% *}-|clang --target=$target|clang++ --target=$target|$clang"
	done
}

# Why this one cannot be checked here, or nothing.
obstacle() { # prefix cc
	command -v "${2%% *}" >/dev/null || { echo "there is no ${2%% *}"; return; }
	command -v "$1ld" >/dev/null || { echo "there is no $1ld"; return; }
	echo 'int main(void) { return 0; }' >"$logs/empty.c"
	error=$($2 "$logs/empty.c" -o /dev/null 2>&1) ||
		{ echo "it links no program: $(echo "$error" | head -n 1)"; return; }
	run=$($make -s say-run CROSS_COMPILE="$1" CC="$2") || return
	[ -z "$run" ] || command -v "${run%% *}" >/dev/null ||
		echo "there is no ${run%% *} to run its programs"
}

suites() { # prefix cc cxx suites log
	JOBS=1 $make check CROSS_COMPILE="$1" CC="$2" CXX="$3" SUITES="$4" \
		>"$5" 2>&1
}

check() { # prefix cc cxx suites log
	reason=$(obstacle "$1" "$2")
	if [ -n "$reason" ]; then
		echo "skipped: $2: $reason" >"$5.skipped"
	elif suites "$@" || { echo "$2: failed, once more"; suites "$@"; }; then
		echo "$2: $(tail -n 1 "$5")"
		sed -n "s/^skipped: /skipped: ${1:+$1 }/p" "$5" >"$5.skipped"
	else
		echo "$2: FAILED"
		grep -v '^  [A-Z]' "$5"
		echo "$2" >"$5.failed"
	fi
}

lane() { # of two
	list | awk "NR % 2 == $1" | while IFS='|' read -r prefix cc cxx suites; do
		number=$((${number:-0} + 1))
		check "$prefix" "$cc" "$cxx" "$suites" "$logs/$1.$number" </dev/null
	done
}

lane 0 & lane 1
wait
sort -u "$logs"/*.skipped 2>/dev/null
for failed in "$logs"/*.failed; do
	[ ! -e "$failed" ] || exit 1
done
