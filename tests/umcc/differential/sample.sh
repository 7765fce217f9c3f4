#!/usr/bin/env bash
# A few of the random kernels, quickly; tests/long/random_kernels.sh takes thousands.
#
#     tests/umcc/differential/sample.sh        finds the build in UMLAB_BUILD
#
# Then one of them beside a result that is wrong on purpose: the comparison has to notice.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
python=${PYTHON:-python3}
"$python" "$here/run.py" --first 216 --count 16 --per-file 8 --seed 5 --modes quick,unoptimised,check || exit 1
echo 'k216 0123456789abcdef' >"$work/wrong.txt"
if "$python" "$here/run.py" --first 216 --count 1 --seed 5 --modes unoptimised --against "$work/wrong.txt" --reduce 0 \
    >"$work/said"; then
    echo "FAIL  a wrong result was not noticed"
    exit 1
fi
grep -q '1 differ' "$work/said" || { cat "$work/said"; exit 1; }
echo "PASS  a wrong result is noticed"
