#!/usr/bin/env python3
"""Every word that threads or processes share without a lock is in docs/memory-order.md: `make test`.

    tests/orders/listed.py [--page FILE]

The words are found in the sources: what is declared atomic or volatile in sim/ (but for sim/include, whose words are a
program's own), and what GCC's __atomic functions are given. Each must be named in a row of the page's tables, behind
the file that declares it; and the page may name no word that is not there. Where the sources make a relaxed access,
the row must say why relaxed is enough. Every file that maps memory for several processes must be named, too.
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIM = ROOT / "sim"
TYPE = r"(?:\batomic_\w+|\b_Atomic\s*\((?:[^()]|\([^()]*\))*\)|\b_Atomic\s+(?:const\s+)?\w+)"
DECLARED = re.compile(TYPE + r"\s+(\w[^;(){}=*]*?)\s*(?=[;={]|__attribute__)")
VOLATILE = re.compile(r"^\s*volatile\s+\w+\s+(\w+)\s*;|\*\s*(?:volatile|_Atomic)\s+(\w+)\s*[;=,\[]", re.M)
BUILTIN = re.compile(r"\b__atomic_(?!thread_fence|signal_fence)\w+\(([^;]*?),")
RELAXED = re.compile(r"\b(?:atomic|__atomic)_\w+\(([^;]*?),[^;]*?(?:memory_order_relaxed|__ATOMIC_RELAXED)")
SHARED = re.compile(r"\bumsim_shared_memory\s*\(\s*(?!size_t)|\bMAP_SHARED\b")


def code_of(file):
    """A source without its comments and strings."""
    text = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def last_name(expression):
    """The word that an expression is about: `&block->touched_read.word[i]` is about `word`."""
    without = re.sub(r"\[[^\[\]]*\]|\([^()]*\*\)", "", expression).split(" + ", maxsplit=1)[0]
    names = re.findall(r"[A-Za-z_]\w*", without)
    return names[-1] if names else expression


def words_of(code):
    """The names of shared words that a source declares, or uses by the compiler's functions."""
    declared = {re.match(r"\w+", part.strip())[0] for found in DECLARED.findall(code) for part in found.split(",")}
    return declared | {name for pair in VOLATILE.findall(code) for name in pair if name} | \
        {last_name(argument) for argument in BUILTIN.findall(code)}


def in_sources():
    """(words: file -> names, names that have a relaxed access, files that map shared memory)"""
    words, relaxed, maps = {}, set(), set()
    for file in sorted(SIM.rglob("*.[ch]")):
        short = file.relative_to(SIM).as_posix()
        if short.startswith("include/"):
            continue
        code = code_of(file)
        if found := words_of(code):
            words[short] = found
        relaxed |= {last_name(argument) for argument in RELAXED.findall(code)}
        if SHARED.search(code):
            maps.add(short)
    return words, relaxed, maps


def in_page(text):
    """(words: file -> names; the rows that name a word; files named anywhere)"""
    words, rows, files = {}, {}, set(re.findall(r"`([\w/]+\.[ch])`", text))
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        file = None
        for span in re.findall(r"`([^`]+)`", line.split("|")[1]):
            if re.fullmatch(r"[\w/]+\.[ch]", span):
                file = span
            elif file:
                words.setdefault(file, set()).add(span)
                rows.setdefault(span, []).append(line)
    return words, rows, files


def differences(page):
    """Lines about what is missing."""
    there, relaxed, maps = in_sources()
    told, rows, files = in_page(page)
    for file in sorted(there | told):
        for word in sorted(there.get(file, set()) - told.get(file, set())):
            yield f"sim/{file}: `{word}` is shared, and the page does not say who writes it, who reads it, and how"
        for word in sorted(told.get(file, set()) - there.get(file, set())):
            yield f"the page names `{word}` of sim/{file}, which has no such word"
    for word in sorted(relaxed & set(rows)):
        if not any("relaxed" in row for row in rows[word]):
            yield f"`{word}` has a relaxed access, and its row does not say why that is enough"
    for file in sorted(maps - files):
        yield f"sim/{file} maps memory that processes share, and the page does not name it"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=Path, default=ROOT / "docs/memory-order.md")
    page = parser.parse_args().page
    if not page.is_file():
        print(f"{page} is not there", file=sys.stderr)
        return 2
    text = page.read_text(encoding="utf-8")
    found = list(differences(text))
    print("\n".join(found) or f"{sum(map(len, in_sources()[0].values()))} shared words, all of them in {page.name}")
    # A page that names one word less must be found out.
    without = text.replace("`submitted`", "")
    if not found and not any("`submitted`" in line for line in differences(without)):
        print("a page without `submitted` was not found out")
        return 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
