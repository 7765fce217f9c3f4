#!/usr/bin/env python3
"""Random kernels by umcc in several modes, which have to give the same results.

    tests/umcc/differential/run.py [--count 100] [--seed 1] [--build build/sim]

Kernels are random, but valid: no undefined behaviour, no race, results that do not depend on any order. umcc compiles
each as it is (its passes may transform loops and barriers), with --plain, and with --check, which also has to find
nothing; every tenth file unoptimised, too. The default is run under three random schedules besides. All print a hash
of what each launch wrote; a difference, a refusal and a finding are failures. They are reduced to a few lines
(reduce.py) and written to BUILD/differential/found.

    --generate DIR     only writes the files, and on_gpu.sh, which has nvcc compile and a GPU run them: it needs no
                       Python; results are in DIR/gpu.txt
    --against FILE     compares with such results, too
    --without A,B      leaves out forms, by the tags that reports name
    --having A,B       only those of the kernels that have one of these forms
    --numbers N,M      only these
    --modes A,B        other modes (toolchain.py): quick,unoptimised takes a third of the time
    --only N           one kernel: prints it and what each mode says
    --forms            simple kernels, three for each way to change a variable that changes.py knows, instead of random
                       ones; prints what umcc made of each that failed

Prints how many kernels umcc transformed how, what failed, and one line. Exit 1 when anything failed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import files
from changes import all_forms
from reduce import Reducer, renumbered
from toolchain import MODES, Toolchain

ROOT = Path(__file__).resolve().parents[3]
SCHEDULES = [{"UMSIM_SCHED": "random:1", "UMSIM_THREADS": "1"}, {"UMSIM_SCHED": "random:2", "UMSIM_THREADS": "3"},
             {"UMSIM_SCHED": "random:3", "UMSIM_THREADS": "8"}]
ON_GPU = """#!/bin/sh
# Compiles the random kernels beside this file with nvcc and runs them; the results are in gpu.txt, and in $OUT.
#     sh on_gpu.sh [how many at a time]
cd "$(dirname "$0")" || exit 2
one() {
    nvcc -w -arch=${ARCH:-sm_90} FLAGS -I near -isystem far -o "${1%.cu}" "$1" || echo "$1 was not compiled" >&2
    first=0
    : >"${1%.cu}.out"
    # A kernel that fails ends the program with 3: it goes on with the next one.
    while timeout 100 "./${1%.cu}" $first >>"${1%.cu}.out"; [ $? = 3 ]; do
        first=$(($(tail -n 1 "${1%.cu}.out" | sed 's/^k\\([0-9]*\\).*/\\1/') + 1))
    done
}
if [ "$1" = one ]; then
    one "$2"
    exit
fi
ls file*.cu | xargs -P "${1:-$(nproc)}" -n 1 sh on_gpu.sh one
cat file*.out >gpu.txt
[ -z "$OUT" ] || cp gpu.txt "$OUT"
wc -l gpu.txt
"""


class Failure:
    """A kernel, and what was wrong: "differs", "refused", "finding"."""

    def __init__(self, kernel, kind, why):
        self.kernel, self.kind, self.why, self.reduced, self.form = kernel, kind, why, None, "?"
        self.mode = self.variables = self.path = None
        self.others = 0


class Differential:
    def __init__(self, args, work):
        self.args, self.work = args, work
        self.tools = Toolchain(args.build, work)
        self.failures, self.forms, self.tags = [], {}, Counter()
        self.against = read_results(args.against) if args.against else {}

    # ---- one file ----

    def modes_of(self, n):
        return [*self.args.modes, *(["unoptimised"] if n % 10 == 0 and "plain" in self.args.modes else [])]

    def one_file(self, n):
        kernels = {i: self.args.make(i) for i in self.args.numbers[n]}
        for kernel in kernels.values():
            self.tags.update(kernel.used_tags())
        forms, results, failed = {}, {}, set()
        transformed, *_ = self.args.modes
        for mode in self.modes_of(n):
            left = [k for i, k in kernels.items() if i not in failed]
            program, refused = self.tools.build(mode, left, f"file{n}", forms=forms if mode == transformed else None)
            for number, message in refused.items():
                failed.add(number)
                self.failures.append(Failure(kernels[number], "refused", f"{mode}: {message}"))
            if not program:
                continue
            alive = [i for i in kernels if i not in failed]
            results[mode] = self.tools.run(program, alive)
            if mode == transformed:
                for s, variables in enumerate(SCHEDULES):
                    results[f"schedule {s + 1}"] = self.tools.run(program, alive, variables)
            if mode == "check":
                self.look_for_findings(program, kernels, alive, failed)
            program.unlink()
        self.compare(kernels, results, failed)
        self.forms.update(forms)
        for failure in self.failures:
            if failure.kernel.number in kernels:
                failure.form = forms.get(failure.kernel.name, "?")
                tags = " ".join(sorted(t for t in failure.kernel.used_tags() if t.startswith(("change", "guard"))))
                print(f"kernel {failure.kernel.number} {failure.kind}, transformed: {failure.form}; {tags}: "
                      f"{failure.why[:300]}", flush=True)

    def look_for_findings(self, program, kernels, alive, failed):
        if not self.tools.findings(program, alive[0], alive[-1]):
            return
        for number in alive:
            said = self.tools.findings(program, number, number)
            if said:
                failed.add(number)
                self.failures.append(Failure(kernels[number], "finding", said))

    def compare(self, kernels, results, failed):
        for number, kernel in kernels.items():
            if number in failed:
                continue
            said = {mode: lines.get(number, "no line") for mode, lines in results.items()}
            if number in self.against:
                said["gpu"] = self.against[number]
            if len(set(said.values())) > 1:
                why = "; ".join(f"{mode}: {line}" for mode, line in said.items())
                self.failures.append(Failure(kernel, "differs", why))

    # ---- reduction ----

    def fails(self, failure):
        """For the reducer: which of these kernels fail in the same way."""
        name = f"reduce{failure.kernel.number}"

        def refused(kernels):
            wrong = self.tools.build(failure.mode, kernels, name, True)[1]
            same = same_message(failure.why)
            return [same_message(wrong.get(n, "")) == same for n in range(len(kernels))]

        def differs(kernels):
            program, wrong = self.tools.build(failure.mode, kernels, name, True)
            plain, more = self.tools.build("unoptimised", [k for k in kernels if k.number not in wrong], name, True)
            alive = [k.number for k in kernels if k.number not in wrong and k.number not in more]
            if not alive or not program or not plain:
                return [False] * len(kernels)
            ours, theirs = self.tools.run(program, alive, failure.variables), self.tools.run(plain, alive)
            return [n in ours and ours[n] != theirs.get(n) for n in range(len(kernels))]

        def ask(kernels):
            kernels = [renumbered(k, n) for n, k in enumerate(kernels)]
            return differs(kernels) if failure.kind == "differs" else refused(kernels)
        return ask

    def way_to_fail(self, failure):
        """Finds a quick way in which the kernel fails: sets the failure's mode and variables. Returns whether there is
        one."""
        if failure.kind == "refused":
            failure.mode = failure.why.split(":")[0]
            return True
        tries = [("quick", None), ("default", None), *(("default", s) for s in SCHEDULES), ("plain", None),
                 ("check", None)]
        for failure.mode, failure.variables in tries:
            if self.fails(failure)([failure.kernel])[0]:
                return True
        return False

    def is_clean(self, kernel):
        """Whether --check finds nothing: the reduction broke no rule."""
        program, _ = self.tools.build("check", [kernel], f"clean{kernel.number}", True)
        return bool(program) and not self.tools.findings(program, kernel.number, kernel.number)

    def explain(self):
        """Reduces failures, those with few forms first; those that have all forms of a reduced one are counted only."""
        known = []
        for failure in sorted(self.failures, key=lambda f: len(f.kernel.used_tags())):
            tags = failure.kernel.used_tags()
            same = next((f for f in known if f.kind == failure.kind and f.form == failure.form and
                         f.reduced.used_tags() <= tags), None)
            if same:
                failure.reduced = same.reduced
                same.others += 1
            elif len(known) < self.args.reduce and failure.kind != "finding" and self.way_to_fail(failure):
                reduced = Reducer(self.fails(failure)).reduce(failure.kernel)
                failure.reduced = reduced if failure.kind == "refused" or self.is_clean(reduced) else failure.kernel
                known.append(failure)
                self.keep(failure)
                print(f"FAIL  {failure.path}: {failure.kind}, transformed: {failure.form}", flush=True)
        return known

    def keep(self, failure):
        folder = self.args.build / "differential/found"
        folder.mkdir(parents=True, exist_ok=True)
        kernel = failure.reduced
        tags = sorted(kernel.used_tags())
        program, _ = self.tools.build("unoptimised", [kernel], "keep", True)
        right = self.tools.run(program, [kernel.number])[kernel.number] if program else ""
        told = "guard:" if kernel.family == "family:guarded" else "change:"
        name = next((t.split(":")[1] for t in tags if t.startswith(told)), "other")
        name = f"{kernel.family[7:]}_{name}_{self.args.seed}_{kernel.number}"
        failure.path = folder / f"{name}.cu"
        failure.path.write_text(kept_text(failure, self.args.seed, name, right))
        if shutil.which("clang-format"):
            subprocess.run(["clang-format", "-i", failure.path], check=False)

    # ---- the whole ----

    def run(self):
        with ThreadPoolExecutor(self.args.jobs) as pool:
            for _ in pool.map(self.one_file, range(len(self.args.numbers))):
                pass
        known = self.explain() if self.args.reduce else []
        for failure in known:
            print(f"{failure.path}: {failure.others} more like it")
        families = {tag[7:]: n for tag, n in self.tags.items() if tag.startswith("family:")}
        for title, counted in (("families", Counter(families)), ("transformations", Counter(self.forms.values()))):
            print(f"{title}: " + "; ".join(f"{what} {n}" for what, n in counted.most_common()))


KEPT = """/**
 * @file {name}.cu
 * @brief Kernel {number} of seed {seed}, reduced: {what}.
 */
// {tags}
#include "random.h"
{text}MAIN({number}, "k{number} {right}")
"""


def kept_text(failure, seed, name, right):
    """The file of a reduced failure."""
    kernel = failure.reduced
    what = f"umcc refused it ({failure.why.splitlines()[0][:70]})" if failure.kind == "refused" else \
        f"other results than --plain; transformed: {failure.form}"
    return KEPT.format(name=name, number=kernel.number, seed=seed, what=what, tags=" ".join(sorted(kernel.used_tags())),
                       text=files.kernel_text(kernel, True) + files.run_text(kernel, True), right=right)


def same_message(message):
    """A message without what is in it of names."""
    return re.sub(r"^\w+: |[‘'][^’']*[’']|\d+", "", message)


def read_results(path):
    """What another machine printed: {number: line}."""
    lines = (line.partition(" ") for line in path.read_text().splitlines())
    return {int(name[1:]): said for name, _, said in lines if name[:1] == "k" and name[1:].isdigit()}


def generate(args):
    """Writes everything that a machine with nvcc and a GPU needs."""
    args.generate.mkdir(parents=True, exist_ok=True)
    for name in ("near", "far"):
        shutil.copytree(files.ROOT / name, args.generate / name, dirs_exist_ok=True)
    for n, numbers in enumerate(args.numbers):
        text, _ = files.file_text([args.make(i) for i in numbers])
        (args.generate / f"file{n:04}.cu").write_text(text)
    (args.generate / "on_gpu.sh").write_text(ON_GPU.replace("FLAGS", " ".join(files.FLAGS)))
    print(f"{args.generate}: {args.count} kernels; there: sh on_gpu.sh; then --against {args.generate}/gpu.txt")


def one_kernel(args, work):
    """Prints a kernel and what each mode says of it."""
    tools, kernel = Toolchain(args.build, work), args.make(args.only)
    print(files.kernel_text(kernel) + files.run_text(kernel))
    for mode in ("default", "plain", "check", "unoptimised"):
        forms = {}
        program, refused = tools.build(mode, [kernel], "one", forms=forms)
        said = tools.run(program, [kernel.number])[kernel.number] if program else refused[kernel.number]
        print(f"{mode}: {said} {' '.join(forms.values())}")
        if mode == "check" and program:
            print(tools.findings(program, kernel.number, kernel.number))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0, help="the first kernel's number")
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--per-file", type=int, default=50)
    parser.add_argument("--reduce", type=int, default=20, help="how many failures are reduced at most")
    parser.add_argument("--without", type=lambda text: frozenset(text.split(",")), default=frozenset())
    parser.add_argument("--modes", type=lambda text: text.split(","), default=["default", "plain", "check"])
    parser.add_argument("--numbers", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--having", type=lambda text: set(text.split(",")))
    parser.add_argument("--generate", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--only", type=int)
    parser.add_argument("--forms", action="store_true")
    args = parser.parse_args()
    if args.count < 1:
        parser.error(f"--count {args.count}: at least 1 kernel, or nothing is compared")
    unknown = [mode for mode in args.modes if mode not in MODES]
    if unknown:
        parser.error(f"--modes: there is no mode {unknown[0]!r}, only {', '.join(MODES)}")
    if args.against and not Path(args.against).is_file():
        parser.error(f"--against: there is no file {args.against}")
    args.build = args.build.resolve()
    args.make = lambda number: files.make(number, args.seed, args.without)
    if args.forms:
        args.count, args.make = 3 * len(all_forms()), lambda number: files.make_form(number, args.seed)
    numbers = args.numbers or range(args.first, args.first + args.count)
    if args.having:
        numbers = [n for n in numbers if args.make(n).used_tags() & args.having]
    args.count = len(numbers)
    args.numbers = [numbers[at:at + args.per_file] for at in range(0, args.count, args.per_file)]
    return args


def main():
    args = arguments()
    if args.generate:
        generate(args)
        return 0
    if not (args.build / "bin/umcc").exists():
        print(f"there is no {args.build}/bin/umcc: make builds it", file=sys.stderr)
        return 2
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        if args.only is not None:
            one_kernel(args, Path(work))
            return 0
        differential = Differential(args, Path(work))
        differential.run()
    kinds = Counter(f.kind for f in differential.failures)
    print(f"differential: {args.count} kernels of seed {args.seed} in modes {' '.join(args.modes)}, "
          f"3 schedules: {kinds['differs']} differ, {kinds['refused']} "
          f"refused, {kinds['finding']} findings; {time.monotonic() - start:.0f} s")
    return 1 if differential.failures else 0


if __name__ == "__main__":
    sys.exit(main())
