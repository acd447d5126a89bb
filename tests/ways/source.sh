#!/bin/sh
# SPDX-License-Identifier: 0BSD
#
#   source.sh PACKAGE DIRECTORY
#
# Unpack a Debian source package to DIRECTORY/PACKAGE, from wherever this
# system has its packages; nothing of the system is changed.
set -eu

package=$1
mkdir -p "$2/apt/lists/partial" "$2/apt/sources"
cd "$2/apt"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
	case $list in
	*.list)
		[ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" ;;
	esac
done >sources/all.list
for list in /etc/apt/sources.list.d/*.sources; do
	[ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" \
		>"sources/${list##*/}"
done
apt()
{
	apt-get -q -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$PWD/sources" \
		-o Dir::State::lists="$PWD/lists" "$@"
}
apt update >&2
cd "$2"
ln -sfn apt/sources sources
ln -sfn apt/lists lists
apt source "$package" >&2
mv "$package"-[0-9]*/ "$package"
