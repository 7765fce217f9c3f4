#!/usr/bin/env python3
"""Grades submissions that mean harm.

    tests/hostile/run.py [--build build/sim] [--sandbox auto|bubblewrap|own] [--user UID] [--no-landlock] [--jobs N]
                         [NAME ...]

`--user` has the grader run as that user (root starts it), `--no-landlock` without Landlock: `own` is a uid of its own
with Landlock, either of them alone, or neither. A uid alone hides files by their modes, so there the course is a copy
that is closed to others. The last line says which sandbox it was.

Each tests/hostile/NAME.c is an exercise.c for lab1 (what it does not define fails), and each tests/hostile/labN/NAME.c
one for that lab. It compiles, or does not where its first line says "build-error"; a few more are folders that no file
can be, made below. None may earn a point, but those of its honest part, which a line `/* earns: N */` tells, or
`/* earns: at most N */`; none may end the grader, change a file, leave a process behind, see what is not its own
("HARM:" in its output), or take longer than its limits.

An attack that does not find its target would pass unseen, after a renaming, say. So a submission asks for the
simulator's insides by aim("NAME") of inside.h, which prints `AIMED: NAME` or `MISSED: NAME`. It fails here unless the
result has an AIMED for each NAME in the file. It prints `MISSED: ...` itself where it looks for something in another
way. Two more lines of a file speak to this test: `/* noticed: TEXT */` is what the result has to say of the attack,
`/* cases: N */` has it graded N times, with HOSTILE_CASE from 0; `/* seconds: N */` gives it more time than others.

Every grading runs in a sandbox of this test's own, so that a defect of the grader's cannot harm the machine: a PID
namespace with few PIDs, limits on memory, and a deadline after which all of it is killed.

Prints `ok NAME` or `FAIL NAME` with the reasons, last `N passed, N failed, N skipped`.
"""
import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAB1 = ROOT / "labs/lab1_explicit"
LIMIT_S = 60  # the outer one
PATIENCE = 4  # on a busy machine, by the clock, all limits are at most so many times what they are
SCALE = "0.3"  # of the grader's deadlines
PIDS = 450
MEMORY = 4 << 30
DEFAULTS = {
    "vector_add_host": "cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)\n"
                       "{\n    (void)c, (void)a, (void)b, (void)n;\n    return cudaErrorNotSupported;\n}\n",
    "saxpy_chain": "cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)\n"
                   "{\n    (void)y, (void)factor, (void)x, (void)n, (void)k;\n    return cudaErrorNotSupported;\n}\n",
}


# ---- what is graded ----

def told(path, word):
    """What a submission tells this test: the texts of its lines `/* word: text */`."""
    return re.findall(rf"^/\* {word}: (.*) \*/$", path.read_text(), re.M)


def from_file(path, case, cases):
    def make(folder, names):
        text = f"#define HOSTILE_CASE {case}\n#define HOSTILE_CASES {cases}\n"
        text += "".join(f'#define HOSTILE_{key} "{value}"\n' for key, value in names.items()) + path.read_text()
        for header in ("inside.h", "shared.h"):
            text = text.replace(f'#include "{header}"\n', (HERE / header).read_text())
        for name, default in DEFAULTS.items() if path.parent == HERE else ():
            if not re.search(rf"^cudaError_t {name}\(", text, re.M):
                text += "\n" + default
        (folder / "exercise.c").write_text(text)
        return folder
    return make


def link_to_solution(folder, _):
    (folder / "exercise.c").symlink_to(LAB1 / "exercise.c")
    return folder


def deep_links(folder, _):
    (folder / "link0.c").symlink_to(LAB1 / "exercise.c")
    for i in range(1, 60):
        (folder / f"link{i}.c").symlink_to(folder / f"link{i - 1}.c")
    (folder / "exercise.c").symlink_to(folder / "link59.c")
    return folder


def link_to_itself(folder, _):
    (folder / "exercise.c").symlink_to(folder / "exercise.c")
    return folder


def fifo(folder, _):
    os.mkfifo(folder / "exercise.c")
    return folder


def a_folder(folder, _):
    (folder / "exercise.c").mkdir()
    return folder


def missing(folder, _):
    return folder


def empty(folder, _):
    (folder / "exercise.c").write_text("")
    return folder


def zeros(folder, _):
    (folder / "exercise.c").write_bytes(bytes(1 << 19))
    return folder


def a_gigabyte(folder, _):
    with open(folder / "exercise.c", "wb") as file:
        file.truncate(1 << 30)
    return folder


def own_calls(folder, _):
    """The lab's other files, as it would like them: only exercise.c is taken."""
    (folder / "exercise.c").write_text('#include "exercise.h"\n' + "".join(DEFAULTS.values()))
    (folder / "grade").mkdir()
    (folder / "grade/calls.c").write_text('#include "grade/call_buffer.h"\nUM_CALLS({0});\n')
    (folder / "exercise.h").write_text("#error taken\n")
    return folder


def newline_in_its_name(folder, _):
    strange = folder / 'a\nname; $(touch x) "of\' a\\folder'
    strange.mkdir()
    (strange / "exercise.c").write_bytes((LAB1 / "exercise.c").read_bytes())
    (strange / "other\nfile.c").write_text("x")
    return strange


def from_files():
    """(name, what makes it) of each file, or of each of its cases."""
    for path in sorted(HERE.glob("*.c")) + sorted(HERE.glob("lab*/*.c")):
        cases = int((told(path, "cases") or [1])[0])
        name = str(path.relative_to(HERE).with_suffix(""))
        for case in range(cases):
            yield f"{name}.{case}" if cases > 1 else name, from_file(path, case, cases)


FOLDERS = [link_to_solution, deep_links, link_to_itself, fifo, a_folder, missing, empty, zeros, a_gigabyte, own_calls,
           newline_in_its_name]
FULL_MARKS = {"newline_in_its_name"}  # an honest submission in a strange place


# ---- inside the outer sandbox: the first process of a PID namespace ----

def reap():
    """The first process of a namespace inherits what others leave."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def others(canary):
    reap()
    mine = {1, os.getpid(), canary}
    return {int(name) for name in os.listdir("/proc") if name.isdigit()} - mine


def lost():
    """Seconds since the machine's start in which a process waited for a processor, or the host of a virtual machine
    had it. A busy machine is no fault of the grader's; a submission that sleeps does not make it busy."""
    ticks = int(Path("/proc/stat").read_text().split("\n")[0].split()[8])
    try:
        waited = int(re.search(r"some .*total=(\d+)", Path("/proc/pressure/cpu").read_text())[1])
    except OSError:  # a kernel without it
        waited = 0
    return waited / 1e6 + ticks / os.sysconf("SC_CLK_TCK") / os.cpu_count()


class Clock:
    """Seconds without those that are lost(), at least a quarter of all."""

    def __init__(self):
        self.begin, self.lost = time.monotonic(), lost()

    def seconds(self):
        passed = time.monotonic() - self.begin
        return max(passed / PATIENCE, passed - (lost() - self.lost))


def await_end(grader, clock, deadline):
    """What it printed; None at the deadline."""
    while clock.seconds() < deadline:
        try:
            return grader.communicate(timeout=max(deadline - clock.seconds(), 0.1))[0]
        except subprocess.TimeoutExpired:
            continue
    return None


def inside(command, deadline):
    try:
        Path("/proc/sys/kernel/pid_max").write_text(str(PIDS))
    except OSError:
        resource.setrlimit(resource.RLIMIT_NPROC, (PIDS, PIDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    canary = subprocess.Popen(["sleep", "1000"])
    is_alive = Path(f"/proc/{canary.pid}").exists
    clock = Clock()
    grader = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    output = await_end(grader, clock, deadline)
    if output is None:
        grader.kill()
        output = "the outer deadline ended it"
    seconds = clock.seconds()
    for _ in range(40):
        left = others(canary.pid)
        if not left:
            break
        time.sleep(0.05)
    said = {"status": grader.returncode, "seconds": seconds, "output": output[-3000:], "left": sorted(left),
            "canary": is_alive()}
    if said["canary"]:
        os.kill(canary.pid, signal.SIGKILL)
    print(json.dumps(said))


def outer(command, environment):
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    wrapped = ["unshare", *user, "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, __file__,
               "--inside", json.dumps([str(word) for word in command])]
    done = subprocess.run(wrapped, capture_output=True, text=True, timeout=PATIENCE * LIMIT_S + 30, env=environment,
                          errors="replace", check=False)
    if done.returncode != 0:
        raise ValueError(f"the test's own sandbox: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)


# ---- judging ----

def lab_of(name):
    """lab1, unless the test is in another lab's folder."""
    return name.split("/", 1)[0] if "/" in name else "lab1"


def folder_of(name):
    return next(ROOT.glob(f"labs/{lab_of(name)}_*"))


def fingerprint(lab_dir, build):
    """Everything that a submission might want to change."""
    digest = hashlib.sha256()
    for folder in (lab_dir, build / "grade", build / "lib"):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                status = path.stat()
                digest.update(f"{path} {status.st_size} {status.st_mtime_ns} {status.st_mode}\n".encode())
    return digest.hexdigest()


def file_of(name):
    """None for what is no file."""
    path = HERE / f"{name.split('.')[0]}.c"
    return path if path.exists() else None


def builds(name):
    """Whether it is to compile; None for what is no file."""
    path = file_of(name)
    return "build-error" not in path.read_text().splitlines()[0] if path else None


def disarmed(path, text):
    """Why an attack did nothing, as far as its file says what it has to have found and how that is noticed."""
    aims = re.findall(r'\baim\("(\w+)"\)', path.read_text())
    yield from (f"it did not find {name}" for name in aims if f"AIMED: {name}\\n" not in text)
    yield from (f"it missed {what}" for what in re.findall(r'MISSED: ([^"\\]*)', text) if what not in aims)
    yield from (f"nobody noticed: {sign}" for sign in told(path, "noticed") if sign not in text)


def faults(said, result, name, seconds_limit):
    if said["status"] not in (0, 1):
        yield f"the grader ended with {said['status']}: {said['output'][-400:]}"
    if said["seconds"] > seconds_limit:
        yield f"it took {said['seconds']:.1f} s"
    if said["left"]:
        yield f"{len(said['left'])} processes were left"
    if not said["canary"]:
        yield "a process of somebody else's was ended"
    if result is None:
        yield "there is no result"
        return
    text = json.dumps(result)
    earns = (told(file_of(name), "earns") or ["0"])[0] if file_of(name) else "0"
    most = result["max_score"] if name in FULL_MARKS else int(earns.split()[-1])
    if result["score"] > most or (result["score"] < most and "most" not in earns) or not result["complete"]:
        yield f"its score is {result['score']}, complete {result['complete']}"
    if builds(name) not in (None, result["build"]["ok"]):
        yield f"it does{'' if result['build']['ok'] else ' not'} compile: {result['build']['log'][:600]}"
    for line in re.findall(r"HARM: [^\"\\]*", text):
        yield line
    if file_of(name):
        yield from disarmed(file_of(name), text)
    public = "root:" in text and result["cage"] == "own uid"  # /etc/passwd, which every user may read
    if ("root:" in text and not public) or "_of_the_solution" in text or "PLACEHOLDER" in text:
        yield "the result quotes what the submission must not see"
    if any(check["status"] not in ("PASS", "FAIL", "SKIP", "TIMEOUT", "CRASH", "BUILD-ERROR")
           for check in result["checks"]):
        yield "a status that there is not"


class Test:
    def __init__(self, options):
        self.build, self.sandbox, self.seconds = Path(options.build).resolve(), options.sandbox, options.seconds
        self.user, self.cages, self.before = options.user, set(), []
        if options.user:
            self.before = ["setpriv", "--reuid", options.user, "--regid", options.user, "--clear-groups"]
        if options.no_landlock:
            self.before += [self.build / "test/robust/confine", "landlock_create_ruleset=ENOSYS", "--"]

    def run(self, case):
        name, make = case
        with tempfile.TemporaryDirectory(prefix="um-hostile-") as top:
            try:
                return name, list(self.attempt(name, make, Path(top)))
            except (ValueError, OSError, subprocess.SubprocessError) as error:
                return name, [str(error)]

    def attempt(self, name, make, top):
        folder, out, scratch = top / "submission", top / "out", top / "scratch"
        for path in (folder, out, scratch):
            path.mkdir()
        top.chmod(0o755)
        scratch.chmod(0o1777)
        submission = make(folder, {"ROOT": ROOT, "BUILD": self.build, "OUT": out, "SOLUTION": LAB1 / "exercise.c"})
        lab = lab_of(name)
        command = [*self.before, self.build / "grade/umgrade", "--lab", lab, "--lab-dir", folder_of(name), "--checks",
                   self.build / f"grade/{lab}.so", "--root", ROOT, "--build", self.build, "--out", out, "--submission",
                   submission, "--sandbox", self.sandbox]
        (top / "key").touch(0o600)
        (top / "key").write_text("05711e" * 5 + "00\n")
        if self.user:
            for path in (folder, out, top / "key"):
                os.chown(path, int(self.user), int(self.user))
        before = fingerprint(folder_of(name), self.build)
        said = outer(command, dict(os.environ, GRADE_TIMEOUT_SCALE=SCALE, TMPDIR=str(scratch), HOSTILE_SEED="7",
                                   UMLAB_KEY=str(top / "key")))
        document = out / f"{lab}.json"
        result = json.loads(document.read_text()) if document.exists() else None
        self.cages |= {result["cage"]} if result else set()
        limits = told(file_of(name), "seconds") if file_of(name) else []
        yield from faults(said, result, name, int(limits[0]) if limits else self.seconds)
        if fingerprint(folder_of(name), self.build) != before:
            yield "files of the course were changed"
        if list(scratch.iterdir()):
            yield f"files were left: {[path.name for path in scratch.iterdir()]}"
        if sorted(path.name for path in out.iterdir()) not in ([f"{lab}.json", f"{lab}.jsonl"], []):
            yield f"strange results: {sorted(path.name for path in out.iterdir())}"


def closed_course(top, build):
    """A copy of the course whose labs and checks others may not read; the rest are links. @return its build folder"""
    course = top / "course"
    made = course / "build" / build.name
    made.mkdir(parents=True)
    for path in ROOT.iterdir():
        if path.name not in ("build", "labs", "course.json", ".git"):
            (course / path.name).symlink_to(path)
    shutil.copytree(ROOT / "labs", course / "labs")
    shutil.copy(ROOT / "course.json", course)
    for path in build.iterdir():
        if path.name != "grade":
            (made / path.name).symlink_to(path)
    shutil.copytree(build / "grade", made / "grade")
    (course / ".git").mkdir()
    (course / ".git/HEAD").write_text("ref: refs/heads/main\n")
    closed = [course / "course.json", course / ".git", *(course / "labs").glob("lab*"), *(made / "grade").glob("*.so")]
    for path in closed:
        path.chmod(0o700)
    top.chmod(0o755)
    return made


def can_wrap():
    try:
        outer(["true"], dict(os.environ))
        return None
    except (ValueError, OSError, subprocess.SubprocessError) as error:
        return str(error)


def main():
    global ROOT, LAB1
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.environ.get("UMLAB_BUILD", ROOT / "build/sim"))
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--user", help="the grader's, a number")
    parser.add_argument("--no-landlock", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=25, help="a grading may take (default 25)")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("wanted", nargs="*")
    options = parser.parse_args()
    if options.inside:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        inside(json.loads(options.inside), LIMIT_S)
        return 0
    every = [*from_files(), *((make.__name__, make) for make in FOLDERS)]
    wanted = set(options.wanted)
    cases = [case for case in every if not wanted or {case[0], case[0].split(".")[0]} & wanted]
    why = "it is not root, who --user is for" if options.user and os.geteuid() != 0 else can_wrap()
    if why:
        print(f"SKIP hostile submissions: no sandbox for the test itself: {why}")
        return 2
    top = tempfile.TemporaryDirectory(prefix="um-hostile-course-")
    if options.no_landlock and not options.user:
        options.build = closed_course(Path(top.name), Path(options.build).resolve())
        ROOT, LAB1 = options.build.parents[1], options.build.parents[1] / "labs/lab1_explicit"
    failed, test = 0, Test(options)
    with top, ThreadPoolExecutor(options.jobs) as pool:
        for name, wrong in pool.map(test.run, cases):
            print(("FAIL " if wrong else "ok ") + name, flush=True)
            for line in wrong:
                print("        " + line.replace("\n", "\n        "))
            failed += bool(wrong)
    print(f"sandbox: {', '.join(sorted(test.cages))}{f', as user {options.user}' if options.user else ''}")
    print(f"{len(cases) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
