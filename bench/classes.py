#!/usr/bin/env python3
"""bench: submissions a second of make grade-class, beside as many bare graders started by xargs.

    bench/classes.py          UMLAB_BUILD names the build; tools like bench/run.py read the line of JSON

Lab 1's solution, handed in by 12 students for each processor. What xargs lacks is what a class needs: records that
outlive a SIGKILL, a gradebook, pages. Exit 2: no grader is built.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "grade"))
import keyfile  # noqa: E402
import records  # noqa: E402
import submissions  # noqa: E402

LAB = "lab1"


def timed(command, **more):
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **more)
    return time.monotonic() - start


def main():
    build, jobs = Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")), len(os.sched_getaffinity(0))
    if not (build / f"grade/{LAB}.so").exists():
        print(f"no grader in {build} (make graders)", file=sys.stderr)
        return 2
    count = 12 * jobs
    with tempfile.TemporaryDirectory(prefix="umlab-bench-") as folder:
        os.environ["UMLAB_KEY"] = f"{folder}/key"
        keyfile.made()
        source = (next(ROOT.glob(f"labs/{LAB}_*")) / submissions.FILE).read_text(encoding="utf-8")
        for index in range(count):
            student = Path(folder, "submissions", f"student{index}")
            student.mkdir(parents=True)
            (student / submissions.FILE).write_text(f"/* {index} */\n{source}", encoding="utf-8")
        job = records.Job(LAB, folder, build)
        bare = " ".join(job.command(f"{folder}/submissions/{{}}", f"{folder}/bare-{{}}")) + " >/dev/null"
        names = "\n".join(f"student{index}" for index in range(count))
        peer = timed(["xargs", "-P", str(jobs), "-I", "{}", "sh", "-c", bare], input=names, text=True)
        ours = timed([sys.executable, ROOT / "grade/classroom.py", "--lab", LAB, "--submissions",
                      f"{folder}/submissions", "--out", f"{folder}/class", "--build", build])
    print(json.dumps({"work": f"grade-class, {count} of {LAB}, {jobs} at a time", "unit": "submissions/s",
                      "ours": count / ours, "peer": count / peer, "peer_name": "umgrade alone, by xargs", "target": 0.8,
                      "target_is": "ratio", "better": "higher"}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
