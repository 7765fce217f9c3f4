#!/usr/bin/env python3
"""The version stands in VERSION; what cannot read that file states the same: `make lint`.

    tests/lint/version.py

sim/include/umsim.h states it, since programs include it where no VERSION is (umcc takes it from there); CITATION.cff
and the newest entry of CHANGELOG.md state it for readers. Prints a line for each that differs; exit 1 then.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STATED = {  # the first match of each is the version
    "sim/include/umsim.h": r'^#define UMLAB_VERSION "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
    "CHANGELOG.md": r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$",
}


def differences():
    version = (ROOT / "VERSION").read_text(encoding="utf-8").removesuffix("\n")
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"VERSION: {version!r} is not three numbers"
    for name, pattern in STATED.items():
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        if not found or found[1] != version:
            yield f"{name}: states {found[1] if found else 'no version'}, VERSION is {version}"


def dates():
    """A release has one date."""
    cited = re.search(r'^date-released: "(.*)"$', (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    told = re.search(r"^## \[\d.*?\] - (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not cited or not told or cited[1] != told[1]:
        yield f"CITATION.cff: released on {cited and cited[1]}, CHANGELOG.md says {told and told[1]}"


def main():
    wrong = [*differences(), *dates()]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
