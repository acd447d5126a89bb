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

fill()
{
	sed -e "s/@VERSION@/$version/; s/@ARCH@/$architecture/" \
		-e "s/@MAINTAINER@/$maintainer/; s/@SIZE@/$size/" \
		-e "s/@DEPENDS@/$depends/" "$1"
}

case $stage in
/*) ;;
*) stage=$PWD/$stage ;;
esac
find "$stage" -path '*/gcrt/*/installed' -delete # dpkg has lists of its own
find "$stage" -type f \( -name '*.so.*' -o -name gmon \) \
	-exec strip --strip-unneeded {} +
find "$stage" -name '*.[oa]' -type f \
	-exec strip --strip-debug --enable-deterministic-archives {} +
find "$stage" -name '*.so.*' -type f -exec chmod 644 {} +

# what our library and commands of the machine itself need
mkdir -p "$stage.depends/debian"
printf 'Source: gcrt\n\nPackage: gcrt\nArchitecture: any\n' \
	>"$stage.depends/debian/control"
depends=$(cd "$stage.depends" && find "$stage" -type f \
	! -path '*-musl*' \( -name '*.so.*' -o -name gmon \) -print0 |
	sed -z 's/^/-e/' | xargs -0 dpkg-shlibdeps -O 2>/dev/null |
	sed 's/^shlibs:Depends=//')
[ -n "$depends" ]

find "$stage/usr/share/man" -type f -exec gzip -9n {} +
find "$stage/usr/share/man" -type l | while read -r link; do
	ln -s "$(readlink "$link").gz" "$link.gz"
	rm "$link"
done

doc=$stage/usr/share/doc/gcrt
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
