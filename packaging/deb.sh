#!/usr/bin/env bash
# A Debian package of the last commit: build/umlab_VERSION-1_ARCH.deb, and what lintian says of it.
#
#   packaging/deb.sh ARCHIVE OUT     ARCHIVE: as make dist makes it; OUT: a folder for the package
#
# Debian's own tools build it (dpkg-buildpackage, debhelper), in a folder that is removed. Exit 1: the build failed, or
# lintian found an error or a warning; 2: a tool or the archive is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ $# != 2 ] || [ ! -r "${1:-}" ] || [ ! -d "${2:-}" ]; then
    echo "usage: packaging/deb.sh ARCHIVE OUT (make deb)" >&2
    exit 2
fi
for tool in dpkg-buildpackage dh help2man lintian; do
    command -v $tool >/dev/null || {
        echo "make deb: $tool is not installed (apt-get install dpkg-dev debhelper help2man lintian)" >&2
        exit 2
    }
done
archive=$(realpath "$1") out=$(realpath "$2")
tar -tzf "$archive" --wildcards 'umlab-*/VERSION' >/dev/null 2>&1 || {
    echo "make deb: $1 is no archive as make dist makes it" >&2
    exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
tar -xzf "$archive"
cd umlab-*
version=$(cat VERSION)
cp "$archive" "../umlab_$version.orig.tar.gz"
cp -r "$here/debian" .
printf 'umlab (%s-1) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
    "$(sed -n 's/^Maintainer: //p' debian/control)" "$(date -R -d "@$(stat -c %Y VERSION)")" >debian/changelog
part() { # one of LICENSE's, as a field of a copyright file
    awk -v "number=$1" 'BEGIN { RS = "\n-----+\n" } NR == number' LICENSE | sed '/./,$!d; s/^$/./; s/^/ /'
}
cat >debian/copyright <<EOF
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: umlab

Files: *
Copyright: 2026 the umlab authors
License: Expat
$(part 1)

Files: sim/curand/joe_kuo.bin
Copyright: 2008 Frances Y. Kuo and Stephen Joe
License: BSD-3-clause
$(part 2)

Files: sim/cufft/kiss.cpp
Copyright: 2026 the umlab authors
           2003-2010 Mark Borgerding (kissfft.hh, which is compiled into libcufft.so)
License: Expat and BSD-3-clause
$(part 3)
EOF
dpkg-buildpackage --no-sign --build=binary >"$out/deb.log" 2>&1 || {
    tail -n 20 "$out/deb.log" >&2
    echo "make deb: the build failed, and $out/deb.log says why" >&2
    exit 1
}
cp ../umlab_*.deb "$out/"
lintian --fail-on error,warning --tag-display-limit 0 --allow-root "$out/umlab_$version-1_"*.deb
ls "$out/umlab_$version-1_"*.deb
