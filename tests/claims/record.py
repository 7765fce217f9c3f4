#!/usr/bin/env python3
"""`make claims`: what the tests of claims find here, beside what is kept; with --keep it is kept.

    tests/claims/record.py --backend sim --build build/sim [--keep] EXECUTABLE

Kept are tests/claims/measured/sim.json and h200.json: {schema, backend, device, date, behaviours, times, versions,
findings}; beside a GPU's, its raw output. Behaviours and ctypes' findings have to be the H200's on the simulator, too;
times are the backend's own. Prints a line a finding, last `N findings, N differ`. Exit 1 when any differs, or when a
test failed; 2 when nothing ran.
"""
import argparse
import datetime
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MEASURED = Path(__file__).parent / "measured"
# Findings that nobody can have here begin so: those of NumPy, where a Python lacks it.
ABSENT = () if importlib.util.find_spec("numpy") else ("numpy-",)


def run(args):
    """Returns the executable's result, and the document of what was found."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as lines:
        env = dict(os.environ, UMLAB_BEHAVIOURS=lines.name, UMLAB_RECORD="1")
        tests = subprocess.run([args.executable], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", check=False)
        rows = [json.loads(line) for line in Path(lines.name).read_text(encoding="utf-8").splitlines()]
    names = {}
    for row in rows:
        if names.setdefault(row["name"], row["got"]) != row["got"]:
            raise SystemExit(f"claims: two answers for {row['name']!r}")
    document = {"schema": "umlab-claims/1", "backend": args.backend, **conditions(args),
                "behaviours": {row["name"]: row["got"] for row in rows if not row.get("time")},
                "times": {row["name"]: row["got"].strip() for row in rows if row.get("time")}, **frameworks(args)}
    return tests, document


def frameworks(args):
    """{versions, findings} of the Python frameworks that are here."""
    python = subprocess.run([sys.executable, str(Path(__file__).parent / "frameworks.py"), "--backend", args.backend,
                             "--build", args.build], stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(python.stdout) if python.returncode == 0 else {"versions": {}, "findings": {}}


def keep_findings(args):
    """Keeps what the frameworks say, beside what the tests found before: on a device of the same name and driver
    only."""
    name = "sim.json" if args.backend == "sim" else "h200.json"
    document, here = kept(name), conditions(args)
    if document.get("device") != here["device"]:
        raise SystemExit(f"claims: {name} is of {document.get('device')}, this is {here['device']}")
    document.update(frameworks(args))
    (MEASURED / name).write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{MEASURED / name}: {len(document['findings'])} findings of frameworks")
    return 0


def conditions(args):
    if args.backend == "sim":
        return {"device": {"name": "simulator", "profile": os.environ.get("UMSIM_PROFILE", "h200-pcie5"),
                           "times": "modelled"}}
    query = ["nvidia-smi", "--query-gpu=name,driver_version,pcie.link.gen.max,pcie.link.width.max",
             "--format=csv,noheader"]
    name, driver, gen, width = subprocess.run(query, capture_output=True, text=True,
                                              check=True).stdout.splitlines()[0].split(", ")
    nvcc = subprocess.run([os.environ.get("NVCC", "nvcc"), "--version"], capture_output=True, text=True,
                          check=True).stdout
    toolkit = next(line.split("release ")[1].split(",")[0] for line in nvcc.splitlines() if "release" in line)
    return {"device": {"name": name, "driver": driver, "toolkit": toolkit, "link": f"PCIe {gen}.0 x{width}",
                       "times": "measured"},
            "date": datetime.date.today().isoformat()}


def kept(name):
    path = MEASURED / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"behaviours": {}, "times": {},
                                                                               "findings": {}}


def answers(document):
    return {**document["behaviours"], **document["findings"]}


def differences(document):
    """Lines about what is not as it is kept: a backend's own file, and for answers the H200's."""
    own = kept("sim.json" if document["backend"] == "sim" else "h200.json")
    lines = []
    for part in ("behaviours", "times", "findings"):
        # On a GPU the times vary, and another machine's frameworks are others.
        if document["backend"] == "cuda" and part != "behaviours":
            continue
        for name in sorted(set(own[part]) | set(document[part])):
            if own[part].get(name) != document[part].get(name) and not name.startswith(ABSENT):
                lines.append(f"{name}: {document[part].get(name)}, kept is {own[part].get(name)}")
    hardware = answers(kept("h200.json"))
    for name, value in answers(document).items():
        if hardware.get(name) != value:
            lines.append(f"{name}: {value}, the H200 says {hardware.get(name)}")
    return lines


def main():
    parser = argparse.ArgumentParser(description="What the tests of claims find, beside what is kept.")
    parser.add_argument("--backend", required=True, choices=["sim", "cuda"])
    parser.add_argument("--build", required=True)
    parser.add_argument("--keep", action="store_true", help="write what was found to tests/claims/measured")
    parser.add_argument("--findings", action="store_true",
                        help="keep only what the Python frameworks say, ask nothing else")
    parser.add_argument("executable")
    args = parser.parse_args()
    if ABSENT and (args.keep or args.findings):
        print("claims: NumPy is missing, and what is kept would lack its findings: ./setup.sh", file=sys.stderr)
        return 2
    if args.findings:
        return keep_findings(args)
    tests, document = run(args)
    if not document["behaviours"] or tests.returncode not in (0, 1):
        sys.stderr.write(tests.stdout)
        print(f"claims: the tests ended with status {tests.returncode}", file=sys.stderr)
        return 2
    count = sum(len(document[part]) for part in ("behaviours", "times", "findings"))
    if args.keep:
        name = "sim" if args.backend == "sim" else "h200"
        MEASURED.mkdir(exist_ok=True)
        (MEASURED / f"{name}.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n",
                                               encoding="utf-8")
        if args.backend == "cuda":
            (MEASURED / f"{name}.txt").write_text(tests.stdout, encoding="utf-8")
        print(f"{MEASURED / name}.json: {count} findings")
        return tests.returncode
    for part in ("behaviours", "times", "findings"):
        for name, value in document[part].items():
            print(f"{name}: {value}")
    lines = differences(document)
    for line in lines:
        print(f"DIFFERS {line}")
    print(f"{count} findings, {len(lines)} differ")
    return 1 if lines or tests.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
