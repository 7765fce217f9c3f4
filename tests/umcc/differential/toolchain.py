"""Compiles files of random kernels in several modes and runs them: what became of each kernel."""
import os
import re
import shutil
import subprocess

import files

LIMIT = 300  # seconds of one run
COMPILE_LIMIT = 1800  # of one compile, which other processes may make ten times slower
# How umcc is called. `unoptimised` is plain, too, and compiles in half the time: the reducer asks it.
MODES = {"default": [], "quick": [], "plain": ["--plain"], "unoptimised": ["-O0"],
         "check": ["--check=memory,init,race"]}
# What umcc --report-transformations says: the kernel's name, what is made of it, and why nothing is.
REPORT = re.compile(r"^umcc: .*?:\d+: (\w+): ([^:\n]+)", re.MULTILINE)
# Without that option: a kernel's name and the form that umcc chose (sim/umcc/kernels.c), in umcc's output.
FORM = re.compile(r'text\(\) \{ return "(\w+)"; \} \};.*?::umsim::launch<::umsim::(\w+), (?:true|false)', re.DOTALL)
MADE = {"guarded_blocks": "guard", "guarded_numbered_blocks": "guard, numbered", "numbered_blocks": "numbered",
        "strides": "loop", "anonymous_strides": "loop", "fission": "fission"}
PLACE = re.compile(r"^[^\s:]+:(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", re.MULTILINE)


def transformations(kept, messages):
    """{kernel's name: what umcc made of it}."""
    found = dict(REPORT.findall(messages))
    for path in kept.glob("*.cpp.ii"):
        found.update((name, MADE.get(form, "none")) for name, form in FORM.findall(path.read_text(errors="replace")))
    return found


class Toolchain:
    """umcc of one build."""

    def __init__(self, build, work):
        self.umcc, self.work = build / "bin/umcc", work
        self.reports = "report-transformations" in subprocess.run(
            [self.umcc, "--help"], capture_output=True, text=True, check=True).stdout
        self.quick = work / "g++"  # umcc's passes, but g++ takes half the time
        self.quick.write_text('#!/bin/sh\nexec g++ "$@" -O1\n')
        self.quick.chmod(0o755)

    def command(self, mode, source, program, more=()):
        more = [*more, "-ccbin", self.quick] if mode == "quick" else more
        return [self.umcc, *MODES[mode], *more, *files.FLAGS, *files.header_flags(), "-o", program, source]

    def compile(self, mode, source, program, forms=None):
        """Returns (whether it was compiled, messages). forms: gets what umcc made of each kernel, by its name."""
        kept = source.with_suffix(".kept")
        more = []
        if forms is not None:
            kept.mkdir(exist_ok=True)
            more = ["--report-transformations"] if self.reports else ["--keep", "--keep-dir", kept]
        done = subprocess.run(self.command(mode, source, program, more), capture_output=True, text=True,
                              errors="replace", check=False, timeout=COMPILE_LIMIT)
        if forms is not None:
            forms.update(transformations(kept, done.stderr))
            shutil.rmtree(kept)
        return done.returncode == 0, done.stderr

    def build(self, mode, kernels, name, only_used=False, forms=None):
        """Compiles kernels into one program. Those that are refused are left out, with the reason.

        Returns (program or None, {number: message} of the refused ones)."""
        refused, left = {}, list(kernels)
        source, program = self.work / f"{name}-{mode}.cu", self.work / f"{name}-{mode}"
        while left:
            text, lines = files.file_text(left, only_used)
            source.write_text(text)
            good, messages = self.compile(mode, source, program, forms)
            if good:
                return program, refused
            found = {}
            for line, message in PLACE.findall(messages):
                number = lines.get(int(line))
                if number is not None:
                    found.setdefault(number, message)
            if not found:  # nobody's line: one by one
                if len(left) == 1:
                    return None, {**refused, left[0].number: messages.strip()[-300:] or "no message"}
                half = len(left) // 2
                for n, part in enumerate((left[:half], left[half:])):
                    refused.update(self.build(mode, part, f"{name}-{n}", only_used)[1])
                left = [k for k in left if k.number not in refused]
                continue
            refused.update(found)
            left = [k for k in left if k.number not in found]
        return None, refused

    def run(self, program, numbers, variables=None):
        """Runs kernels of these numbers. Returns {number: what its line says}; after a kernel that ends the program
        it goes on with the next."""
        results, todo = {}, sorted(numbers)
        env = {**os.environ, **(variables or {})}
        while todo:
            try:
                done = subprocess.run([program, str(todo[0]), str(todo[-1])], capture_output=True, text=True, env=env,
                                      errors="replace", check=False, timeout=LIMIT)
                status, out = done.returncode, done.stdout
            except subprocess.TimeoutExpired as late:
                status, out = "did not end", (late.stdout or b"").decode(errors="replace")
            for line in out.splitlines():
                name, _, said = line.partition(" ")
                if re.fullmatch(r"k\d+", name):
                    results[int(name[1:])] = said
            rest = [n for n in todo if n not in results]
            if len(rest) == len(todo) or (rest and status not in (0, 3)):
                results[rest[0]] = f"ended with status {status}"
                rest = rest[1:]
            elif status == 0 and rest:
                results.update({n: "no line" for n in rest})
                rest = []
            todo = rest
        return results

    def findings(self, program, first, last):
        """What --check says of some kernels; empty if nothing."""
        done = subprocess.run([program, str(first), str(last)], capture_output=True, text=True, errors="replace",
                              check=False, timeout=LIMIT)
        lines = [line.strip("= ") for line in done.stderr.splitlines() if line.strip("= ")]
        summary = lines[-1] if lines else ""
        return "" if done.returncode == 0 and "0 errors" in (summary or "0 errors") else "\n".join(lines[:4])
