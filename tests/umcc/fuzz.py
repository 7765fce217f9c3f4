#!/usr/bin/env python3
"""Mutated sources through umcc: no crash, no hang, no output where it failed.

    tests/umcc/fuzz.py [--count 60] [--seed 1] [--build build/sim]

Takes the programs of tests/umcc and tests/programs, and changes a few places in each copy: bytes, words taken out,
doubled or swapped, brackets taken out or put in, an end cut off, a piece of another program put in, a piece repeated
often. The same seed makes the same files. Most go through umcc's passes in one process that is compiled with
AddressSanitizer and UndefinedBehaviorSanitizer (fuzz_rewrite.c), preprocessed before they are mutated and without
system headers; every fiftieth goes as a .cu file through umcc itself, likewise compiled, up to where g++ would begin.

What fails is kept in BUILD/fuzz/found. Prints one line, or what failed; exit 1 when anything did.
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 20  # seconds for one file; the slowest take a fraction of one
WHOLE = 50  # every so many goes through the whole driver
BATCH = 250
TOKEN = re.compile(rb"\w+|\s+|<<<|>>>|::|->|[^\w\s]")
BRACKETS = [b"(", b")", b"[", b"]", b"{", b"}", b"<", b">", b"<<<", b">>>", b'"', b"'", b";", b'R"x(', b"/*"]
WORDS = [b"__global__", b"__device__", b"__shared__", b"__constant__", b"extern", b"static", b"template", b"<", b">",
         b"struct", b"operator", b"::", b"=", b",", b"if", b"return", b"threadIdx", b"__syncthreads();", b"asm",
         b"requires",
         b"constexpr", b"enum", b"namespace", b"\n# 7 \"x\" 3\n", b"\n#pragma unroll\n", b"\\\n", b"\x00", b"\xff"]
KINDS = (0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8, 9, 10, 11, 11, 11, 11, 11)


def user_part(preprocessed):
    """The preprocessor's output without what comes from system headers."""
    kept, system = [], False
    for line in preprocessed.split(b"\n"):
        marker = re.match(rb'# \d+ "([^"]*)"(.*)', line)
        if marker:
            system = b"3" in marker[2] or marker[1].startswith(b"/usr/")
        if marker and not system or not system:
            kept.append(line)
    return b"\n".join(kept)


def groups_of(tokens):
    """The pairs of brackets: (first, last)."""
    pairs, open_at = [], []
    for i, token in enumerate(tokens):
        if token in (b"(", b"[", b"{"):
            open_at.append(i)
        elif token in (b")", b"]", b"}") and open_at:
            pairs.append((open_at.pop(), i))
    return pairs


def mutate_group(rng, tokens):
    """Keeps brackets paired: what they hold is emptied, doubled, or changes places with what another pair holds."""
    pairs = groups_of(tokens)
    if not pairs:
        return tokens
    first, last = rng.choice(pairs)
    kind = rng.randrange(4)
    if kind == 0:
        return tokens[:first + 1] + tokens[last:]
    if kind == 1:
        return tokens[:last + 1] + tokens[first:]
    if kind == 2:
        return tokens[:first] + tokens[last + 1:]
    other, end = rng.choice(pairs)
    if other > last:
        return (tokens[:first] + tokens[other:end + 1] + tokens[last + 1:other] + tokens[first:last + 1]
                + tokens[end + 1:])
    return tokens[:first] + tokens[other:end + 1] + tokens[last + 1:]


def mutate_once(rng, text, others):
    tokens = TOKEN.findall(text)
    if not tokens:
        return rng.choice(WORDS)
    at = rng.randrange(len(tokens))
    kind = rng.choice(KINDS)
    if kind == 0:
        place = rng.randrange(len(text))
        return text[:place] + bytes([text[place] ^ 1 << rng.randrange(8)]) + text[place + 1:]
    if kind == 1:
        del tokens[at:at + rng.choice((1, 1, 2, 5, 40))]
    elif kind == 2:
        tokens[at:at] = tokens[at:at + rng.choice((1, 2, 10))]
    elif kind == 3:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif kind == 4:
        return text[:rng.randrange(len(text))]
    elif kind == 5:
        places = [i for i, t in enumerate(tokens) if t in (b"(", b")", b"[", b"]", b"{", b"}", b"<", b">", b"<<<",
                                                           b">>>")]
        if places:
            del tokens[rng.choice(places)]
    elif kind == 6:
        tokens.insert(at, rng.choice(BRACKETS))
    elif kind == 7:
        tokens.insert(at, b" " + rng.choice(WORDS) + b" ")
    elif kind == 8:
        other = TOKEN.findall(rng.choice(others))
        start = rng.randrange(len(other)) if other else 0
        tokens[at:at] = other[start:start + rng.randrange(60)]
    elif kind == 9:
        piece = b"".join(tokens[at:at + rng.choice((1, 2, 4))])
        tokens.insert(at, piece * rng.choice((3, 30, 300)))
    elif kind == 10:
        tokens[at] = rng.choice(BRACKETS + WORDS)
    else:
        tokens = mutate_group(rng, tokens)
    return b"".join(tokens)


def mutate(rng, text, others):
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        text = mutate_once(rng, text, others)
    return text


class Fuzz:
    def __init__(self, args, work):
        self.args, self.work = args, work
        self.umcc = args.build / "fuzz/bin/umcc"
        self.passes = args.build / "fuzz/bin/fuzz_rewrite"
        self.found = []
        self.refused = 0
        self.env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1",
                    "LC_ALL": "C.UTF-8"}
        paths = sorted(ROOT.glob("tests/umcc/*.cu")) + sorted(ROOT.glob("tests/programs/**/*.cu"))
        self.paths = paths
        self.sources = [p.read_bytes() for p in paths]

    def preprocess(self, path):
        command = [self.umcc, "-std=c++17", "--extended-lambda", "-E", "-I", path.parent, "-I",
                   ROOT / "tests/programs/course", path]
        done = subprocess.run(command, capture_output=True, env=self.env, check=False)
        return user_part(done.stdout)

    def keep(self, path, why):
        folder = self.args.build / "fuzz/found"
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / path.name
        shutil.copyfile(path, kept)
        self.found.append(f"{kept}: {why}")

    def run_passes(self, files):
        """Each file is answered by a line; the one behind the last answer is what a process ended at."""
        while files:
            lines = b"".join(str(f).encode() + b"\n" for f in files)
            done = subprocess.run([self.passes, str(LIMIT)], input=lines, capture_output=True, env=self.env,
                                  check=False)
            answers = done.stdout.split(b"\n")[:-1]
            self.refused += sum(1 for a in answers if int(a.split()[-2]) > 0)
            if done.returncode == 0:
                return
            text = done.stderr.decode(errors="replace")
            why = "hangs" if done.returncode == -signal.SIGPROF else f"status {done.returncode}: {text[:2000]}"
            self.keep(files[len(answers)], why)
            files = files[len(answers) + 1:]

    def run_whole(self, path, limit=LIMIT):
        """By the clock, and once more with patience: the machine may have been busy with other things."""
        out, temporary = path.with_suffix(".out"), path.with_suffix(".tmp")
        temporary.mkdir(exist_ok=True)
        command = [self.umcc, "-std=c++17", "--extended-lambda", "-cuda", "-I", ROOT / "tests/umcc", "-I",
                   ROOT / "tests/programs", "-I", ROOT / "tests/programs/course", "-o", out, path]
        try:
            done = subprocess.run(command, capture_output=True, env={**self.env, "TMPDIR": str(temporary)},
                                  timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            if limit == LIMIT:
                self.run_whole(path, 10 * LIMIT)
            else:
                self.keep(path, "hangs")
            return
        if done.returncode not in (0, 1):
            self.keep(path, f"status {done.returncode}: {done.stderr.decode(errors='replace')[:2000]}")
        elif (done.returncode == 0) != out.exists():
            self.keep(path, f"status {done.returncode}, and the output is {'there' if out.exists() else 'missing'}")
        elif done.returncode == 1 and b"error" not in done.stderr and b"umcc:" not in done.stderr:
            self.keep(path, f"refused without a message: {done.stderr.decode(errors='replace')[:500]}")
        elif list(temporary.iterdir()):
            self.keep(path, "temporary files were left")
        self.refused += done.returncode == 1

    def run(self):
        rng = random.Random(self.args.seed)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            texts = list(pool.map(self.preprocess, self.paths))
        passes, whole = [], []
        for n in range(self.args.count):
            which = rng.randrange(len(self.paths))
            is_whole = n % WHOLE == WHOLE - 1
            sources = self.sources if is_whole else texts
            path = self.work / f"{self.args.seed}-{n}-{self.paths[which].stem}{'.cu' if is_whole else '.ii'}"
            path.write_bytes(mutate(rng, sources[which], sources))
            (whole if is_whole else passes).append(path)
        batches = [passes[i:i + BATCH] for i in range(0, len(passes), BATCH)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.run_passes, batches))
            list(pool.map(self.run_whole, whole))
        return len(whole)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=Path, default=Path(os.environ.get("UMLAB_BUILD", "build/sim")))
    args = parser.parse_args()
    if args.count < 1:
        parser.error(f"--count {args.count}: nothing would be tried")
    args.build = args.build.resolve()
    if not (args.build / "fuzz/bin/umcc").exists():
        print("there is no fuzz/bin/umcc in the build: make fuzz builds it", file=sys.stderr)
        return 1
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        fuzz = Fuzz(args, Path(work))
        whole = fuzz.run()
    for line in fuzz.found:
        print("FAIL ", line)
    print(f"fuzz: {args.count} mutated sources of {len(fuzz.paths)} (seed {args.seed}; {whole} through the whole "
          f"driver), {fuzz.refused} refused, {len(fuzz.found)} failures, {time.monotonic() - start:.0f} s")
    return 1 if fuzz.found else 0


if __name__ == "__main__":
    sys.exit(main())
