#!/usr/bin/env bash
# Runs the Dockerfile's steps without Docker: in a fresh Debian 12 root made by debootstrap. Needs root; minutes.
#
#   tests/docker-steps.sh [--from TARBALL] [COMMAND]
#
# COMMAND runs last, in the root (default: make BACKEND=sim lab3). With --from the files are those of an archive that
# `make dist` has made, its Dockerfile included, instead of this folder's.
#
# The steps are read from the Dockerfile (FROM debian:12, WORKDIR, COPY . ., RUN), so that the two cannot drift apart.
# Packages come from where this machine's own apt gets them. Exit 0 passed, 1 failed, 2 cannot run here.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tarball=
if [ "${1:-}" = --from ]; then
    [ -r "${2:-}" ] || {
        echo "docker-steps: --from needs an archive, as make dist makes it: '${2:-}' cannot be read" >&2
        exit 2
    }
    tarball=$2
    shift 2
fi
command=${1:-make BACKEND=sim lab3}

skip() {
    echo "SKIP: $*"
    exit 2
}
[ "$(id -u)" = 0 ] || skip "debootstrap needs root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed (./setup.sh --dev)"
command -v apt-get >/dev/null || skip "no apt here to take the mirror from"
unshare --mount true 2>/dev/null || skip "no mount namespaces here"

# The suite's site, as apt is configured here; a Debian of another release serves bookworm at the same site.
# shellcheck disable=SC2016 # apt expands it
site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v -- security | head -n 1)
[ -n "$site" ] || skip "apt has no package source here"

root=$(mktemp -d "${TMPDIR:-/tmp}/umlab-debian.XXXXXX")
chmod 755 "$root"
trap 'rm -rf --one-file-system "$root"' EXIT
echo "docker-steps: debootstrap of Debian 12 into $root"
debootstrap --variant=minbase bookworm "$root" "$site" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    exit 1
}
rm -f "$root.log"

# What lets this machine reach its package sources belongs to the machine, not to the image.
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
    if grep -qsE 'Acquire' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/machine-ca.crt"
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/"
environment=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 PIP_CERT=/etc/machine-ca.crt)
for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY PIP_INDEX_URL; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done

inside() { # runs a shell command line in the root, with its own mounts, in the Dockerfile's folder
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --pid --fork env -i "${environment[@]}" bash -euc '
        mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp"
        exec chroot "$0" /bin/sh -c "cd $1 && $2"' "$root" "$workdir" "$1"
}

dockerfile() {
    if [ -n "$tarball" ]; then
        tar -xzOf "$tarball" --wildcards --no-wildcards-match-slash '*/Dockerfile'
    else
        cat Dockerfile
    fi
}

workdir=/
while read -r step rest; do
    case $step in
    "" | "#"* | CMD) continue ;;
    FROM) [ "$rest" = debian:12 ] || skip "written for FROM debian:12, not $rest" ;;
    WORKDIR) workdir=$rest && mkdir -p "$root$workdir" ;;
    COPY)
        [ "$rest" = ". ." ] || { echo "docker-steps: cannot do COPY $rest" >&2; exit 1; }
        if [ -n "$tarball" ]; then
            tar -xzf "$tarball" --strip-components=1 -C "$root$workdir"
        else
            mapfile -t left_out < <(sed 's,^,--exclude=./,' .dockerignore)
            tar -cf - "${left_out[@]}" . | tar -xf - -C "$root$workdir"
        fi
        ;;
    RUN)
        echo "docker-steps: RUN $rest"
        inside "$rest"
        ;;
    *)
        echo "docker-steps: cannot do $step" >&2
        exit 1
        ;;
    esac
done < <(dockerfile)
echo "docker-steps: $command"
inside "$command"
echo "docker-steps: passed"
