"""No replaced word is a whole part of an identifier or of a file's name: docs/renamed.md says which words, and where.

    python3 tests/lint/words.py [ROOT]

A row of its first table: old words (with commas; some are of several parts, such as `asks_who`) | the new one | where
they are refused: folders and patterns of paths, `!` takes some out, and a later one wins | `identifiers` that stay, and
why.
"""
import fnmatch
import functools
import re
import subprocess
import sys
from pathlib import Path

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
C_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.S)
PYTHON_TEXT = re.compile(r"\#[^\n]*|[rRbBuUfF]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\""
                         r"|'(?:\\.|[^'\\\n])*')", re.S)
SHELL_TEXT = re.compile(r"(?:(?<=\s)|^)#[^\n]*|\"(?:\\.|[^\"\\])*\"|'[^']*'", re.M)
KINDS = {**dict.fromkeys((".c", ".h", ".cu", ".cpp", ".js"), C_TEXT), ".py": PYTHON_TEXT,
         ".sh": SHELL_TEXT, ".mk": SHELL_TEXT}
# What stays by its nature: recorded data, published schemas.
NEVER = re.compile(r"(^|/)(measured|schema)/|^docs/renamed\.md$|^tests/lint/words\.py$")


@functools.lru_cache(maxsize=None)
def parts_of(name):
    return tuple(part.lower() for part in PART.findall(name))


class Row:
    def __init__(self, old, new, where, stays):
        self.new = new.strip()
        self.words = [tuple(word.strip().strip("`").split("_")) for word in old.split(",")]
        self.where = where.replace("`", "").replace(",", " ").split()
        self.stays = set(re.findall(r"`([^`]+)`", stays))

    def covers(self, path):
        found = False
        for pattern in self.where:
            wanted, pattern = not pattern.startswith("!"), pattern.lstrip("!")
            if pattern == "everywhere" or path.startswith(pattern) or fnmatch.fnmatch(path, pattern):
                found = wanted
        return found

    def is_in(self, name):
        parts = parts_of(name)
        found = any(word[0] in parts and any(parts[i:i + len(word)] == word for i in range(len(parts)))
                    for word in self.words)
        return found and not any(fnmatch.fnmatchcase(name, stays) for stays in self.stays)


def rows(text):
    table = text.split("\n## ")[1]
    for line in table.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and not line.startswith("|---") and cells[0] != "old":
            yield Row(*cells)


def identifiers(path, text):
    """(line, name): all of code; of comments and strings only names of several parts. Python's methods are others'."""
    quoted = KINDS.get(Path(path).suffix) or (SHELL_TEXT if Path(path).name in ("Makefile", "run") else None)
    if not quoted:
        return
    code = quoted.sub(lambda match: re.sub(r"(?<![A-Za-z0-9_])[A-Za-z]+(?![A-Za-z0-9_])", "", match.group()), text)
    for number, line in enumerate(code.split("\n"), 1):
        for match in IDENTIFIER.finditer(line):
            if not (path.endswith(".py") and line[match.start() - 1:match.start()] == "."):
                yield number, match.group()


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    table = list(rows((root / "docs/renamed.md").read_text(encoding="utf-8")))
    if not table:
        sys.exit("words: docs/renamed.md has no table of words")
    paths = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                           text=True, check=True).stdout
    options = [stays for row in table for stays in row.stays if stays.startswith("-")]  # of others' programs
    wrong, count = [], 0
    for path in filter(None, paths.split("\n")):
        if NEVER.search(path) or not (root / path).is_file():
            continue
        mine = [row for row in table if row.covers(path)]
        wrong += [f"{path}: the file's name: {row.new}" for row in mine if row.is_in(Path(path).stem)]
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for option in options:
            text = text.replace(option, "")
        seen = {}
        for number, name in identifiers(path, text):
            seen.setdefault(name, number)
        count += len(seen)
        wrong += [f"{path}:{number}: {name}: {row.new}"
                  for name, number in seen.items() for row in mine if row.is_in(name)]
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(f"words: {len(wrong)} names have a part that docs/renamed.md replaces")
    print(f"words: {count} names, none with a part that was replaced ({len(table)} rows)")


if __name__ == "__main__":
    main()
