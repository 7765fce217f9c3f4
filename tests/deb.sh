#!/usr/bin/env bash
# The Debian package of `make deb` in a bare Debian 12: it installs, compiles and runs a program, and goes. Needs root;
# minutes.
#
#   tests/deb.sh PACKAGE
#
# Exit 0 passed, 1 failed, 2 cannot run here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -r "${1:-}" ] || {
    echo "tests/deb.sh: it needs a package, as make deb makes it: '${1:-}' cannot be read" >&2
    exit 2
}
# shellcheck source=tests/debian-root.sh
source tests/debian-root.sh
make_root deb
mkdir "$root/student"
cp "$1" "$root/umlab.deb"
cp tests/deb/*.cu "$root/student/"

step() {
    echo "deb: $1"
    inside /student "$1"
}
step "apt-get -qq update && apt-get -qq -y install /umlab.deb >/dev/null 2>/tmp/log || { cat /tmp/log; exit 1; }"
step "umcc -o v vector_add.cu && ./v"
step "cd / && umcc -o /student/f /student/fault.cu"
inside /student "./f; test \$? = 139" 2>"$root.log" || {
    echo "deb: a host that follows a device pointer was not ended by SIGSEGV" >&2
    exit 1
}
grep -q "host code read device memory" "$root.log" || { cat "$root.log" >&2; exit 1; }
rm -f "$root.log"
step "umcc --version"
step "apt-get -qq -y remove umlab >/dev/null 2>&1 && ! test -e /usr/lib/umlab && ! test -e /usr/bin/umcc"
echo "deb: passed"
