#!/usr/bin/env python3
"""What NVIDIA's compute-sanitizer says of the planted errors, on a machine with a GPU, nvcc and compute-sanitizer.

    tests/planted/sanitizer.py --out FILE.json [--jobs N] [--seconds N] [--tools memcheck,racecheck] [PART-OF-A-NAME]

Compiles each program of this folder, runs it with its error and without one under each tool, and writes for each
[status of the tool, seconds, the first lines that tell something]. The status is 99 where the tool told an error, null
where the run was ended after --seconds (some errors are programs that wait for ever). What is in FILE already is not
asked again, so several calls share one file. measured/h200.json is what an H200 answered; run.py's table has it beside
what umcc --check tells.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = {"memcheck": ["--leak-check", "full"], "racecheck": ["--racecheck-report", "all"], "initcheck": [],
         "synccheck": []}
TELLS = re.compile(r"^========= (?!COMPUTE-SANITIZER|     |$)(.*\S)", re.MULTILINE)


def said_by(command, seconds):
    """[status, seconds, lines]: what the tool tells of a program."""
    start = time.monotonic()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", start_new_session=True) as running:
        try:
            text, status = running.communicate(timeout=seconds)[0], running.returncode
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            text, status = running.communicate()[0], None
    lines = [line for line in TELLS.findall(text) if not line.startswith("Host Frame")]
    return [status, round(time.monotonic() - start, 1), lines[:3]]


def compiled(source, folder):
    """The program, or None with nvcc's message."""
    program = folder / str(source.relative_to(HERE).with_suffix("")).replace("/", "-")
    made = subprocess.run(["nvcc", "-std=c++17", "-arch=native", "-lineinfo", "-w", "-o", program, source],
                          capture_output=True, text=True, check=False)
    return (program, "") if made.returncode == 0 else (None, made.stderr.strip())


def asked(source, known, args, folder):
    """(name, entry): what is known of a program, with the answers that were missing."""
    name = str(source.relative_to(HERE).with_suffix(""))
    entry = dict(known.get(name, {}))
    wanted = [(tool, how) for tool in args.tools for how in ("planted", "right") if f"{tool} {how}" not in entry]
    program, message = compiled(source, folder) if wanted else (None, "")
    if message:
        entry["nvcc"] = message.splitlines()[0]
    for tool, how in wanted if program else []:
        command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", *TOOLS[tool], program]
        entry[f"{tool} {how}"] = said_by(command + (["planted"] if how == "planted" else []), args.seconds)
    return name, entry


def facts():
    """The conditions: card, driver, toolkit, the tool's version, the day."""
    def ask(*command):
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip().splitlines()
        return lines[-1] if lines else ""
    card, driver = ask("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").split(", ")
    return {"gpu": card, "driver": driver, "nvcc": ask("nvcc", "--version"),
            "compute_sanitizer": ask("compute-sanitizer", "--version"), "date": time.strftime("%Y-%m-%d")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=15, help="the longest run of one program under one tool")
    parser.add_argument("--tools", type=lambda text: text.split(","), default=list(TOOLS))
    parser.add_argument("part", nargs="?", default="")
    args = parser.parse_args()
    known = json.loads(args.out.read_text()) if args.out.is_file() else {"conditions": facts(), "programs": {}}
    sources = [s for s in sorted(HERE.glob("*/*.cu")) if args.part in str(s.relative_to(HERE))]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        for name, entry in pool.map(lambda source: asked(source, known["programs"], args, Path(folder)), sources):
            known["programs"][name] = entry
            args.out.write_text(json.dumps(known, indent=1) + "\n")
    print(f"{args.out}: {len(sources)} programs")


if __name__ == "__main__":
    main()
