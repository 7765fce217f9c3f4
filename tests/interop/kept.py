"""What systems.py found and is kept, measured/sim-systems.json and h200-systems.json: read, checked, and shown as
Markdown (docs/interop.md). Needs no library, so that the site can be built without any.
"""
import json
from pathlib import Path

CELLS = {"address": "gets the address", "shares": "shares, no copy", "our_kernel": "our kernel, its memory",
         "its_kernel": "its kernel, our memory", "lifetime": "lifetime safe", "error": "error clear"}
MEASURED = Path(__file__).parent / "measured"
SIDES = {"simulator": "sim-systems.json", "H200": "h200-systems.json"}


def load():
    return {side: json.loads((MEASURED / name).read_text(encoding="utf-8")) for side, name in SIDES.items()}


def wrong(documents, cells_of):
    """What is kept of other cells than there are ({system: [cells]}), or has failed; one line each."""
    for side, document in documents.items():
        for name in sorted(set(cells_of) | set(document["systems"])):
            kept = document["systems"].get(name, {}).get("cells", {})
            if set(kept) != set(cells_of.get(name, ())):
                apart = sorted(set(kept) ^ set(cells_of.get(name, ())))
                yield f"{side}: {name} has {', '.join(apart)} on one side only"
            for cell, found in kept.items():
                if found["outcome"] not in ("ok", "SKIP"):
                    yield f"{side}: {name}: {cell} is kept as {found['outcome']}"
    for name, cells in cells_of.items():
        for cell in cells:
            if not any(document["systems"].get(name, {}).get("cells", {}).get(cell, {}).get("outcome") == "ok"
                       for document in documents.values()):
                yield f"{name}: {cell} has passed nowhere"


def conditions(documents):
    words = []
    for side, document in documents.items():
        device = document["device"]
        where = (f"profile {device['profile']}" if side == "simulator" else
                 f"one {device['name']}, driver {device['driver']}, CUDA {device['toolkit']}")
        versions = ", ".join(f"{name} {system['version'].removeprefix('Python ')}"
                             for name, system in document["systems"].items()
                             if system.get("version") and name != "ctypes")
        words.append(f"{side}: {where}, {document['date']}; Python {document['python']}, {versions}.")
    return " ".join(words)


def table(documents):
    """Systems and cells: on which side each has passed."""
    lines = ["| | " + " | ".join(CELLS.values()) + " |", "|---|" + "---|" * len(CELLS)]
    for name in next(iter(documents.values()))["systems"]:
        row = []
        for cell in CELLS:
            sides = [side for side, document in documents.items() if document["systems"][name]["cells"][cell]["outcome"]
                     == "ok"]
            row.append("both" if len(sides) == 2 else sides[0] if sides else "-")
        lines.append(f"| **{name}** | " + " | ".join(row) + " |")
    return "\n".join(lines)


def details(documents):
    """What each cell found, in its own words: the H200's where it was asked there."""
    lines = ["| system | cell | what was found |", "|---|---|---|"]
    for name in next(iter(documents.values()))["systems"]:
        for cell in next(iter(documents.values()))["systems"][name]["cells"]:
            said = {side: document["systems"][name]["cells"][cell]["said"] for side, document in documents.items()
                    if document["systems"][name]["cells"][cell]["outcome"] == "ok"}
            words = said.get("H200") or next(iter(said.values()))
            if said.get("simulator", words) != words:
                words += "; simulator: " + ("0 bytes copied" if "0 bytes copied" in said["simulator"]
                                            else said["simulator"])
            words = words.replace("|", "\\|").replace("__", "\\_\\_").replace("<", "&lt;")
            lines.append(f"| {name} | {CELLS.get(cell, cell.replace('_', ' '))} | {words} |")
    return "\n".join(lines)


def skipped(documents):
    """Why a system was not asked on a side."""
    lines = []
    for side, document in documents.items():
        reasons = {}
        for name, system in document["systems"].items():
            if all(found["outcome"] == "SKIP" for found in system["cells"].values()):
                reasons.setdefault(next(iter(system["cells"].values()))["said"], []).append(name)
        lines += [f"- {side}: {', '.join(names)}: {reason}." for reason, names in reasons.items()]
    return "\n".join(lines)
