#!/usr/bin/env python3
"""What others wrote is shown as valid UTF-8 without control and bidirectional characters, wherever it is shown.

    tests/python/grade_clean.py [PART-OF-A-NAME]
"""
import ctypes
import json
import os
import random
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "grade"))
import export  # noqa: E402
import result as results  # noqa: E402

STUB = "#include <stdlib.h>\nvoid um_cannot(const char *format, ...) { (void)format; abort(); }\n"
BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))
SAYS = r"""
#include <stdio.h>
static void say(void)
{
    fwrite("a\0b\xff\xc2\x9b" "31m\xe2\x80\xae\xd8\x9c\x1b]0;t\a\xed\xa0\x80\xc0\xafz\n", 1, 28, stdout);
    fflush(stdout);
}
"""


def unfit(text):
    """The characters of a text that must not be shown."""
    return [c for c in text if (unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n")
            or unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
            or c in "\u200e\u200f\u061c\ufffe\uffff"]


class Clean(cases.Case):
    def library(self):
        (self.folder / "stub.c").write_text(STUB)
        self.call("gcc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-I", cases.ROOT, "-I", cases.ROOT / "sim/include", "-I",
                  cases.ROOT / "grade", "-o", self.folder / "clean.so", cases.ROOT / "grade/clean.c",
                  self.folder / "stub.c")
        library = ctypes.CDLL(str(self.folder / "clean.so"))
        library.um_clean.restype = ctypes.c_void_p
        return lambda raw: ctypes.string_at(library.um_clean(raw))

    def test_every_character(self):
        "umgrade and the exporters clean alike, each of Unicode's characters; what is left is fit"
        clean = self.library()
        everything = [chr(code) for code in range(1, 0x110000) if not 0xd800 <= code < 0xe000]
        for start in range(0, len(everything), 5000):
            text = "|".join(everything[start:start + 5000])
            cleaned = clean(text.encode()).decode()
            self.assertEqual(cleaned, results.clean(text))
            self.assertEqual(unfit(cleaned), [])

    def test_random_bytes(self):
        "bytes that are no UTF-8 become replacement characters; valid parts between them stay"
        clean, choose = self.library(), random.Random(17)
        pieces = [b"\xff", b"\xc0\xaf", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf0\x80\x80\x80", b"\x80",
                  "é".encode(), "\u202e".encode(), "𝄞".encode(), b"ab", b"\r\n", b"\r", b"\x1b[31m", b"\xc2\x9b"]
        for _ in range(3000):
            raw = b"<" + b"".join(choose.choices(pieces, k=12)) + b">"
            cleaned = clean(raw).decode("utf-8")
            self.assertEqual(unfit(cleaned), [])
            kept = [c for c in results.clean(raw.decode("utf-8", "replace")) if c != "\ufffd"]
            self.assertEqual([c for c in cleaned if c != "\ufffd"], kept, raw)

    def test_exports(self):
        "a result with all kinds of characters in it: each export is valid UTF-8 and fit; JSON and XML can be read"
        everything = "".join(chr(code) for code in [*range(1, 0x300), *range(0x2000, 0x2070), 0xfffe, 0xffff, 0x1f600])
        sample = cases.sample()
        for check in sample["checks"]:
            for key in ("expected", "happened", "where", "idea", "learned", "output"):
                check[key] = everything + "\ud800"
        path = cases.write_json(self.folder / "lab1.json", sample | {"build": {"ok": False, "log": everything}})
        for form in ("terminal", "gradescope", "junit", "autolab"):
            done = subprocess.run([sys.executable, cases.ROOT / "grade/export.py", form, path], capture_output=True,
                                  check=True)
            text = done.stdout.decode("utf-8")
            self.assertEqual(unfit(text), [], form)
            if form == "gradescope":
                self.assertEqual([unfit(test["output"]) for test in json.loads(text)["tests"]],
                                 [[]] * len(sample["checks"]))
            if form == "junit":
                ET.fromstring(text)
        self.assertEqual(unfit(export.terminal(results.load(path))), [])

    def test_grading(self):
        "make grade: what a submission prints, and its folder's name, on the terminal, in labN.json and labN.jsonl"
        if not (BUILD / "grade/umgrade").exists():
            self.skipTest(f"no grader in {BUILD} (make graders)")
        submission, out = self.folder / os.fsdecode(b"na\xc2\x9b\xe2\x80\xaeme\xff"), self.folder / "out"
        submission.mkdir()
        (submission / "exercise.c").write_text(
            '#include "exercise.h"\n' + SAYS +
            "cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)\n"
            "{\n    say(), (void)c, (void)a, (void)b, (void)n;\n    return cudaErrorUnknown;\n}\n"
            "cudaError_t saxpy_chain(float *y, float f, const float *x, size_t n, unsigned k)\n"
            "{\n    say(), (void)y, (void)f, (void)x, (void)n, (void)k;\n    return cudaErrorUnknown;\n}\n")
        done = subprocess.run(
            [BUILD / "grade/umgrade", "--lab", "lab1", "--lab-dir", results.lab_folder("lab1"), "--checks",
             BUILD / "grade/lab1.so", "--root", cases.ROOT, "--build", BUILD, "--out", out, "--submission", submission,
             "--seed", "5"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        for raw in (done.stdout, (out / "lab1.json").read_bytes(), (out / "lab1.jsonl").read_bytes()):
            self.assertEqual(unfit(raw.decode("utf-8")), [])
        result = json.loads((out / "lab1.json").read_bytes().decode("utf-8"))
        self.assertEqual(unfit(json.dumps(result, ensure_ascii=False)), [])
        shown = [check["output"] for check in result["checks"] if check["output"]]
        self.assertTrue(shown and all("z\n" in text and text.startswith("a\ufffdb") for text in shown), shown)

    def test_refused(self):
        "umgrade's own complaint about a folder's name is fit, too"
        if not (BUILD / "grade/umgrade").exists():
            self.skipTest(f"no grader in {BUILD} (make graders)")
        done = subprocess.run([BUILD / "grade/umgrade", "--lab-dir", b"/no\xc2\x9b\xff\x1b[31m"], capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, unfit(done.stderr.decode("utf-8"))), (2, []))


if __name__ == "__main__":
    sys.exit(cases.main())
