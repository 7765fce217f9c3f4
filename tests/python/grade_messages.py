#!/usr/bin/env python3
"""What a wrong program is told names its mistake: which call, which value, how it ended.

    tests/python/grade_messages.py [PART-OF-A-NAME]

Each program is lab 1's solution with one mistake (or another lab's, where the mistake belongs there).
"""
import os
import re
import subprocess
import sys
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "grade"))
import demo  # noqa: E402
import result as results  # noqa: E402

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim"))


def setUpModule():
    if not (BUILD / "grade/umgrade").exists():
        raise cases.Skip(f"no grader in {BUILD} (make graders)")


class Messages(cases.Case):
    def grade(self, *edits, lab="lab1", only="vector_add_host"):
        """Grades a solution in which (old, new) were replaced, each wherever it stands. Returns {check: what was
        said}."""
        folder, out = self.folder / "submission", self.folder / "out"
        folder.mkdir(exist_ok=True)
        text = demo.solved((results.lab_folder(lab) / "exercise.c").read_text(encoding="utf-8"), range(99))
        for old, new in edits:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (folder / "exercise.c").write_text(text, encoding="utf-8")
        subprocess.run([BUILD / "grade/umgrade", "--lab", lab, "--lab-dir", results.lab_folder(lab), "--checks",
                        BUILD / f"grade/{lab}.so", "--root", cases.ROOT, "--build", BUILD, "--out", out, "--submission",
                        folder, "--seed", "7", "--only", only], capture_output=True, check=False, timeout=300)
        return {check["name"].partition("/")[2]: check
                for check in results.load(out / f"{lab}.json")["checks"]}

    def test_exit(self):
        "exit(3) is told as that, with its status and what was printed, and at once"
        check = self.grade(("const size_t bytes = n * sizeof *c;",
                            "const size_t bytes = n * sizeof *c;\n    printf(\"so far\");\n    exit(3);"),
                           ("#include", "#include <stdio.h>\n#include <stdlib.h>\n#include"))["right_data"]
        self.assertEqual(check["status"], "CRASH")
        self.assertIn("ended by itself before that, with exit status 3", check["happened"])
        self.assertIn("so far", check["output"])
        self.assertLess(check["seconds"], 4)

    def test_never_written(self):
        "floats that no kernel computed are told as they are, and that none did"
        check = self.grade(("um_vector_add(d_c, d_a, d_b, n, 0)", "cudaMemset(d_c, 0, bytes)"))["right_data"]
        self.assertRegex(check["happened"], r"^it is 0, which no kernel computed$")

    def test_from_the_host(self):
        "a value that the host computed is told so"
        check = self.grade(("error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);",
                            "for (size_t i = 0; i < n; i++)\n            c[i] = a[i] + b[i];"))["right_data"]
        self.assertIn("but the GPU did not compute it", check["happened"])

    def test_one_step_too_many(self):
        "a kernel too many, and one too few, are told as that, with values of the size of the right ones"
        for condition, told in (("i <= k", "instead of"), ("i + 1 < k", "no kernel computed|instead of")):
            check = self.grade(("i < k &&", condition + " &&"), only="saxpy_chain")["right_data"]
            value = float(re.match(r"it is ([-0-9.e]+)", check["happened"])[1])
            self.assertLess(abs(value), 16, check["happened"])
            self.assertRegex(check["happened"], told)

    def test_wrong_direction(self):
        "the call that failed is named, and which of its name it was"
        check = self.grade(("cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice)",
                            "cudaMemcpy(d_b, b, bytes, cudaMemcpyDeviceToHost)"))["right_data"]
        self.assertIn("the 2nd call of cudaMemcpy failed: cudaErrorInvalidValue", check["happened"])

    def test_bad_size(self):
        "a refused cudaMalloc is named"
        check = self.grade(("cudaMalloc((void **)&d_b, bytes)", "cudaMalloc((void **)&d_b, (size_t)-1)"))["right_data"]
        self.assertIn("the 2nd call of cudaMalloc failed: cudaErrorMemoryAllocation (2)", check["happened"])

    def test_crash(self):
        "a crash in a copy names the copy"
        check = self.grade(("n * sizeof *c", "(n + (1 << 24)) * sizeof *c"))["right_data"]
        self.assertEqual(check["status"], "CRASH")
        self.assertIn("in or behind its 1st call of cudaMemcpy", check["happened"])

    def test_refused_free(self):
        "a free that was refused is told where something is left"
        check = self.grade(("cudaFree(d_b);", "cudaFree((void *)b);"))["frees"]
        self.assertIn("3 device allocation(s) made, 2 given back; the 2nd call of cudaFree failed", check["happened"])

    def test_below_zero(self):
        "where less was done than by the lab's own calls alone, the difference is told with its sign"
        for path in cases.ROOT.glob("labs/*/grade/checks*.c"):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                self.assertNotRegex(line, r"PRIu64.* - (p|places|without|alone)\b", f"{path}:{number}")

    def test_last_piece(self):
        "lab 3: where the end is overrun, the idea speaks of the last piece"
        sys.path.insert(0, str(cases.ROOT / "tests/mutants"))
        import mutant

        folder = self.folder / "submission"
        folder.mkdir()
        solution = demo.solved((results.lab_folder("lab3") / "exercise.c").read_text(encoding="utf-8"), range(99))
        wrong = mutant.Mutant(cases.ROOT / "tests/mutants/lab3/last_piece_whole.diff").apply(solution)
        check = self.grade((solution, wrong), lab="lab3", only="stream_saxpy")["right_data"]
        self.assertEqual(check["status"], "FAIL")
        self.assertIn("the last has only what is left", check["idea"])


if __name__ == "__main__":
    sys.exit(cases.main())
