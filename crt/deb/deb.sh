#!/bin/sh
# SPDX-License-Identifier: 0BSD
#
#   deb.sh STAGE PACKAGE VERSION ARCHITECTURE MAINTAINER
#
# Make a Debian package of what `make install PREFIX=/usr DESTDIR=STAGE` has
# put there, with what Debian's policy wants: small, stripped, described.
set -eu

stage=$1 package=$2 version=$3 architecture=$4 maintainer=$5
here=${0%/*}
doc=$stage/usr/share/doc/gcrt

fill()
{
	sed -e "s/@VERSION@/$version/; s/@ARCH@/$architecture/" \
		-e "s/@MAINTAINER@/$maintainer/; s/@SIZE@/$size/" \
		-e "s/@LIBC@/$libc/; s/@READER@/$reader/" "$1"
}

find "$stage" -name '*.so.*' -type f -exec strip --strip-unneeded {} +
reader=
if [ -e "$stage/usr/bin/gmon" ]; then
	strip "$stage/usr/bin/gmon"
	reader=', libelf1'
fi
find "$stage" -name '*.[oa]' -type f \
	-exec strip --strip-debug --enable-deterministic-archives {} +
find "$stage" -name '*.so.*' -type f -exec chmod 644 {} +

# the newest symbol of glibc that the library needs
libc=$(find "$stage" -path '*-gnu*' -name '*.so.*' -type f \
	-exec objdump -T {} + | grep -o 'GLIBC_[0-9.]*' |
	sed 's/GLIBC_//' | sort -V | tail -n 1)

find "$stage/usr/share/man" -type f -exec gzip -9n {} +
find "$stage/usr/share/man" -type l | while read -r link; do
	ln -s "$(readlink "$link").gz" "$link.gz"
	rm "$link"
done

size=$(du -sk "$stage" | cut -f1)
mkdir -p "$doc" "$stage/DEBIAN" "$stage/usr/share/lintian/overrides"
cp "$here/overrides" "$stage/usr/share/lintian/overrides/gcrt"
cp "$here/copyright" "$doc/copyright"
fill "$here/changelog" | gzip -9n >"$doc/changelog.gz"
fill "$here/control" >"$stage/DEBIAN/control"
echo 'activate-noawait ldconfig' >"$stage/DEBIAN/triggers"
(cd "$stage" && find usr -type f | LC_ALL=C sort | xargs md5sum) \
	>"$stage/DEBIAN/md5sums"
for library in "$stage"/usr/lib/*/libgmon.so.1; do
	echo "libgmon 1 gcrt (>= ${version%%-*})"
	break
done >"$stage/DEBIAN/shlibs"
find "$stage" -type d -exec chmod 755 {} +
chmod 644 "$doc"/* "$stage"/usr/share/lintian/overrides/* \
	"$stage"/DEBIAN/*
dpkg-deb --root-owner-group --build "$stage" "$package" >/dev/null
