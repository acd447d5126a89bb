#!/bin/sh
# SPDX-License-Identifier: 0BSD
#
# fetch.sh DIR: the Debian source packages of lua5.4, lpeg (a module of lua's),
# bzip2 and sqlite3 as DIR/src/{lua,lpeg,bzip2,sqlite3}.  Nothing outside DIR is
# changed and no rights are needed: a private copy of the machine's own package
# lists asks the same mirrors, under the same keys, for sources.
set -eu

fail()
{
	echo "$0: $*" >&2
	exit 1
}

need()
{
	command -v "$1" >/dev/null || fail "$1 is missing: apt-get install $2"
}

# deb lines become deb-src lines, of both kinds of list
lists_of_sources()
{
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n 's/^ *deb\(-src\)\{0,1\} /deb-src /p' |
		sort -u >"$apt/sources.list"
	for list in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' \
			"$list" >"$apt/sources.list.d/${list##*/}"
	done
}

private_apt()
{
	apt-get -q -y -o Dir::Etc::SourceList="$apt/sources.list" \
		-o Dir::Etc::SourceParts="$apt/sources.list.d" \
		-o Dir::State::Lists="$apt/lists" \
		-o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root \
		"$@" >>"$apt/log" 2>&1
}

need python3 python3
need tclsh tcl
mkdir -p "$1"
cd "$1"
[ ! -f src/complete ] || [ ! -d src/lpeg ] || exit 0

need apt-get apt
need dpkg-source dpkg-dev

apt=$(pwd)/apt
rm -rf src apt
mkdir -p src apt/sources.list.d apt/lists/partial apt/cache/archives/partial
lists_of_sources
# a mirror that has no sources fails here; what counts is what comes next
private_apt update || :
cd src
private_apt source lua5.4 lua-lpeg bzip2 sqlite3 || {
	tail -n 5 "$apt/log" >&2
	fail "no source packages: /etc/apt has to name a mirror of Debian" \
		"that carries them and can be reached (log: $apt/log)"
}
mv lua5.4-*/ lua
mv lua-lpeg-*/ lpeg
mv bzip2-*/ bzip2
mv sqlite3-*/ sqlite3
# which Debian's rules would make: where lua looks for modules
echo '#define DEB_HOST_MULTIARCH "."' >lua/src/lua5.4-deb-multiarch.h
touch complete
