#!/usr/bin/env python3
"""Data kept from machines tell what was measured and on which GPU, not whose machine it was: `make lint`.

    tests/lint/records.py [FILE...]     without files: all that git tracks and that is kept as data

Refused are a host's name, a kernel's release, a UUID or serial number, and a path, because each of them tells a
stranger about a network and nobody about the figures. Prints a line for each that is found; exit 1 then.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("*/measured/*", "profiles/*", "bench/gpu/*.json", "docs/claims/*.json", "grade/schema/*.json", "course.json")
PROGRAMS = (".py", ".sh", ".cu", ".c", ".h")  # they stand beside what they measured, and are no data

HEX = "[0-9a-fA-F]"
FORBIDDEN = {
    "a UUID": re.compile(rf"\b{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}\b"),
    "a kernel's release": re.compile(
        r"\bLinux(?: version)? \d+\.\d+|\b\d+\.\d+\.\d+-(?=[\w.-]*[a-z])[\w.-]+|\.(?:x86_64|aarch64)\b"),
    # Not the slash of GB/s, of a cell's name such as copy/h2d, or of an address on the web; nor what every Linux has.
    "a path": re.compile(r"(?<![\w/.:*)~-])(?!/proc/self\b|/dev/zero\b)~?/(?:[\w.+-]+/)+[\w.+-]*"
                         r"|(?<![\w/.:])/(?:home|root|tmp|usr|opt|var|mnt|srv|etc)\b|\b[A-Z]:\\\\?\w"),
    "a host's name": re.compile(r"\b(?:host ?name|node ?name|uname)\b\W{1,4}\w", re.IGNORECASE),
    # As a key of JSON: what may stand behind it is anybody's guess.
    "a field that tells whose machine it was": re.compile(
        r'"(?:host|hostname|node|nodename|machine|kernel_release|uuid|gpu_uuid|serial|user|cwd)"\s*:'
        r'|"kernel"\s*:\s*"\d'),
}


def problems(text):
    """Lines about what a record must not hold."""
    for number, line in enumerate(text.splitlines(), 1):
        for what, pattern in FORBIDDEN.items():
            found = pattern.search(line)
            if found:
                yield f"{number}: {what}: {line[max(found.start() - 20, 0):found.end() + 30].strip()}"


def kept():
    """Files that are kept as data; without git, all that stand where data stand."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard", *KEPT], capture_output=True,
                          check=False)
    names = done.stdout.decode().split("\0")
    if done.returncode != 0:
        folders = [folder for top in ("bench", "tests") for folder in (ROOT / top).rglob("measured")]
        paths = [path for folder in folders for path in folder.rglob("*")]
        paths += [path for glob in KEPT[1:] for path in ROOT.glob(glob)]
        names = [str(path.relative_to(ROOT)) for path in paths]
    return sorted(name for name in names if name and (ROOT / name).is_file() and not name.endswith(PROGRAMS))


def main(names):
    names = names or kept()
    found = 0
    for name in names:
        for problem in problems((ROOT / name).read_text(encoding="utf-8")):
            print(f"{name}:{problem}", file=sys.stderr)
            found += 1
    if not names:
        print("records: no file is kept as data: this lint looks in the wrong places", file=sys.stderr)
        return 1
    if not found:
        print(f"records: {len(names)} files of data name no host, kernel release, UUID or path")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
