#!/usr/bin/env python3
"""The project on arm64: built by a cross compiler, run on a machine that QEMU emulates (machine.py).

    tests/arm64/run.py [--build build] [--machine FOLDER] [--kernel 16k] [PART...]

PARTs (all but the last six unless some are named): hello, labs, conformance, copies, faults, managed, programs,
course, unit, umcc (what it accepts, and that it runs), robust, differential (three schedules side by side,
--seconds-each), times (what launches of the course's programs take, beside those of x86-64's build, which is in --here:
times.py). --kernel 16k builds by PAGES=16k, into a folder of its own that --build names. The machine (1.5 GB, made
once, as root) is kept in FOLDER, build/arm64/machine unless said otherwise. What it prints is what tests/run.py prints;
the last line is `N passed, N failed, N skipped`. SKIP and 2 where the machine cannot be made here.
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import machine  # noqa: E402
import times  # noqa: E402

TREE = machine.TREE
SUITES = ("conformance", "copies", "faults", "managed")
LATER = ("course", "unit", "umcc", "robust", "differential", "times")
PARTS = ("hello", "labs", *SUITES, "programs", *LATER)
# What a part runs, and what make builds for it.
SCRIPTS = {"umcc": (["tests/umcc/run.sh accepts", "tests/umcc/run.sh divi", "tests/umcc/run.sh like"], []),
           "robust": (["tests/robust/run.py"], ["robust-programs"])}
SCHEDULES = ("lazy", "eager", "random:7")
NEEDED = {"qemu-system-aarch64": "qemu-system-arm", "qemu-aarch64": "qemu-user", "debootstrap": "debootstrap",
          "aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu", "mke2fs": "e2fsprogs"}
# Those that a machine of one device cannot run.
TWO_DEVICES = ("lab10",)


def why_not(folder):
    """None, or what is missing."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [package for program, package in NEEDED.items() if not shutil.which(program)]
    if missing:
        return f"arm64: {', '.join(missing)} not installed"
    if os.geteuid() and not (folder / "root.ext4").exists():
        return "arm64: debootstrap, which makes the machine, wants to be root"
    return None


def tools(folder):
    """A folder of compilers that make arm64's code with the machine's libraries."""
    out = folder / "tools"
    out.mkdir(exist_ok=True)
    for name in ("gcc", "g++", "ar", "nm", "ld", "as", "objcopy", "objdump", "strip", "readelf", "ranlib"):
        cache = "ccache " if name in ("gcc", "g++") and shutil.which("ccache") else ""
        root = f" --sysroot={folder}/root" if name in ("gcc", "g++") else ""
        (out / name).write_text(f'#!/bin/sh\nexec {cache}/usr/bin/aarch64-linux-gnu-{name}{root} "$@"\n')
        (out / name).chmod(0o755)
    return out


def made(build, pages, targets, options=(), first=""):
    environment = {**os.environ, "PATH": first + os.environ["PATH"]}
    for name in ("MAKEFLAGS", "MFLAGS", "BACKEND", "B"):
        environment.pop(name, None)
    # one goal: the Makefile makes several one after another
    command = ["make", f"-j{os.cpu_count()}", "BACKEND=sim", f"BUILD={build}", f"PAGES={pages}", *options,
               f"--eval=these: {' '.join(targets)}", "these"]
    done = subprocess.run(command, cwd=TREE, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode:
        print("\n".join(done.stdout.splitlines()[-30:]))
    return done.returncode == 0


def built(build, folder, pages, targets):
    return made(build, pages, targets, ["VARIANT=", f"EMULATOR=qemu-aarch64 -L {folder}/root"],
                f"{tools(folder)}:")


def named(pattern):
    return sorted(path.stem for path in TREE.glob(pattern))


def timed():
    """The course's programs whose launches are compared: those that need no library of others."""
    return [f"programs/course/{name}" for name in named("tests/programs/course/*.cu") if not name.startswith("cufft")]


def alike(here, there, pages):
    """Builds the programs for this processor, and compares. @return whether launches take the same"""
    tests = f"{here}/sim{'' if pages == '4k' else f'-pages{pages}'}/test"
    programs = [f"{tests}/{name}" for name in timed()]
    if not made(here, pages, programs):
        print("FAIL times: the build for this processor")
        return False
    folder = Path(there, "times-here")
    failed = times.tell(folder, [str(TREE / program) for program in programs])
    return times.compare(folder, Path(there, "times")) and not failed


def tests_of(parts):
    """(kind of tests/run.py, path below its folder) of each."""
    found = [("cunit", suite) for suite in SUITES if suite in parts]
    if "programs" in parts:
        found += [("program", f"programs/{name}") for name in named("tests/programs/*.cu")]
    if "course" in parts:
        found += [("program", f"programs/course/{name}") for name in named("tests/programs/course/*.cu")]
    if "unit" in parts:
        found += [("cunit", f"unit/{name}") for name in named("tests/unit/*.c")]
    return found


def lab_lines(build):
    """A shell line for each lab: whether all that it shows is verified."""
    for path in sorted((TREE / "labs").glob("lab*_*")):
        lab = path.name.split("_")[0]
        if not (TREE / build / "sim" / lab).exists():
            continue
        profile = "UMSIM_PROFILE=h200-nvlink2 " if lab in TWO_DEVICES else ""
        yield (f'said=$({profile}{build}/sim/{lab} 2>&1 </dev/null | tail -1); case "$said" in *verified*NOT*|*NOT*) '
               f'echo "FAIL {lab}: $said";; "{lab}: "*verified*) echo "ok {lab}: $said";; '
               f'*) echo "FAIL {lab}: $said";; esac')


def differential_lines(program, seconds):
    """Shell lines: managed memory beside a plain model, under each schedule at once; a line of each in the end."""
    for number, schedule in enumerate(SCHEDULES):
        yield (f"UMSIM_SCHED={schedule} {program} --seed {number + 1} --seconds {seconds} "
               f">/tmp/differential.{number} 2>&1 &")
    yield "wait"
    for number, schedule in enumerate(SCHEDULES):
        yield (f'said=$(tail -1 /tmp/differential.{number}); case "$said" in *"no mismatch"*) '
               f'echo "ok differential, {schedule}: $said";; *) echo "FAIL differential, {schedule}: $said";; esac')


def script(parts, build, seconds):
    """What the machine runs."""
    tests = f"{build}/sim/test"
    lines = ["exec 2>&1", "echo \"arm64: $(uname -r), pages of $(getconf PAGESIZE) bytes\""]
    if "hello" in parts:
        lines.append(f'{build}/sim/hello && echo "ok hello" || echo "FAIL hello"')
    if "labs" in parts:
        lines += lab_lines(build)
    if "differential" in parts:
        lines += differential_lines(f"{tests}/differential", seconds)
    if "times" in parts:
        programs = " ".join(f"{tests}/{name}" for name in timed())
        lines.append(f"UM_PATIENCE=50 python3 tests/arm64/times.py tell {build}/times {programs}")
    kinds = [f"{kind}:{tests}/{name}" for kind, name in tests_of(parts)] + \
        [shlex.quote(f"script:{script}") for part in parts if part in SCRIPTS for script in SCRIPTS[part][0]]
    if kinds:
        lines.append(f"UM_PATIENCE=50 python3 tests/run.py --build {build}/sim --backend sim --xml {build}/test "
                     "--timeout 3000 --jobs 1 " + " ".join(kinds))
    return "\n".join(lines)


def added_up(text):
    """The lines of labs, and the closing ones of tests/run.py."""
    sums = [len(re.findall(rf"^{word} ", text, re.MULTILINE)) for word in ("ok", "FAIL", "SKIP")]
    closing = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", text, re.MULTILINE)
    if closing:
        labs = text[:text.rindex(" passed, ")]
        sums = [len(re.findall(rf"^{word} (?:lab\d+|hello|differential)", labs, re.MULTILINE))
                for word in ("ok", "FAIL", "SKIP")]
    return [total + sum(int(each[i]) for each in closing) for i, total in enumerate(sums)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/arm64", help="where the arm64 build goes")
    parser.add_argument("--here", default="build", help="where this processor's build is, for times")
    parser.add_argument("--machine", type=Path, default=TREE / "build/arm64/machine")
    parser.add_argument("--kernel", default="4k", choices=machine.KERNELS, help="by the size of its pages")
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--seconds-each", type=int, default=600, help="how long the differential test takes")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    parts = options.parts or [part for part in PARTS if part not in LATER]
    if set(parts) - set(PARTS):
        parser.error(f"there is no {', '.join(sorted(set(parts) - set(PARTS)))}; there are {', '.join(PARTS)}")
    folder = options.machine.resolve()
    reason = why_not(folder)
    if reason:
        print(f"SKIP {reason}")
        return 2
    try:
        machine.make(folder, options.kernel)
    except (OSError, subprocess.CalledProcessError) as error:
        parser.error(f"the machine cannot be made in {folder}: {error}")
    targets = ["all", *(f"{options.build}/sim/test/{name}" for _, name in tests_of(parts))]
    targets += [target for part in parts if part in SCRIPTS for target in SCRIPTS[part][1]]
    targets += [f"{options.build}/sim/test/{name}" for name in timed() if "times" in parts]
    if "differential" in parts:
        targets.append(f"{options.build}/sim/test/differential")
    if not built(options.build, folder, options.kernel, targets):
        print("FAIL arm64: the build\n0 passed, 1 failed, 0 skipped")
        return 1
    shutil.rmtree(TREE / options.build / "times", ignore_errors=True)
    command = [sys.executable, machine.__file__, "run", str(folder), "--kernel", options.kernel, "--seconds",
               str(options.seconds), "--", script(parts, options.build, options.seconds_each)]
    said = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            said.append(line)
            print(line, end="", flush=True)
    text = "".join(said).replace("\r", "")
    passed, failed, skipped = added_up(text)
    failed += run.returncode == 124
    if "times" in parts:
        same = alike(options.here, TREE / options.build, options.kernel)
        passed, failed = passed + same, failed + (not same)
    print(f"arm64, {options.kernel} pages: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
