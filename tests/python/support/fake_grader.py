#!/usr/bin/env python3
"""Stands in for umgrade where tests are about classes, not about grading: the submission says how it ends.

The first line of exercise.c is a comment with one word for each check (`// PASS FAIL SKIP TIMEOUT CRASH
BUILD-ERROR`), or with what the grader itself is to do: `// die`, `// partly` (dies after two checks), `// hang`, `//
lie` (a result that is none), `// once` (dies the first time only: needs FAKE_GRADER_ONCE, a file). With `// seed` it
passes when the seed came without being an argument. FAKE_GRADER_SECONDS is how long each takes.

Asked for its own exercise alone, it fails with what FAKE_GRADER_LACKS says, if that says something, and adds a line to
the file FAKE_GRADER_CANARIES.
"""
import argparse
import json
import os
import signal
import sys
import time
from pathlib import Path

from cases import sample

parser = argparse.ArgumentParser()
for name in ("lab", "lab-dir", "checks", "root", "build", "out", "submission", "seed", "canary"):
    parser.add_argument("--" + name)
args = parser.parse_args()
if args.canary == "only":
    if os.environ.get("FAKE_GRADER_CANARIES"):
        with open(os.environ["FAKE_GRADER_CANARIES"], "a", encoding="utf-8") as canaries:
            canaries.write(f"{args.lab}\n")
    if lacks := os.environ.get("FAKE_GRADER_LACKS"):
        print(f"umgrade: grader failed: {lacks}", file=sys.stderr)
        sys.exit(2)
    sys.exit(0)
time.sleep(float(os.environ.get("FAKE_GRADER_SECONDS", 0)))
words = Path(args.submission, "exercise.c").read_text().split("\n")[0].split()[1:]
out = Path(args.out)
out.mkdir(exist_ok=True)
if words[0] == "seed":
    seed = os.environ["UMLAB_SEED"]
    words = ["FAIL" if any(seed in word for word in sys.argv) else "PASS"]
if words[0] == "once":
    once = Path(os.environ["FAKE_GRADER_ONCE"])
    words = ["PASS"] if once.exists() else ["die"]
    once.touch()
if words[0] == "partly":
    lines = [json.dumps(check) for check in sample(["PASS", "FAIL"])["checks"]]
    (out / f"{args.lab}.jsonl").write_text("\n".join(lines) + "\n" + lines[0][:40])
    words = ["die"]
if words[0] == "die":
    print("about to die")
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)
if words[0] == "hang":
    time.sleep(1000)
result = sample(["PASS"] if words == ["lie"] else words, lab=args.lab, submission=args.submission)
if words[0] == "lie":
    result["score"] = 100
(out / f"{args.lab}.json").write_text(json.dumps(result))
sys.exit(0 if result["score"] == result["max_score"] else 1)
