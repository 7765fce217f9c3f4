#!/bin/sh
# Makes a file whole or not at all: `mk/into.sh TARGET COMMAND...` runs COMMAND with TARGET (and its .d) replaced by a
# new file beside it, which takes TARGET's place when the command has succeeded. So two makes in one tree do not break
# each other: neither reads, or runs, what the other one is still writing.
target=$1
shift
depends=${target%.o}.d
new=$target.$$.new
left=$#
before=
while [ "$left" -gt 0 ]; do
    case $before,$1 in
    -MT,*) set -- "$@" "$1" ;; # what the .d says depends on the headers is the target
    *,"$target") set -- "$@" "$new" ;;
    *,"$depends") set -- "$@" "$new.d" ;;
    *) set -- "$@" "$1" ;;
    esac
    before=$1
    shift
    left=$((left - 1))
done
trap 'rm -f "$new" "$new.d"' EXIT
trap 'exit 130' INT TERM HUP
"$@" || exit
[ ! -e "$new.d" ] || mv -f "$new.d" "$depends"
mv -f "$new" "$target"
