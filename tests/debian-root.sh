#!/usr/bin/env bash
# Sourced: a bare Debian 12 root made by debootstrap, in which commands run. Needs root; a minute.
#
#   make_root NAME            makes it, and removes it at the end; exit 2 with a reason where it cannot be made here
#   inside FOLDER COMMAND     runs a shell command line in a folder of the root, with mounts of its own
#   $root                     where it is
#
# Packages come from where this machine's own apt gets them.

skip() {
    echo "SKIP: $*"
    exit 2
}
make_root() {
    who=$1
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
    echo "$who: debootstrap of Debian 12 into $root"
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
}

inside() {
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --pid --fork env -i "${environment[@]}" bash -euc '
        mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp"
        exec chroot "$0" /bin/sh -c "cd $1 && $2"' "$root" "$1" "$2"
}
