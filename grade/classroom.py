#!/usr/bin/env python3
"""`make grade-class`: grades a folder of submissions.

    grade/classroom.py --lab 3 --submissions DIR [--out build/grade/class] [--build build/sim] [--jobs N]
                       [--engine local]

Grades as many submissions at a time as there are processors or, with --engine slurm, as a job array (grade/slurm.py).
It shows a progress bar on a terminal, and goes on when the grader itself fails on one submission. Each graded
submission leaves a record (grade/records.py): the same command resumes where it was stopped, even by SIGKILL, and
grades what has changed. It writes gradebook.csv and pages (grade/pages.py).

The last line sums up. Exit 0: everything was graded; 1: the grader failed on some, which are named; 2: cannot start, or
`grader failed: CAUSE`: the machine lacks something, so nobody was graded.
"""
import argparse
import fcntl
import os
import shutil
import signal
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import keyfile
import pages
import records
import result as results
import slurm
import submissions


@contextmanager
def interruptible():
    """Gives a function that raises KeyboardInterrupt where Ctrl-C was pressed. By itself Python raises it anywhere, in
    wait() too while that holds the locks of futures: their threads would then never end. Where the signal is ignored,
    as in a background job of a script, it stays so."""
    pressed = threading.Event()
    before = signal.getsignal(signal.SIGINT)
    if before != signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: pressed.set())

    def check():
        if pressed.is_set():
            raise KeyboardInterrupt
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def grade_locally(job, found, jobs, done):
    """Grades with `jobs` graders at a time, and calls done(record, fresh) after each. In the main thread."""
    with interruptible() as check_for_interrupt, ThreadPoolExecutor(jobs) as pool:
        waiting, todo = set(), iter(found)
        try:
            while True:
                for submission in islice(todo, 2 * jobs - len(waiting)):
                    waiting.add(pool.submit(records.grade, job, submission))
                if not waiting:
                    return
                finished, waiting = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                check_for_interrupt()
                for future in finished:
                    done(*future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            job.stop()
            raise


def task(arguments):
    """One task of a Slurm array: grades its share. `records` are all that it leaves."""
    job, found = slurm.share(arguments.task, int(os.environ["SLURM_ARRAY_TASK_ID"]))
    try:
        grade_locally(job, found, int(os.environ.get("SLURM_CPUS_ON_NODE") or 1), lambda record, fresh: None)
    except records.Lacking as why:  # another node may have what this one lacks
        for submission in found:
            records.fail(job, submission, str(why))
        return 1
    return 0


class NoBar:
    """In place of tqdm's bar, where that is not installed."""

    write = staticmethod(print)

    def update(self, count=1):
        pass

    def close(self):
        pass


class Progress:
    """A bar on a terminal; elsewhere only what the grader failed on."""

    def __init__(self, total, lab):
        try:
            import tqdm
        except ImportError:  # setup.sh --dev installs it; without it there is no bar
            tqdm = None
        self.bar = tqdm.tqdm(total=total, desc=lab, unit="submission", disable=None) if tqdm else NoBar()
        self.fresh = 0

    def done(self, record, fresh):
        self.fresh += fresh
        self.bar.update()
        if record["state"] == records.FAILED:
            self.bar.write(f"{record['student']}: {record['why']}", file=sys.stderr)


def lock(job):
    """Held to the end of this process: two that grade into one folder would grade everything twice."""
    job.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = open(job.folder / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise results.Bad(f"{job.folder}: another grade-class is at work there") from error
    return file


def finish(job, found):
    """Reads the records again, one at a time, and writes everything that is to be read. Returns the rows."""
    templates, entry, rows = pages.environment(), results.course()["labs"].get(job.lab), []
    # Another lab may be graded at the same time: the gradebook is of both, so the last to write it has to see both.
    together = open(job.out / "lock", "w", encoding="utf-8")
    fcntl.flock(together, fcntl.LOCK_EX)
    for submission in found:
        record = records.kept(job, submission) or {
            "id": submission.id, "student": submission.name, "number": submission.number, "state": records.FAILED,
            "result": None, "why": "no record of it was left"}
        record |= {"student": submission.name, "number": submission.number}  # the folder may be named anew
        pages.write_feedback(job, record, templates)
        rows.append(pages.row_of(record, entry))
    listed = {f"{submission.id}.html" for submission in found}
    for page in (job.folder / "students").glob("*.html"):
        if page.name not in listed:
            page.unlink()
    pages.write_class(job, rows, templates)
    together.close()
    return rows


def summary(job, rows, fresh, seconds):
    count = {state: sum(row.state == state for row in rows)
             for state in (records.GRADED, records.NOT_SUBMITTED, records.FAILED)}
    scores = [row.score for row in rows if row.score is not None]
    most = next((row.max_score for row in rows if row.max_score), 0)
    parts = [f"{count[state]} {state}" for state in count if count[state] or state == records.GRADED]
    if scores:
        parts.append(f"mean {results.number(sum(scores) / len(scores))} of {results.number(most)}")
    rate = f"{fresh} now, {fresh / seconds:.2f} a second" if fresh else "none anew"
    return f"{job.lab}: {len(rows)} submissions, {', '.join(parts)} ({rate})"


def grade_class(args):
    job = records.Job(results.lab_name(args.lab), args.out.absolute(), args.build.absolute(), args.grader)
    found = submissions.find(args.submissions, lambda line: print(f"grade-class: {line}", file=sys.stderr))
    if not found:
        raise results.Bad(f"SUBMISSIONS={args.submissions}: nothing in this folder")
    if not os.access(job.grader, os.X_OK):
        raise results.Bad(f"{job.grader} is not there (make builds it)")
    keyfile.made()
    held, start = lock(job), time.monotonic()
    progress = Progress(len(found), job.lab)
    if args.engine == "slurm":
        slurm.grade(job, found, progress)
    else:
        grade_locally(job, found, args.jobs, progress.done)
    progress.bar.close()
    seconds = time.monotonic() - start
    shutil.rmtree(job.folder / "work", ignore_errors=True)
    rows = finish(job, found)
    held.close()
    worst = pages.worst_checks(rows)
    if worst and worst[0][1]:
        print(f"failed most: {worst[0][0]}, by {worst[0][1]} of {worst[0][2]}")
    print(results.one_line(str(args.out / "gradebook.csv")))
    print(results.one_line(str(args.out / job.lab / "index.html")))
    print(summary(job, rows, progress.fresh, seconds))
    return 1 if any(row.state == records.FAILED for row in rows) else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Grades a folder of submissions.")
    parser.add_argument("--lab", default="")
    parser.add_argument("--submissions")
    parser.add_argument("--out", type=Path, default=Path("build/grade/class"))
    parser.add_argument("--build", type=Path, default=Path("build/sim"))
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--engine", choices=["local", "slurm"], default="local")
    parser.add_argument("--grader", type=Path, help="instead of BUILD/grade/umgrade")
    parser.add_argument("--task", type=Path, help="what Slurm calls")
    args = parser.parse_args(arguments)
    try:
        if args.task:
            return task(args)
        if not args.submissions or args.jobs < 1:
            raise results.Bad("LAB=N and SUBMISSIONS=DIR are needed, and at least one job")
        return grade_class(args)
    except (results.Bad, OSError) as error:
        print(f"grade-class: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("grade-class: stopped; the same command goes on from here", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
