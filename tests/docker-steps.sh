#!/usr/bin/env bash
# Runs the Dockerfile's steps without Docker: in a fresh Debian 12 root made by debootstrap. Needs root; minutes.
#
#   tests/docker-steps.sh [--from TARBALL] [COMMAND]
#
# COMMAND runs last, in the root (default: make BACKEND=sim lab3). With --from the files are those of an archive that
# `make dist` has made, its Dockerfile included, instead of this folder's.
#
# The steps are read from the Dockerfile (FROM debian:12, WORKDIR, COPY . ., RUN), so that the two cannot drift apart.
# Exit 0 passed, 1 failed, 2 cannot run here.
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

# shellcheck source=tests/debian-root.sh
source tests/debian-root.sh
make_root docker-steps

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
        inside "$workdir" "$rest"
        ;;
    *)
        echo "docker-steps: cannot do $step" >&2
        exit 1
        ;;
    esac
done < <(dockerfile)
echo "docker-steps: $command"
inside "$workdir" "$command"
echo "docker-steps: passed"
