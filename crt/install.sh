#!/bin/sh
# SPDX-License-Identifier: 0BSD
#
#   install.sh place DESTDIR ENTRY...     install.sh remove DESTDIR ENTRY...
#
# ENTRY is MODE:FILE:TARGET, where mode `link` makes a symbolic link.  Every
# file is written beside its target and renamed: a compiler or a program that
# runs meanwhile sees the old one or the new one.
set -eu

verb=$1 destdir=$2
shift 2
for entry; do
	mode=${entry%%:*} target=$destdir${entry##*:}
	file=${entry#*:} file=${file%:*}
	case $verb:$mode in
	remove:*)
		rm -f "$target"
		continue ;;
	place:link)
		mkdir -p "${target%/*}"
		ln -sf "$file" "$target.new" ;;
	place:*)
		mkdir -p "${target%/*}"
		cp "$file" "$target.new"
		chmod "$mode" "$target.new" ;;
	esac
	mv -f "$target.new" "$target"
done
