#!/bin/sh
# SPDX-License-Identifier: 0BSD
#
#   install.sh place DESTDIR LIST ENTRY...     install.sh remove DESTDIR ROOT
#
# ENTRY is MODE:FILE:TARGET, where mode `link` makes a symbolic link.  Every
# file is written beside its target and renamed: a compiler or a program that
# runs meanwhile sees the old one or the new one.  LIST is a file that names
# all targets placed there so far, and with a slash at their end the folders
# made for them; `remove` removes those of all LISTs in folders of ROOT, which
# each C library and CPU has one of.
set -eu

verb=$1 destdir=$2 place=$3
shift 3

place_one()
{
	mode=${1%%:*} target=$destdir${1##*:}
	file=${1#*:} file=${file%:*}
	mkdir -p "${target%/*}"
	if [ "$mode" = link ]; then
		ln -sf "$file" "$target.new"
	else
		cp "$file" "$target.new"
		chmod "$mode" "$target.new"
	fi
	mv -f "$target.new" "$target"
}

# The folders of a target that are not there yet.
new_folders()
{
	folder=${1%/*}
	while [ -n "$folder" ] && [ ! -d "$destdir$folder" ]; do
		echo "$folder/"
		folder=${folder%/*}
	done
}

case $verb in
place)
	# first, so that what is cut off halfway can be removed
	list=$destdir$place
	placed=$(
		[ ! -f "$list" ] || cat "$list"
		new_folders "$place"
		for entry; do
			echo "${entry##*:}"
			new_folders "${entry##*:}"
		done
	)
	mkdir -p "${list%/*}"
	echo "$placed" | LC_ALL=C sort -u >"$list.new"
	mv -f "$list.new" "$list"
	for entry; do
		place_one "$entry"
	done ;;
remove)
	[ -d "$destdir$place" ] || exit 0
	folders=$(cat "$destdir$place"/*/installed 2>/dev/null |
		grep '/$' | LC_ALL=C sort -ru) || :
	for list in "$destdir$place"/*/installed; do
		[ -f "$list" ] || continue
		grep -v '/$' "$list" | while read -r target; do
			rm -f "$destdir$target"
		done
		rm -f "$list"
		rmdir --ignore-fail-on-non-empty "${list%/*}"
	done
	# the deepest first; what others have put there stays
	for folder in $folders; do
		[ ! -d "$destdir$folder" ] ||
			rmdir --ignore-fail-on-non-empty "$destdir$folder"
	done
	[ ! -d "$destdir$place" ] ||
		rmdir --ignore-fail-on-non-empty "$destdir$place" ;;
esac
