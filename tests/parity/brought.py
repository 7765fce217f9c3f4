"""The list of what headers of ours do not bring (brought.txt): read, and written so that a person can read it.

    thrust/fill.h thrust/sort.h as C++:
      cub: BlockLoad DeviceScan

A header is told once where it lacks the same as CUDA and as C++, and headers that lack the same are told together;
names stand behind their namespace. The site's page of what is provided shows it (docs/site/insert.py).
"""
from collections import defaultdict
from textwrap import wrap

LANGUAGES = ("CUDA", "C++")
ABOUT = ("# What NVIDIA's header of CUDA 13.0 makes visible, and ours of the same name does not. Written by\n"
         "# brings.py --update.\n")


def spaces(names):
    """[(namespace, names in it)]; a macro's is `macro`, and the global one `global`"""
    found = defaultdict(list)
    for name in sorted(names):
        space, mark, word = name.rpartition("::")
        found[(space or "global") if mark else "macro"].append(word)
    return sorted(found.items())


def name_of(space, word):
    return {"macro": "", "global": "::"}.get(space, f"{space}::") + word


def families(kept):
    """[(headers, languages, names)] of {(language, header): names}: headers that lack the same stand together."""
    lacks = defaultdict(lambda: defaultdict(list))
    for (language, header), names in kept.items():
        if names:
            lacks[header][frozenset(names)].append(language)
    together = defaultdict(list)
    for header, found in lacks.items():
        for names, languages in found.items():
            together[names, tuple(sorted(languages, key=LANGUAGES.index))].append(header)
    return sorted((sorted(headers), languages, names) for (names, languages), headers in together.items())


def write(path, kept):
    text = ABOUT
    for headers, languages, names in families(kept):
        text += "\n" + "\n".join(wrap(f"{' '.join(headers)} as {' and '.join(languages)}:", 118)) + "\n"
        for space, words in spaces(names):
            text += "\n".join(wrap(f"{space}: {' '.join(words)}", 118, initial_indent="  ", subsequent_indent="    ",
                                   break_long_words=False, break_on_hyphens=False)) + "\n"
    path.write_text(text)


def chapters(path):
    """(headers, languages, {namespace: names}) of each chapter of the list."""
    for chapter in path.read_text().split("\n\n")[1:]:
        head, _, body = chapter.partition(":\n")
        headers, _, languages = " ".join(head.split()).rpartition(" as ")
        found, space = {}, None
        for line in body.splitlines():
            if not line.startswith("    "):
                space, _, line = line.strip().partition(": ")
                found[space] = []
            found[space] += line.split()
        yield headers.split(), languages.split(" and "), found


def read(path):
    """{(language, header): names} as the list has them."""
    kept = defaultdict(set)
    for headers, languages, found in chapters(path) if path.is_file() else []:
        for header in headers:
            for language in languages:
                kept[language, header] |= {name_of(space, word) for space, words in found.items() for word in words}
    return kept
