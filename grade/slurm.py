"""Grades a class by Slurm: one job array, whose tasks grade a share each and leave records (grade/records.py).

The results folder, the submissions and this tree have to be on a file system that the nodes share. Partition, account
and similar settings come from Slurm's own variables (SBATCH_PARTITION, SBATCH_ACCOUNT). A job that is still running for
an earlier, killed `make grade-class` is waited for, not submitted again.
"""
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import records
import result as results
import submissions

# Slurm's default for MaxArraySize is 1001.
MOST_TASKS = 500
GONE = re.compile("Invalid job id")


def share(path, index):
    """What task `index` of the job described in a file grades: (job, submissions)."""
    document = results.read_json(path)
    job = records.Job(document["lab"], document["out"], document["build"], document["grader"], document["key"],
                      document["keyfile"])
    found = [submissions.Submission(*one) for one in document["submissions"]]
    return job, found[index::document["tasks"]]


def _call(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError as error:
        raise results.Bad(f"ENGINE=slurm needs Slurm: no {command[0]} here") from error
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"{command[0]} does not answer")


def _submit(job, found):
    folder, tasks = job.folder / "slurm", min(MOST_TASKS, len(found))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    results.write_atomically(folder / "job.json", json.dumps({
        "lab": job.lab, "out": str(job.out), "build": str(job.build), "grader": str(job.grader), "key": job.key,
        "keyfile": str(job.keyfile), "tasks": tasks, "submissions": [list(one) for one in found]}))
    command = shlex.join([sys.executable, str(Path(__file__).with_name("classroom.py")), "--task",
                          str(folder / "job.json")])
    done = _call("sbatch", "--parsable", f"--array=0-{tasks - 1}", f"--job-name=umlab-{job.lab}", "--cpus-per-task=1",
                 f"--chdir={results.ROOT}", f"--output={folder}/%a.log", f"--wrap=exec {command}")
    if done.returncode != 0:
        raise results.Bad(f"sbatch: {results.one_line(done.stderr.strip()[:300])}")
    number = done.stdout.strip().split(";")[0]
    results.write_atomically(folder / "id", number)
    return number


def _alive(number):
    """Whether Slurm still has the job. A controller that does not answer is asked again later."""
    done = _call("squeue", "--noheader", "--array", f"--jobs={number}", "--format=%i")
    if done.returncode != 0:
        return not GONE.search(done.stderr)
    return bool(done.stdout.strip())


def _earlier(job):
    """The number of a job that an earlier run left behind and that still goes on, or None."""
    try:
        number = (job.folder / "slurm" / "id").read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return number if number.isdigit() and _alive(number) else None


def _wait(job, found, number, progress):
    """Until the job is gone; counts records that have appeared."""
    missing, pause = {job.record_path(submission) for submission in found}, 0.2
    start = (job.folder / "slurm" / "id").stat().st_mtime
    while True:
        alive = _alive(number)
        appeared = {path for path in missing if path.exists() and path.stat().st_mtime >= start}
        progress.bar.update(len(appeared))
        missing -= appeared
        if not alive:
            return
        time.sleep(pause)
        pause = min(5, pause * 1.3)


def grade(job, found, progress):
    """Grades what has no fitting record yet. Stopped by Ctrl-C, it takes the job back."""
    number = _earlier(job)
    if number:
        print(f"grade-class: waiting for job {number}, which was begun earlier", file=sys.stderr)
        _wait(job, [], number, progress)
    before = {submission.id: records.fitting(job, submission) for submission in found}
    todo = [submission for submission in found if not before[submission.id]]
    progress.bar.update(len(found) - len(todo))
    if not todo:
        return
    number = _submit(job, todo)
    try:
        _wait(job, todo, number, progress)
    except KeyboardInterrupt:
        _call("scancel", number)
        raise
    for submission in todo:
        progress.fresh += records.fitting(job, submission)
