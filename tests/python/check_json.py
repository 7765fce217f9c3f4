#!/usr/bin/env python3
"""UMSIM_CHECK_JSON=FILE: valid by docs/schema/umlab-check-1.json, and the same as on the terminal; files that cannot be
written, programs that die, two that run at once.

    tests/python/check_json.py [PART-OF-A-NAME]
"""
import json
import os
import re
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

from support import cases

cases.needs("jsonschema")
import jsonschema  # noqa: E402

ROOT = cases.ROOT
BUILD = Path(os.environ.get("UMLAB_BUILD", ROOT / "build/sim")).resolve()
SCHEMA = json.loads((ROOT / "docs/schema/umlab-check-1.json").read_text(encoding="utf-8"))
MARK = "========= "
KILLED = """
#include <cuda_runtime.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    %s
    puts("told");
    fflush(stdout);
    pause();
}
""" % ("cudaFree((void *)1000);\n" * 40)


def setUpModule():
    if not (BUILD / "bin/umcc").exists():
        raise cases.Skip("umcc is the simulator's")


class Results(cases.Case):
    def program(self, source, *options):
        program = self.folder / Path(source).stem
        self.call(BUILD / "bin/umcc", *(options or ["--check"]), "-o", program, source)
        return program

    def planted(self, name, *options):
        return self.program(ROOT / f"tests/check/{name}.cu", *options)

    def results(self, path):
        document = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(document, SCHEMA, cls=jsonschema.Draft202012Validator)
        listed = {kind: sum(report["severity"] == kind for report in document["reports"]) for kind in ("error", "note")}
        self.assertEqual(listed["error"] + listed["note"] + document["not_listed"],
                         document["errors"] + document["notes"])
        return document

    def run_with(self, program, path, *arguments, status=None):
        done = subprocess.run([program, *arguments], env=dict(os.environ, UMSIM_CHECK_JSON=str(path)),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_schema(self):
        "the schema is one, and refuses a document that lacks a report's cure"
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        program, path = self.planted("refused_direction"), self.folder / "a.json"
        self.run_with(program, path, "planted", status=1)
        document = self.results(path)
        del document["reports"][0]["cure"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(document, SCHEMA)

    def test_kinds(self):
        "each kind of report: text, totals and exit status are those of the terminal"
        for name, kind in (("global_off_by_one", "out of bounds"), ("after_free", "out of bounds"),
                           ("misaligned_int", "misaligned"), ("constant_written", "write to constant"),
                           ("uninitialised_shared", "uninitialised"), ("race_missing_barrier", "race"),
                           ("uninitialised_result", "uninitialised copy"),
                           ("host_reads_too_early", "buffer of a copy"),
                           ("host_managed_too_early", "host beside a kernel"), ("verdict_barrier", "kernel failed"),
                           ("refused_frees", "refused call"), ("leak_malloc", "leak"), ("texture_gone", "no texture")):
            program, path = self.planted(name), self.folder / f"{name}.json"
            done = self.run_with(program, path, "planted", status=1)
            document = self.results(path)
            self.same_as_told(document, done.stderr)
            self.assertIn(kind, [report["kind"] for report in document["reports"]])
            self.assertEqual((document["complete"], document["exit_status"]), (True, 1))
            done = self.run_with(program, path)
            document = self.results(path)
            self.assertEqual((document["verdict"], document["errors"], document["exit_status"]), ("clean", 0, 0))

    def same_as_told(self, document, stderr):
        "Reports are on the terminal line for line; the line's own place is the report's."
        told = [line.removeprefix(MARK) for line in stderr.splitlines()]
        self.assertEqual(f"ERROR SUMMARY: {document['errors']} error{'' if document['errors'] == 1 else 's'}", told[-1])
        for report in document["reports"]:
            lines = [line for line in report["text"] if line.strip() != report["title"].strip()]
            for line in lines:
                self.assertIn(line, told)
            self.assertIn(report["title"], stderr)
            if "line" in report.get("at", {}):
                self.assertIn(f"{report['at']['file']}:{report['at']['line']}", "\n".join(report["text"]))
            if report["cure"]:
                self.assertTrue(all(line in stderr for line in report["cure"].split("\n")), report["cure"])

    def test_option(self):
        "umcc --check-json=FILE: any name, in the folder where the program runs; UMSIM_CHECK_JSON names another one"
        for name in ('plain.json', 'a "b" \\ ??= %d $HOME\t\xe4.json'):
            program = self.program(ROOT / "tests/check/global_off_by_one.cu", f"--check-json={name}")
            self.call(program, "planted", status=1, cwd=self.folder)
            self.assertEqual(self.results(self.folder / name)["verdict"], "errors")
            (self.folder / name).unlink()
            self.run_with(program, self.folder / "other.json", "planted", status=1)
            self.results(self.folder / "other.json")
            self.assertFalse((self.folder / name).exists())
        program = self.program(ROOT / "tests/check/global_off_by_one.cu", "--check-json=no/such/folder.json")
        self.assertEqual(self.call(program, status=2, cwd=self.folder).stderr,
                         "umsim: --check-json=no/such/folder.json: No such file or directory\n")
        said = self.call(BUILD / "bin/umcc", "--check-json=", "-c", ROOT / "tests/check/global_off_by_one.cu", status=2)
        self.assertIn("a file's name is missing", said.stderr)

    def test_members(self):
        "an access: kernel, line, thread, block, address and allocation; a race: both sides"
        program, path = self.planted("global_off_by_one"), self.folder / "a.json"
        self.run_with(program, path, "planted", status=1)
        report = self.results(path)["reports"][0]
        source = (ROOT / "tests/check/global_off_by_one.cu").read_text(encoding="utf-8").splitlines()
        self.assertEqual(report["kernel"], "fill")
        self.assertIn("// @", source[report["memory"]["allocated"]["line"] - 1])
        self.assertEqual((report["at"]["block"], report["at"]["thread"]), ([3, 0, 0], [4, 0, 0]))
        memory = report["memory"]
        self.assertEqual(int(report["address"], 16), int(memory["address"], 16) + memory["bytes"])
        self.assertEqual((memory["bytes"], memory["relation"], memory["allocated"]["call"]),
                         (400, "after", "cudaMalloc"))
        self.run_with(self.planted("race_missing_barrier"), path, "planted", status=1)
        report = self.results(path)["reports"][0]
        self.assertEqual({report["at"]["access"], report["other"]["access"]}, {"read", "write"})
        more = int(re.search(r"and (\d+) more like it", "\n".join(report["text"]))[1])
        self.assertEqual(report["count"], more + 1)

    def test_count(self):
        "what is found again after it was told counts, and is not told again"
        source = self.folder / "again.cu"
        source.write_text("""#include <cuda_runtime.h>
__global__ void k(int *p) { p[blockIdx.x + 4] = 1; }
int main(void) {
    int *p;
    cudaMalloc(&p, 16);
    for (int i = 0; i < 5; i++) { k<<<3, 1>>>(p); cudaDeviceSynchronize(); cudaFree((void *)8); }
    return cudaFree(p);
}""", encoding="utf-8")
        path = self.folder / "a.json"
        self.run_with(self.program(source), path, status=1)
        self.assertEqual({report["kind"]: report["count"] for report in self.results(path)["reports"]},
                         {"out of bounds": 15, "refused call": 5})

    def test_notes(self):
        "notes are apart: they leave verdict, errors and exit status alone"
        path = self.folder / "a.json"
        for name, kind, threads in (("barrier_returned_early", "barrier passed by", "threads 36..63"),
                                    ("mask_absent_lanes", "absent lanes", "16..31")):
            done = self.run_with(self.planted(name), path, "planted", status=0)
            document = self.results(path)
            self.same_as_told(document, done.stderr)
            self.assertEqual((document["verdict"], document["errors"], document["notes"]), ("clean", 0, 1))
            report = document["reports"][0]
            self.assertEqual((report["severity"], report["kind"], report["threads"]), ("note", kind, threads))

    def test_coalescing(self):
        "the table of coalescing, by rows"
        program, path = self.planted("coalescing", "--check=coalescing"), self.folder / "a.json"
        done = self.run_with(program, path)
        document = self.results(path)
        self.assertEqual(document["checks"], ["coalescing"])
        self.assertGreater(len(document["coalescing"]), 0)
        for row in document["coalescing"]:
            told = rf"{row['kernel']}.*{row['access']} .* {row['count']} .* {row['bytes_moved']} "
            self.assertRegex(done.stderr, told)

    def test_unwritable(self):
        "a file that cannot be written is one line and exit 2, before the program begins"
        program = self.planted("refused_direction")
        for path in ("/nowhere/a.json", self.folder, "/proc/self/a.json"):
            done = self.run_with(program, path, "planted", status=2)
            self.assertRegex(done.stderr, rf"\Aumsim: UMSIM_CHECK_JSON={re.escape(str(path))}: .+\n\Z")

    def test_full(self):
        "a full disk is one line; a program without errors ends with 2, one with errors with 1; an old file stays"
        program = self.planted("refused_direction")
        for arguments, status in (([], 2), (["planted"], 1)):
            done = self.run_with(program, "/dev/full", *arguments, status=status)
            said = [line for line in done.stderr.splitlines() if line.startswith("umsim:")]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertIn("No space left on device", said[0])
            self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))
        path = self.folder / "a.json"
        path.write_text("old", encoding="utf-8")
        done = subprocess.run([program, "planted"], env=dict(os.environ, UMSIM_CHECK_JSON=str(path)), text=True,
                              capture_output=True, check=False, preexec_fn=no_files)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("UMSIM_CHECK_JSON", done.stderr)
        self.assertEqual(path.read_text(encoding="utf-8"), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.json", "refused_direction"])

    def test_dies(self):
        "a program that is killed leaves the reports before, as a valid file; one that crashes leaves all"
        source, path = self.folder / "killed.cu", self.folder / "a.json"
        source.write_text(KILLED, encoding="utf-8")
        program = self.program(source)
        running = subprocess.Popen([program], env=dict(os.environ, UMSIM_CHECK_JSON=str(path)), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        self.assertEqual(running.stdout.readline(), b"told\n")
        running.kill()
        self.assertEqual(running.wait(), -signal.SIGKILL)
        running.stdout.close()
        document = self.results(path)
        self.assertEqual((document["complete"], document["exit_status"], document["verdict"]), (False, None, "errors"))
        self.assertEqual(len(document["reports"]), 40)
        self.run_with(self.planted("verdict_host"), path, "planted", status=-signal.SIGSEGV)
        document = self.results(path)
        self.assertEqual((document["complete"], document["exit_status"]), (True, None))
        self.assertEqual([report["kind"] for report in document["reports"]], ["host fault"])
        self.assertIn("copy it first", document["reports"][0]["cure"])

    def test_always_valid(self):
        "whoever reads the file at any moment finds a whole document"
        source, path = self.folder / "killed.cu", self.folder / "a.json"
        source.write_text(KILLED, encoding="utf-8")
        running = subprocess.Popen([self.program(source)], env=dict(os.environ, UMSIM_CHECK_JSON=str(path)),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen, until = set(), time.monotonic() + 30
        while 40 not in seen and time.monotonic() < until:
            if path.exists():
                seen.add(len(self.results(path)["reports"]))
        running.kill()
        running.wait()
        self.assertIn(40, seen)
        self.assertGreater(len(seen), 2)

    def test_two(self):
        "of two programs with one file the later one's document stays, whole; %p is the process's number"
        one, other = self.planted("global_off_by_one"), self.planted("race_missing_barrier")
        path = self.folder / "a.json"
        for _ in range(3):
            running = [subprocess.Popen([program, "planted"], env=dict(os.environ, UMSIM_CHECK_JSON=str(path)),
                                        stderr=subprocess.DEVNULL) for program in (one, other)]
            for it in running:
                it.wait()
            document = self.results(path)
            self.assertEqual([report["kind"] for report in document["reports"]],
                             ["out of bounds" if document["program"] == one.name else "race"])
        running = subprocess.Popen([one, "planted"], env=dict(os.environ, UMSIM_CHECK_JSON=f"{self.folder}/%p.json"),
                                   stderr=subprocess.DEVNULL)
        running.wait()
        self.assertEqual(self.results(self.folder / f"{running.pid}.json")["process"], running.pid)

    def test_streams(self):
        "a pipe gets one document, at the end"
        done = self.run_with(self.planted("refused_direction"), "/dev/stdout", "planted", status=1)
        document = json.loads(done.stdout)
        jsonschema.validate(document, SCHEMA)
        self.assertTrue(document["complete"])


def no_files():
    """No file can grow."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    sys.exit(cases.main())
