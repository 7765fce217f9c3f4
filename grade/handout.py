#!/usr/bin/env python3
"""`make handout` and `make solutions`: the two sides of the course.

    grade/handout.py handout   [--build build]     build/handout/, build/umlab-handout.tar.gz: for students
    grade/handout.py solutions [--build build]     build/solutions/, build/umlab-solutions.tar.gz: for instructors

The handout is a tree that builds and runs alone. It holds what HANDOUT names and nothing else, so a new file of the
repository enters it only when somebody adds it there. A page's link to a file that is not in it becomes text; so a page
of the site is named there by its words. In it, exercise.c has placeholders, hidden parts are left out,
and course.json has its own seed. The solutions are laid over it: exercise.c solved, checks complete, answers.

Each marker is a line of its own, after `// ` or `# `, or in `<!-- -->`: BEGIN SOLUTION, PLACEHOLDER, END SOLUTION (from
PLACEHOLDER on, comment lines are what the student gets, after "// "); BEGIN HIDDEN, END HIDDEN.

Both archives have the same bytes whenever their files are the same, so the times in them say nothing. Therefore lay the
solutions over a handout with `tar xzmf`; otherwise make takes them to be older than what it has built. Prints the
archive's path. Exit 1 with a line for each marker that does not match, and for each line of a solution or a hidden part
that the handout would show.
"""
import argparse
import fnmatch
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import result as results

ROOT = Path(__file__).resolve().parents[1]
TOP = "umlab"
MTIME = 946684800  # any time will do that is always the same: the first day of 2000

# Patterns of paths; * does not stop at a slash.
HANDOUT = """
    LICENSE setup.sh Makefile requirements.txt course.json Dockerfile .dockerignore .devcontainer/* .gitignore
    .clang-format mk/backend.mk mk/backend.sh mk/into.sh mk/grade.mk mk/student.mk mk/tools.mk
    sim/* common/* kernels/* interop/* profiles/*.json report/*
    labs/*.c labs/*.h labs/*.cu labs/lab8_interop/*.py labs/README.md labs/*/README.md labs/*/hints.md
    labs/*/predictions.json labs/*/grade/lessons.md
    grade/*.c grade/*.h grade/export.py grade/hint.py grade/predict.py grade/progress.py grade/result.py grade/state.py
    grade/schema/*
    docs/architecture.md docs/interfaces.md docs/trace.md docs/grading.md docs/viewer.md docs/report.md docs/words.md
    docs/first_kernel.md docs/memory.md docs/faults.md docs/managed.md docs/simulator.md docs/coverage.md
    docs/trust.md docs/profiles.md docs/examples/*.cu docs/examples/check.h
""".split()
SOLUTIONS = """
    labs/*/exercise.c labs/*/exercise.h labs/*/grade/calls.[ch] labs/*/grade/checks*.c labs/*/grade/lessons.md
    labs/*/answers.md
""".split()
# The handout's own README stands where the repository's would be; the other file is for the handout alone.
RENAMED = {"grade/handout.md": "README.md", "grade/handout.mk": "mk/elsewhere.mk"}

WORDS = "(BEGIN SOLUTION|PLACEHOLDER|END SOLUTION|BEGIN HIDDEN|END HIDDEN)"
MARKER = re.compile(rf"^\s*(?://|#) {WORDS}$")
MARKER_OF_MARKDOWN = re.compile(rf"^<!-- {WORDS} -->$")
NEXT = {  # state: marker: the state after it
    "shown": {"BEGIN SOLUTION": "solution", "BEGIN HIDDEN": "hidden"},
    "solution": {"PLACEHOLDER": "placeholder", "END SOLUTION": "shown"},
    "placeholder": {"END SOLUTION": "shown"},
    "hidden": {"END HIDDEN": "shown"},
}
PLACEHOLDER_LINE = re.compile(r"^(\s*)// ?(.*)$")
# How many lines a program of the handout may have in common with solutions and hidden parts.
IDIOMS = 4
# A line of a solution is looked for when it has this many characters besides blanks: shorter ones are everywhere.
TELLING = 28


class Bad(Exception):
    """Text for whoever runs this, a line for each thing that is wrong."""


def parts(text, name):
    """[(state, line)], without the markers."""
    state, out, since = "shown", [], 0
    pattern = MARKER_OF_MARKDOWN if name.endswith(".md") else MARKER
    for number, line in enumerate(text.splitlines(), 1):
        marker = pattern.match(line)
        if not marker:
            out.append((state, line))
            continue
        if marker[1] not in NEXT[state]:
            raise Bad(f"{name}:{number}: {marker[1]} in a part that is {state}")
        state, since = NEXT[state][marker[1]], number
    if state != "shown":
        raise Bad(f"{name}:{since}: this {state} part has no end")
    return out


def uncomment(line, name):
    found = PLACEHOLDER_LINE.match(line)
    if not found:
        raise Bad(f"{name}: a placeholder's line does not begin with //: {line.strip()}")
    return (found[1] + found[2]).rstrip()


def for_students(text, name):
    """What students get of a text: placeholders for solutions, nothing for hidden parts."""
    lines = []
    for state, line in parts(text, name):
        if state == "shown":
            lines.append(line)
        elif state == "placeholder":
            lines.append(uncomment(line, name))
    # A part that was left out between two empty lines leaves both.
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines) + "\n")


def for_instructors(text, name):
    """Solutions and hidden parts, without markers and placeholders."""
    return "\n".join(line for state, line in parts(text, name) if state != "placeholder") + "\n"


def left_out(text, name):
    """Lines that students must not see."""
    return [line for state, line in parts(text, name) if state in ("solution", "hidden")]


def files():
    """Paths of the repository's files: those of git, new ones included; without git, all."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard"], capture_output=True,
                          check=False)
    if done.returncode == 0:
        names = done.stdout.decode().split("\0")
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    return sorted(name for name in names if name and not name.startswith("build/") and (ROOT / name).is_file())


def chosen(names, patterns):
    return [name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def has_parts(name):
    return name.endswith((".c", ".h", ".cu", ".mk", ".md", ".sh", "Makefile"))


def own_seed(text):
    """The course with another seed, which tells nothing about the instructor's."""
    course = json.loads(text)
    for name, term in course["terms"].items():
        digest = hashlib.sha256(f"handout of {course['course']}, {name}".encode()).digest()
        term["seed"] = int.from_bytes(digest[:4], "big")
    return json.dumps(course, indent=2, ensure_ascii=False) + "\n"


LINK = re.compile(r"\[([^\]\[]+)\]\(([^()\s:#]+)(?:#[^()\s]*)?\)")


def without_dead_links(path, text, there):
    """A page's text, in which a link to a file that is not `there` is its words alone."""
    def kept(match):
        target = os.path.normpath(os.path.join(os.path.dirname(path), match[2]))
        return match[0] if target in there or any(name.startswith(f"{target}/") for name in there) else match[1]

    return LINK.sub(kept, text)


def tree(side):
    """{path: (bytes, executable)} of one side."""
    names = files()
    rewrite = for_students if side == "handout" else for_instructors
    wanted = chosen(names, HANDOUT if side == "handout" else SOLUTIONS)
    out, wrong = {}, []
    for name in wanted + ([n for n in RENAMED if n in names] if side == "handout" else []):
        data = (ROOT / name).read_bytes()
        try:
            if name == "course.json":
                data = own_seed(results.course_path().read_text(encoding="utf-8")).encode()
            elif has_parts(name):
                data = rewrite(data.decode(), name).encode()
        except Bad as error:
            wrong.append(str(error))
        out[RENAMED.get(name, name)] = data, bool((ROOT / name).stat().st_mode & 0o100)
    if wrong:
        raise Bad("\n".join(wrong))
    if side == "handout":  # the solutions are laid over a tree that has all pages that they name
        for path, (data, executable) in out.items():
            if path.endswith(".md"):
                out[path] = without_dead_links(path, data.decode(), out.keys()).encode(), executable
    return out


def squeeze(text):
    return "".join(text.split())


def telling(line):
    """A line without its comment and its blanks; None when it is too short to give anything away."""
    squeezed = squeeze(re.sub(r"/\*.*?\*/|//.*", "", line))
    return squeezed if len(squeezed) >= TELLING else None


def secrets():
    """{line: the file that hides it}; what the same file shows elsewhere is none."""
    found = {}
    for name in chosen(files(), ["labs/*/exercise.c", "labs/*/grade/checks*.c", "labs/*/grade/lessons.md"]):
        text = (ROOT / name).read_text()
        shown = squeeze(for_students(text, name))
        for line in left_out(text, name):
            if name.endswith(".md") and line.startswith("#"):
                continue  # a check's name, which its hints have, too
            if telling(line) and telling(line) not in shown:
                found.setdefault(telling(line), name)
    return found


def leaks(handout):
    """What the handout shows of solutions and hidden parts.

    A line that programs of the handout have, too, is idiom, not secret; but no program has many of them.
    """
    secret = secrets()
    shows = {}
    for path, (data, _) in sorted(handout.items()):
        text = squeeze(data.decode(errors="replace"))
        shows[path] = {line for line in secret if line in text}
    programs = [path for path in shows if re.search(r"\.(c|h|cu)$", path)
                and not re.match("(exercise|calls)[.]", Path(path).name)]
    idiom = set().union(*(shows[path] for path in programs))
    for path, lines in shows.items():
        if path in programs:
            lines = lines if len(lines) > IDIOMS else set()
        else:
            lines = lines - idiom
        yield from (f"{path} shows what {secret[line]} hides: {line}" for line in sorted(lines))
        if path.endswith("answers.md") or "mutants" in path:
            yield f"{path} is in it"


def write_tree(contents, folder):
    shutil.rmtree(folder, ignore_errors=True)
    for path, (data, executable) in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        target.chmod(0o755 if executable else 0o644)


def write_archive(contents, path):
    """Sorted, and without times, names and numbers of whoever makes it."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, (data, executable) in sorted(contents.items()):
            member = tarfile.TarInfo(f"{TOP}/{name}")
            member.size, member.mtime, member.mode = len(data), MTIME, 0o755 if executable else 0o644
            archive.addfile(member, io.BytesIO(data))
    with open(path, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        packed.write(plain.getvalue())


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("side", choices=["handout", "solutions"])
    parser.add_argument("--build", default="build", type=Path)
    args = parser.parse_args(arguments)
    try:
        contents = tree(args.side)
        shown = list(leaks(contents)) if args.side == "handout" else []
        if shown:
            raise Bad("\n".join(shown))
        args.build.mkdir(parents=True, exist_ok=True)
        write_tree(contents, args.build / args.side)
        archive = args.build / f"umlab-{args.side}.tar.gz"
        write_archive(contents, archive)
    except Bad as error:
        print(error, file=sys.stderr)
        return 1
    print(archive)
    return 0


if __name__ == "__main__":
    sys.exit(main())
