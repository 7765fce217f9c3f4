#!/usr/bin/env python3
"""What each call of the driver API answers here, beside what a GPU answered.

    tests/driver/run.py [--build build/sim] [--all] [PART]

Builds the programs of this folder with umcc and runs them, on a machine of one device and on one of two. Their lines,
`name<tab>answer`, are compared with those of measured/h200.txt and h200x2.txt, which device.sh printed on one GPU and
on two. Where both differ and that is known, measured/differences.txt has the name, our answer and why; what stands
there has to differ so. Prints a line for each that differs otherwise (with --all for each), last `N passed, N failed, N
skipped`; exit 1 when one failed. What a GPU was not asked is skipped, but the programs have to run to their ends.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDS = {"h200-pcie5": "h200.txt", "h200-nvlink2": "h200x2.txt"}  # by the profile of such a machine


def rows(path):
    """{name: rest of its line}; `#` begins a remark."""
    if not path.is_file():
        return {}
    lines = path.read_text().splitlines()
    # Where a GPU's driver ended a function by a signal, what it was asked is not asked any more.
    return dict(line.split("\t", 1) for line in lines if "\t" in line and line[0] != "#" and "\tended " not in line)


def built(build, out):
    """Compiles the programs into `out`. @return (the program, the module)"""
    program, module = out / "driver", out / "kernels.cubin"
    umcc, sources = build / "bin/umcc", sorted(HERE.glob("*.c"))

    def call(command):
        subprocess.run([str(word) for word in command], check=True)

    compiled = [["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/sim/include", "-c", "-o",
                 out / f"{source.stem}.o", source] for source in sources]
    compiled += [[umcc, "-std=c++17", "-c", "-o", out / f"{name}.o", HERE / f"{name}.cu"]
                 for name in ("mixed", "two_mixed")]
    compiled.append([umcc, "--cubin", "-o", module, HERE / "kernels.cu"])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(call, compiled))
    call([umcc, "-o", program, *sorted(out.glob("*.o")), "-lcuda", "-lpthread"])
    return program, module


def ask(command, profile):
    """@return what the program prints on a machine of this profile"""
    environment = {**os.environ, "UMSIM_PROFILE": profile}
    environment.pop("CUDA_VISIBLE_DEVICES", None)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env=environment).stdout


def answers(text):
    """(name, answer) of what the program printed, in order. What is no answer is a failure of its own."""
    for line in text.splitlines():
        name, tab, said = line.partition("\t")
        yield (name, said) if tab else (line, "a line that is no answer")


def judge(name, said, recorded, known):
    """@return None: right; else what is wrong"""
    if said == "a line that is no answer" or said.startswith("ended "):
        return said
    if name in known:
        ours = known[name].split("\t")[0]
        return None if said == ours and said != recorded.get(name) else f"{said}, known to be {ours}"
    return None if name not in recorded or said == recorded[name] else f"{said}, a GPU {recorded[name]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/sim")
    parser.add_argument("--all", action="store_true", help="print each answer")
    parser.add_argument("part", nargs="?", help="only functions whose name contains it")
    options = parser.parse_args()
    recorded, known = {}, rows(HERE / "measured/differences.txt")
    for record in RECORDS.values():
        recorded.update(rows(HERE / "measured" / record))
    with tempfile.TemporaryDirectory() as folder:
        program, module = built(options.build.resolve(), Path(folder))
        command = [program, module, *([options.part] if options.part else [])]
        said_by_all = "".join(ask(command, profile) for profile in RECORDS)
    passed = failed = skipped = 0
    seen = {}
    for name, said in answers(said_by_all):
        wrong = f"has two answers, {seen[name]} and {said}" if name in seen else judge(name, said, recorded, known)
        seen[name] = said
        failed += wrong is not None
        skipped += wrong is None and name not in recorded
        passed += wrong is None and name in recorded
        if wrong or options.all:
            print(f"{'FAIL' if wrong else 'ok'} {name}: {wrong or said}")
    lost = [] if options.part else sorted((set(recorded) | set(known)) - set(seen))
    for name in lost:
        print(f"FAIL {name}: recorded, but not asked any more")
    if skipped:
        print(f"SKIP driver: {skipped} answers of a GPU are not recorded (measured/)")
    print(f"{passed} passed, {failed + len(lost)} failed, {skipped} skipped")
    return 1 if failed or lost or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
