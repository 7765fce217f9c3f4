#!/usr/bin/env bash
# Tests of umcc, the compile driver: what it accepts runs, what it rejects is rejected with the user's own line, and
# its options do what nvcc's do.
#
#     tests/umcc/run.sh UMCC=build/sim/bin/umcc [PART-OF-A-NAME | accepts | others]
#
# Without UMCC= the build is taken from UMLAB_BUILD, as tests/run.py sets it. accept_*.cu are compiled and run, and have
# to exit with 0. reject_*.cu must not compile: their first line says `// umcc: LINE[:COLUMN]: what the message says`.
# `others` are all but those that are accepted: `make test` runs both beside each other. Without UM_LONG=1 `accepts`
# takes an eighth of the files and `others` a third of the cases, and at the next commit (UM_TURN) another one.
# Prints a line a case and last `N passed, N failed, N skipped`. Here is how a case runs, what is accepted and rejected,
# and the list; the cases_*.sh hold the other cases.
set -u
here=$(cd "$(dirname "$0")" && pwd)
only='' other=0
for argument in "$@"; do
    case $argument in
    UMCC=*) UMCC=${argument#UMCC=} ;;
    *) only=$argument ;;
    esac
done
UMCC=${UMCC:-${UMLAB_BUILD:-build/sim}/bin/umcc}
case $UMCC in /*) ;; *) UMCC=$PWD/$UMCC ;; esac
if [ ! -x "$UMCC" ]; then
    echo "there is no $UMCC (make builds it; UMCC=... names another)" >&2
    exit 2
fi

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# Times of events are kernels' alone where a program's clock is the real one.
export TMPDIR=$work/tmp LC_ALL=C.UTF-8 UMSIM_CLOCK=real
mkdir "$TMPDIR"
passed=0 failed=0 skipped=0 why='' skip=''

# fail WHY: the running case is no success.
fail() {
    [ -n "$why" ] || why=$1
}
# expect_status STATUS COMMAND...: runs it; output goes to $work/out and $work/err.
expect_status() {
    local want=$1 got=0
    shift
    "$@" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" = "$want" ] || fail "status $got, not $want: ${*##*/}"
}
expect_in() {
    grep -qF -- "$2" "$1" || fail "${1##*/} does not say: $2"
}
expect_not_in() {
    ! grep -qF -- "$2" "$1" || fail "${1##*/} says: $2"
}
expect_file() {
    [ -e "$1" ] || fail "$1 is not there"
}
expect_no_file() {
    [ ! -e "$1" ] || fail "$1 was left"
}
# case_of NAME FUNCTION ARGUMENTS...: one test, in a folder of its own.
case_of() {
    local name=$1
    shift
    case $only:$name in
    others:accepts*) return ;;
    others:*) [ -n "${UM_LONG:-}" ] || [ $(((other++ + ${UM_TURN:-0}) % 3)) = 0 ] || return ;;
    *:*"$only"*) ;;
    *) return ;;
    esac
    why='' skip=''
    mkdir "$work/case" && cd "$work/case" || exit 2
    "$@"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "temporary files were left: $(ls "$TMPDIR")"
    if [ -n "$skip" ]; then
        echo "  SKIP  $name: $skip"
        skipped=$((skipped + 1))
    elif [ -z "$why" ]; then
        echo "  ok    $name"
        passed=$((passed + 1))
    else
        echo "  FAIL  $name"
        { echo "$why"; cat "$work/err"; } | sed 's/^/        /' | head -30
        failed=$((failed + 1))
    fi
    cd "$here" && rm -rf "$work/case" "${TMPDIR:?}"/*
}

write_program() {
    cat >x.cu <<'END'
#include <cstdio>
#include <cstring>
#ifndef ADD
#define ADD 1
#endif
__global__ void k(int *p)
{
    *p += ADD;
}
int main(int argc, char **argv)
{
    int *p;
    if (cudaMallocManaged(&p, sizeof *p) != cudaSuccess)
        return 2;
    *p = 40;
    k<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%d%s\n", *p, argc > 1 ? argv[1] : "");
    return 0;
}
END
}

# What the file's first line asks for.
flags_of() {
    sed -n '1s|^// flags: ||p' "$1"
}
accepts() {
    # shellcheck disable=SC2046 # several options
    expect_status 0 "$UMCC" $(flags_of "$here/$1.cu") -std=c++17 --extended-lambda -Xcompiler -Wall,-Wextra \
        -Werror all-warnings -o prog "$here/$1.cu"
    [ -n "$why" ] || expect_status 0 ./prog
    [ -z "$why" ] || cat "$work/out" >>"$work/err"
}
# --keyed is for graders: elsewhere a program computes what it always does.
keyed_changes_no_result() {
    local name
    for name in accept_declarations accept_headers accept_memory accept_proved; do
        expect_status 0 "$UMCC" -std=c++17 --extended-lambda --keyed -o prog "$here/$name.cu"
        [ -n "$why" ] || expect_status 0 ./prog
    done
}
rejects() {
    local expected place text
    expected=$(sed -n '1s|^// umcc: ||p' "$here/$1.cu")
    place=${expected%%: *} text=${expected#*: }
    expect_status 1 "$UMCC" -c -MMD -o x.o "$here/$1.cu"
    grep -F "$1.cu:$place:" "$work/err" | grep -qF "$text" || fail "no message at $place that says: $text"
    expect_no_file x.o
    expect_no_file x.d
}
rejects_text() {
    printf '%s\n' "$3" >x.cu
    expect_status 1 "$UMCC" -c x.cu
    expect_in "$work/err" "x.cu:$1: error: $2"
    expect_no_file x.o
}

# A wait in vain is no endless one: the launch fails with the message that the file has for that case.
stuck() {
    local number text
    # shellcheck disable=SC2046 # several options
    expect_status 0 "$UMCC" $(flags_of "$here/$1.cu") -o prog "$here/$1.cu"
    while IFS=: read -r number text; do
        expect_status 0 ./prog "$number"
        expect_in "$work/err" "${text# }"
    done < <(sed -n 's|^ \* case ||p' "$here/$1.cu")
}

# shellcheck disable=SC1091 # each is a file of its own
. "$here/cases_files.sh"
# shellcheck disable=SC1091
. "$here/cases_programs.sh"
# shellcheck disable=SC1091
. "$here/cases_kernels.sh"
# shellcheck disable=SC1091
. "$here/cases_warnings.sh"
# shellcheck disable=SC1091
. "$here/cases_counted.sh"
# shellcheck disable=SC1091
. "$here/cases_precompiled.sh"

for file in "$here"/accept_*.cu; do
    name=$(basename "$file" .cu)
    [ "$only" != accepts ] || [ -n "${UM_LONG:-}" ] || 
        [ $((($(cksum <<<"$name" | cut -d' ' -f1) + ${UM_TURN:-0}) % 8)) = 0 ] || continue
    case_of "accepts ${name#accept_}" accepts "$name"
done
for file in "$here"/reject_*.cu; do
    name=$(basename "$file" .cu)
    case_of "rejects ${name#reject_}" rejects "$name"
done
case_of "reports threads that wait in vain" stuck stuck
case_of "reports kernels of kernels that fail" stuck nested_stuck
case_of "rejects a brace that is never closed" rejects_text 1:12 "'{' is never closed" 'int main()   {'
case_of "rejects a launch that is never closed" rejects_text 2:15 "this <<< has no matching >>>" \
    '__global__ void k() {}
int main() { k<<<1, 1>>; }'
case_of "kernels beside headers that they do not use" alone_among_headers
case_of "methods that wait, and variables of their names" methods_that_wait
case_of "rejects kernels that nvcc rejects" refused_kernels
case_of "rejects kernels that only the compiler can judge" refused_by_the_compiler
case_of "shared memory that fits is no mistake" shared_memory_that_fits
case_of "a launch of a host function is told" launch_of_a_host_function
case_of "nvcc's warnings that need no option" given_warnings
case_of "a missing return is a warning" missing_return
case_of "a cast of an address to a smaller number is a warning in device code, an error elsewhere" casts_of_addresses
case_of "what cannot be defined stops the kernel, and is told" what_is_not_defined
case_of "undefined behaviour on the host is told by the program's own checks" checked_by_the_host
case_of "64-bit operations are an H200's" as_an_h200_answered
case_of "messages are about what the user wrote" text_that_cannot_be_rewritten
case_of "lines may end as Windows ends them" windows_lines
case_of "where g++ fails by an error of its own its vectorizer is left out" internal_errors
case_of "help and version are told" help_and_version
case_of "bad usage is named, exit 2" bad_usage
case_of "what does not go with the simulator is named, exit 2" not_with_the_simulator
case_of "missing files are named, nothing is left" missing_files
case_of "files without permission are named" no_permission
case_of "object files get their names" objects
case_of "a failure keeps what was there" a_failure_keeps_what_was_there
case_of "macros and headers come from the command line" defines_and_includes
case_of "options for a real GPU are accepted" for_a_gpu_only
case_of "__CUDA_ARCH__ is what -arch says" the_architecture
case_of "options stand in files, too" options_from_files
case_of "dependencies are written for make" dependencies
case_of "ccache keeps what was compiled" through_ccache
case_of "commands are shown" shows_its_commands
case_of "intermediate files are kept on request" keeps_intermediate_files
case_of "headers that were compiled beforehand change nothing" precompiled_headers
case_of "headers are compiled beforehand for certain options" precompiled_for_these_options_only
case_of "modules of NVRTC's take headers compiled beforehand" precompiled_for_modules
case_of "--keyed changes no result where nothing is graded" keyed_changes_no_result
case_of "--plain, -O0 and -G leave loops and barriers as they are" plain_leaves_loops_and_barriers
case_of "what g++ can prove is transformed, and told" transforms_what_it_can_prove
case_of "both forms of a kernel, fast and counting, are one program" counted_forms
case_of "threads of a counted block keep what they have on their stacks" counted_stacks
case_of "what is cut at barriers is counted as what is not" counted_cut
case_of "times follow how memory is accessed, and repeat" counted_times
case_of "what bounds a launch is told in words" explained
case_of "instructions are counted by class, and once for lanes that are together" worked
case_of "what is counted in parts has its times, too" counted_parts
case_of "of long loops all is told that they do" counted_rest
case_of "what is beside device variables is counted" counted_variables
case_of "sectors that two instructions write in part are moved once" counted_exchange
case_of "divisions by zero are the same where they are counted" counted_divisions
case_of "functions called like registers and instructions are counted" counted_names
case_of "what cannot be counted compiles as ever" not_counted
case_of "inputs are of several languages" several_languages
case_of "the host's compiler links what -dc and -dlink made" host_links
case_of "CMake builds a project" cmake_projects
case_of "cuBLAS names an array that kernels do not reach" blas_of_the_host
case_of "each file has device variables of its own, but with -rdc=true" files_of_their_own
case_of "libraries are shared or static" libraries
case_of "debugging, levels and versions of the language work as with nvcc" debugging_and_levels
case_of "warnings are the user's own" warnings
case_of "OpenMP's threads begin at their creator's time, who goes on at their latest" openmp
case_of "libraries that the simulator lacks are named in a line" lacking_libraries
case_of "an interrupted run leaves nothing" interrupted
case_of "umcc is found through a link" found_through_a_link
case_of "the toolkit's headers do not come first" toolkit_headers_do_not_come_first

[ $((passed + failed + skipped)) != 0 ] || { echo "run.sh: no test's name has '$only' in it" >&2; exit 2; }
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
