#!/usr/bin/env python3
"""docs/internals.md: each source file and the one sentence that its header comment begins with.

    tools/internals.py            writes the page: `make internals`
    tools/internals.py --check    writes nothing; exit 1 when a file has no sentence, or the page is not what would be
                                  written: `make lint`

The sentence is what follows `@brief`, or a file's own name and a colon, in the first comment; of a script, its first
comment or docstring. A file whose sentence is `see NAME.h` stands in the same row as that header.
"""
import argparse
import ast
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/internals.md"
# Where source files are, in the page's order: with a slash at its end all below a folder, without only its own files.
FOLDERS = ("", "labs/", "kernels/", "common/", "interop/", "sim/", "grade/", "report/", "bench/", "mk", "tools/",
           "tests", "tests/lint")
AT_THE_TOP = (".ci/run", "Makefile", "setup.sh")
SLASHES = (".c", ".h", ".cu", ".cuh", ".cpp", ".S", ".js", ".css")
HASHES = (".sh", ".mk", ".cmake", ".gdb")
HEADERS_OF_CUDA = "sim/include/"  # some have no suffix, as C++'s own
# A name with underscores, colons or parentheses is code: Doxygen would make links or emphasis of it.
NAME = re.compile(r"(?<![\w`/])((?:[\w.-]+/)*(?:\w+::\w+(?:::\w+)*|\w*_\w*(?=\W|$)|\w+(?=\(\)))"
                  r"(?:\.(?:cuh?|[ch]|py))?(?:\(\))?)")
# Not the end of a sentence.
SHORT = re.compile(r"(?:\be\.g|\bi\.e|\bvs|\betc|\.\.)\.$")


def paths():
    """The repository's files, sorted: those of git, new ones included; without git, all."""
    command = ["git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, check=False)
    names = done.stdout.decode().split("\0")
    if done.returncode != 0:
        tops = {part.split("/")[0] for part in FOLDERS if part}
        names = [os.path.relpath(Path(folder, name), ROOT) for top in tops for folder, _, inside in os.walk(ROOT / top)
                 for name in inside] + list(AT_THE_TOP)
    return sorted(name for name in set(names) if name and (ROOT / name).is_file())


def is_source(name):
    suffix = Path(name).suffix
    bare = name.startswith(HEADERS_OF_CUDA) and not suffix
    return suffix in (*SLASHES, *HASHES, ".py") or name in AT_THE_TOP or bare


def inside(name, part):
    if not part:
        return name in AT_THE_TOP
    return name.startswith(part) if part.endswith("/") else os.path.dirname(name) == part


def comment_of_c(text):
    """The first comment, when nothing but preprocessor lines stands before it."""
    found = re.match(r"(?:\s|#[^\n]*\n)*(?:/\*+(.*?)\*+/|((?://[^\n]*\n)+))", text, re.DOTALL)
    if not found:
        return ""
    if found[1] is not None:
        return re.sub(r"^[ \t]*\*?[ \t]?", "", found[1], flags=re.MULTILINE)
    return re.sub(r"^//+ ?", "", found[2], flags=re.MULTILINE)


def comment_of_script(text):
    """The first lines of comment, without what is for the system."""
    lines = []
    for line in text.splitlines():
        if line.startswith(("#!", "# shellcheck")) and not lines:
            continue
        if not line.startswith("#"):
            if line.strip() or lines:
                break
            continue
        lines.append(line.lstrip("#").removeprefix(" "))
    return "\n".join(lines)


def comment(name, text):
    suffix = Path(name).suffix
    if suffix == ".py":
        return ast.get_docstring(ast.parse(text)) or ""
    if suffix in HASHES or name in AT_THE_TOP:
        return comment_of_script(text)
    return comment_of_c(text)


def sentence(name):
    """A file's own sentence; empty when it has none."""
    said = comment(name, (ROOT / name).read_text(encoding="utf-8")).strip()
    said = re.sub(r"\A[@\\]file\s+\S+\s*", "", said)
    brief = re.search(r"[@\\]brief\s+(.*)", said, re.DOTALL)
    said = (brief[1] if brief else said).split("\n\n")[0]
    own = re.escape(Path(name).name)
    said = re.sub(rf"\A`?(?:[\w/.-]*/)?{own}`?:\s+", "", said)
    words, out = said.split(), []
    for word in words:
        out.append(word)
        if word.endswith((".", "?", "!")) and not SHORT.search(word):
            break
    said = " ".join(out).rstrip(":")
    return said[:1].upper() + said[1:] if said and not is_name(said.split()[0]) else said


def is_name(word):
    """Whether a sentence's first word is a name, which keeps its case."""
    return (bool(re.search(r"[`_()/:]|\.\w|[a-z][A-Z]", word))
            or word in ("umcc", "umcc,", "umcc's", "umpython", "bfloat16,"))


def cell(text):
    """As Markdown in a table, of which neither Doxygen nor a browser takes anything for its own."""
    out = []
    for number, part in enumerate(re.split(r"(`[^`]*`)", text)):
        if number % 2 == 0:
            part = part.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            part = re.sub(r"([*@\\])", r"\\\1", part)
            part = NAME.sub(r"`\1`", part)
        # [x](y) would be a link, to the site's own staging even in code.
        out.append(part.replace("|", "&#124;").replace("](", "]&#8203;(" if number % 2 == 0 else "] ("))
    return "".join(out)


def rows(names):
    """[(files, sentence)] of a folder; raises nothing, a missing sentence is empty."""
    said = {name: sentence(name) for name in names}
    found = {}
    for name, text in said.items():
        same = re.fullmatch(r"[Ss]ee ([\w/.-]+\.h)\.?", text)
        header = os.path.join(os.path.dirname(name), same[1]) if same else None
        if header in said and header != name:
            found.setdefault(header, [header]).append(name)
        else:
            found.setdefault(name, [name])
    return [(files, said[first]) for first, files in sorted(found.items())]


def page():
    """The page, and the names of files without a sentence."""
    lines = ["# Each file in a sentence", "",
             "Made by `make internals` from the comment that each file begins with.",
             "[Architecture](architecture.md) says what the folders are for and which may call which,",
             "[sim/README.md](../sim/README.md) in which order to read.", ""]
    names, missing = [name for name in paths() if is_source(name)], []
    for part in FOLDERS:
        folders = {}
        for name in names:
            if inside(name, part):
                folders.setdefault("" if part == "" else os.path.dirname(name), []).append(name)
        for folder, files in sorted(folders.items()):
            lines += [f"## {folder}/" if folder else "## At the top", "", "| file | what it is |", "|---|---|"]
            for together, said in rows(files):
                missing += [] if said else together
                shown = ", ".join(f"`{name[len(folder):].lstrip('/') if folder else name}`" for name in together)
                lines.append(f"| {shown} | {cell(said)} |")
            lines.append("")
    return "\n".join(lines), missing


def main():
    parser = argparse.ArgumentParser(description="docs/internals.md: each file and its one sentence.")
    parser.add_argument("--check", action="store_true", help="write nothing, say what is wrong")
    args = parser.parse_args()
    text, missing = page()
    for name in missing:
        print(f"{name}: its first comment has no sentence that says what the file is", file=sys.stderr)
    if not args.check:
        (ROOT / PAGE).write_text(text, encoding="utf-8")
        print(PAGE)
    elif not (ROOT / PAGE).is_file() or (ROOT / PAGE).read_text(encoding="utf-8") != text:
        print(f"{PAGE} is out of date: make internals", file=sys.stderr)
        return 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
