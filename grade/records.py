"""Grades one submission of a class, and keeps a record of it.

    OUT/labN/records/ID.json    {"key", "id", "student", "number", "state", "why", "result"}; written whole, once graded
    OUT/labN/work/ID.PID/       what the grader works on; gone afterwards

Before the first submission of a run, the grader solves an exercise of its own (canary.c). Where it cannot, the machine
lacks something, and no submission is graded on it.

`result` is null or, where the grader failed, what it had judged by then. `key` is a digest of what was graded and of
what graded it. A record whose key still fits is not made again, so a class that was cut off, even by SIGKILL, resumes
where it was. `state` is graded; not submitted (why); or grader failed (why), which is tried again next time.
"""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import keyfile as course_key
import result as results
import submissions

GRADED, NOT_SUBMITTED, FAILED = "graded", "not submitted", "grader failed"
# The grader ends each call by itself; this is for a grader that hangs.
DEADLINE_S = 600
# Even by SIGKILL: the kernel signals when the parent is gone, and the shell looks whether it was before that was
# arranged.
DIE_WITH_US = ("setpriv", "--pdeathsig", "KILL", "sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"')


class Lacking(results.Bad):
    """`grader failed: ` and what the machine lacks: nothing can be graded on it."""


class Job:
    """What is the same for all submissions of a class. `build` is such as build/sim; the grader stands in it. `key` is
    a digest of what grades; `keyfile` is the path of the course's key, of which nothing is in that digest."""

    def __init__(self, lab, out, build, grader=None, key=None, keyfile=None):
        self.lab, self.out, self.build = lab, Path(out), Path(build)
        self.grader = Path(grader or self.build / "grade/umgrade")
        self.folder = self.out / lab
        self.lab_folder = results.lab_folder(lab)
        self.checks = self.build / f"grade/{lab}.so"
        self.seed = results.course()["seed"]
        self.key, self.keyfile = key or self._fingerprint(), Path(keyfile or course_key.path_of())
        self.running, self.lock, self.stopping = set(), threading.Lock(), False
        self.lacks, self.trying = None, threading.Lock()

    def _fingerprint(self):
        """A digest of what decides a grade beside the submission: grader, checks, simulator, seed."""
        digest = hashlib.sha256(f"{self.lab} {self.seed}".encode())
        inside = self.build / "grade/sandbox"
        for file in (self.grader, self.checks, inside / "umforkserver", inside / "libumlab.so",
                     self.build / "lib/libumsim.so", self.lab_folder / "grade/calls.c",
                     self.lab_folder / "grade/lessons.md",
                     self.lab_folder / "exercise.h"):
            if file.is_file():
                with open(file, "rb") as opened:
                    digest.update(hashlib.file_digest(opened, "sha256").digest())
        return digest.hexdigest()

    def command(self, source, out, canary="none"):
        """The grader's command line. UMLAB_SANDBOX: as umgrade's --sandbox, to see what it is like where another
        does not start."""
        sandbox = os.environ.get("UMLAB_SANDBOX")
        return [str(word) for word in (
            self.grader, "--lab", self.lab, "--lab-dir", self.lab_folder, "--checks", self.checks, "--root",
            results.ROOT,
            "--build", self.build, "--out", out, "--submission", source, "--canary", canary,
            *(("--sandbox", sandbox) if sandbox else ()))]

    def environment(self, student):
        """Seed and student go here: arguments can be read in /proc, by submissions too. Of the key it has the path."""
        return dict(os.environ, UMLAB_SEED=str(self.seed), UMLAB_KEY=str(self.keyfile), UMLAB_STUDENT=student)

    def see_that_it_grades(self):
        """Once in a run. Raises Lacking."""
        with self.trying:
            if self.lacks is None:
                self.lacks = _canary(self)
        if self.lacks:
            raise Lacking(self.lacks)

    def record_path(self, submission):
        return self.folder / "records" / f"{submission.id}.json"

    def stop(self):
        """Ends the graders that run. What they were at will be graded next time."""
        with self.lock:
            self.stopping = True
            for process in self.running:
                os.killpg(process.pid, signal.SIGKILL)


def kept(job, submission):
    """The record of a submission, or None. One that cannot be read counts as none."""
    try:
        record = results.read_json(job.record_path(submission))
        return record if record["state"] in (GRADED, NOT_SUBMITTED, FAILED) and "key" in record else None
    except (results.Bad, KeyError, TypeError):
        return None


def _run(job, student, command, log):
    """Runs the grader. Returns how it ended, in words, or "" when it ended by itself with an answer."""
    # A session of its own, so that all of it can be ended.
    with job.lock:
        if job.stopping:
            return "stopped"
        process = subprocess.Popen([*DIE_WITH_US, str(os.getpid()), *command], stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   env=job.environment(student))
        job.running.add(process)
    try:
        status = process.wait(DEADLINE_S * float(os.environ.get("GRADE_TIMEOUT_SCALE") or 1))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return "the grader did not come to its end"
    finally:
        with job.lock:
            job.running.discard(process)
    if status < 0:
        return f"the grader died of {signal.Signals(-status).name}"
    return "" if status in (0, 1) else f"the grader exited with {status}"


def _last_line(log):
    log.seek(max(0, log.seek(0, os.SEEK_END) - 2000))
    lines = log.read().decode("utf-8", "replace").strip().splitlines()
    return results.one_line(lines[-1][:300]) if lines else "it said nothing"


def _canary(job):
    """"" where the grader has solved its own exercise; else why it has not."""
    work = job.folder / "work" / f"canary.{os.getpid()}"
    try:
        work.mkdir(parents=True, exist_ok=True)
        with open(work / "log", "w+b") as log:
            why = _run(job, "", job.command(job.lab_folder, work, "only"), log)
            log.seek(0)
            said = log.read().decode("utf-8", "replace").strip()
    except OSError as error:
        return f"grader failed: {error}"
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if not why:
        return ""
    told = said.rpartition("umgrade: grader failed: ")[2] or f"{why}: it said nothing"
    return "grader failed: " + results.one_line(" ".join(told.split())[:600])


def _partial(job, out):
    """A result of the checks that were judged before the grader failed, or None."""
    checks = results.unfinished(out / f"{job.lab}.jsonl")
    document = {"schema": "umlab-grade/1", "lab": job.lab, "submission": "", "backend": "sim", "profile": "",
                "cage": "",
                "started": "1970-01-01T00:00:00Z", "seconds": 0, "complete": False, "build": {"ok": True, "log": ""},
                "score": sum(check["points"] for check in checks), "checks": checks,
                "max_score": sum(check["max_points"] for check in checks)}
    return results.check(document) if checks else None


def _grade(job, submission, source):
    """Returns (state, why, result) of one attempt."""
    work = job.folder / "work" / f"{submission.id}.{os.getpid()}"
    shutil.rmtree(work, ignore_errors=True)
    try:
        (work / "submission").mkdir(parents=True)
        (work / "submission" / submissions.FILE).write_bytes(source)
        with open(work / "log", "w+b") as log:
            why = _run(job, submission.id, job.command(work / "submission", work / "out"), log)
            if why:
                return FAILED, f"{why}: {_last_line(log)}", _partial(job, work / "out")
        result = results.load(work / "out" / f"{job.lab}.json")
        if result["lab"] != job.lab or not result["complete"]:
            return FAILED, "the grader left a result that is not complete", None
        return GRADED, "", result | {"submission": submission.name}
    except (results.Bad, OSError) as error:
        return FAILED, str(error).replace(str(work), "..."), None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _read(job, submission):
    """(source or None, why not, key). OSError: the machine is at fault."""
    try:
        source, why = submissions.read(submission, job.lab), ""
    except submissions.NotSubmitted as error:
        source, why = None, str(error)
    key = hashlib.sha256(job.key.encode() + (b"!" + why.encode() if source is None else b"=" + source)).hexdigest()
    return source, why, key


def _fits(record, key):
    return bool(record) and record["key"] == key and record["state"] != FAILED


def fitting(job, submission):
    """Whether there is nothing left to do for a submission."""
    try:
        return _fits(kept(job, submission), _read(job, submission)[2])
    except OSError:
        return False


def fail(job, submission, why):
    """Leaves a record that the grader failed, unless one fits already."""
    if not fitting(job, submission):
        record = {"key": "", "id": submission.id, "student": submission.name, "number": submission.number,
                  "state": FAILED, "why": why, "result": None}
        results.write_atomically(job.record_path(submission), json.dumps(record), mode=0o600)


def grade(job, submission):
    """Grades one submission unless its record fits already. Returns (record, whether it was made now). Raises Lacking,
    and leaves no record, where nothing can be graded."""
    try:
        source, why, key = _read(job, submission)
        state, result = NOT_SUBMITTED, None
    except OSError as error:
        source, why, key, state, result = None, f"the submission cannot be read: {error}", "", FAILED, None
    record = kept(job, submission)
    if _fits(record, key):
        return record, False
    if source is not None:
        job.see_that_it_grades()
    # Once more where the grader failed: the machine and not the submission may be to blame.
    for _ in range(2 if source is not None else 0):
        state, why, result = _grade(job, submission, source)
        if state != FAILED or job.stopping:
            break
    record = {"key": key, "id": submission.id, "student": submission.name, "number": submission.number, "state": state,
              "why": why, "result": result}
    if not job.stopping:
        results.write_atomically(job.record_path(submission), json.dumps(record), mode=0o600)
    return record, True
