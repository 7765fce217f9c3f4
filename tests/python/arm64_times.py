#!/usr/bin/env python3
"""tests/arm64/times.py: what it takes for a launch, and when times of two processors are not alike. Lines are made up.

    tests/python/arm64_times.py [PART OF A NAME ...]
"""
import contextlib
import io
import sys
import tempfile
from pathlib import Path

from support import cases

sys.path.insert(0, str(cases.ROOT / "tests/arm64"))
import times  # noqa: E402


def line(kernel, us):
    return f"umsim: {kernel}<<<(2, 1, 1), (32, 1, 1)>>> takes {us:.2f} us, 68% of it for this: a launch itself\n"


def told(*us):
    return "".join(line(f"k{number}", each) for number, each in enumerate(us))


class Times(cases.Case):
    def wrong(self, here, there):
        return times.compared(here, there)[0]

    def test_launches(self):
        "a launch is told in one line, among others"
        text = ("umsim: the device was reset\n" + line("k", 6.41) + "umsim:   start          1.10 us  #######\n" +
                line("void f<int, 3>(int*)::g", 1234.5) + "k<<<1, 1>>> takes 5 us, says the program\n")
        shape = "<<<(2, 1, 1), (32, 1, 1)>>>"
        self.assertEqual(times.launches(text), [("k" + shape, 6.41), ("void f<int, 3>(int*)::g" + shape, 1234.5)])

    def test_alike(self):
        "the same, and a few that take something else, are alike"
        wrong, said = times.compared({"a": told(*[100] * 50), "b": told(*[50] * 50)},
                                     {"a": told(*[100.9] * 50), "b": told(*[50] * 38, *[52.4] * 7, *[99] * 5)})
        self.assertEqual(wrong, [])
        self.assertEqual(said, "100 launches of 2 programs, 88 within 1%, 95 within 5%, 0 told by one only")

    def test_some_percent(self):
        "too many that are not within 1% are told, the worst first"
        wrong = self.wrong({"a": told(*[100] * 100)}, {"a": told(*[100] * 87, *[101.5] * 12, 97)})
        self.assertEqual(wrong[0], "87 of 100 launches take the same within 1%, not 88% of them:")
        self.assertIn("a: k99<<<(2, 1, 1), (32, 1, 1)>>> takes 97.00 us, not 100.00", wrong[1])
        self.assertEqual(len(wrong), 1 + times.WORST)

    def test_far_off(self):
        "too many that are not within 5% are told, longer or shorter"
        for other in (94, 106, 5000):
            wrong = self.wrong({"a": told(*[100] * 100)}, {"a": told(*[100] * 94, *[other] * 6)})
            self.assertEqual(wrong[0], "94 of 100 launches take the same within 5%, not 95% of them:")
            self.assertEqual(len(wrong), 7)

    def test_other_launches(self):
        "another shape, one more or fewer, and another order are told"
        a, b = line("a", 1), line("b", 1)
        for there, what in ((b, "shape 1 is b<<<"), (a + line("c", 1) + b, "shape 2 is c<<<"),
                            (a, "shape 2 is none, not b<<<"), (a + b + line("c", 1), "shape 3 is c<<<"),
                            ("", "shape 1 is none, not a<<<"), (b + a, "shape 1 is b<<<")):
            wrong = self.wrong({"p": a + b, "q": told(*[1] * 100)}, {"p": there, "q": told(*[1] * 100)})
            self.assertEqual(len(wrong), 1)
            self.assertIn(f"p: {what}", wrong[0])

    def test_told_again(self):
        "a few that one tells once more are let pass, and the others compared; many are told"
        again, plain = line("k0", 9), told(*[1] * 100)
        self.assertEqual(self.wrong({"p": plain}, {"p": plain.replace(line("k2", 1), again * 5 + line("k2", 1))}), [])
        wrong, said = times.compared({"p": plain + again * 3}, {"p": again * 3 + plain})
        self.assertEqual(wrong, ["6 launches are told by one of both only, and 100 by both"])
        self.assertIn("100 within 1%", said)

    def test_missing(self):
        "a program that ran on one only is told, and where there is nothing to compare"
        self.assertEqual(self.wrong({"p": told(1), "q": told(1)}, {"p": told(1)}), ["q: ran on one of both only"])
        self.assertEqual(self.wrong({"p": told(1)}, {"p": told(1), "q": told(1)}), ["q: ran on one of both only"])
        self.assertEqual(self.wrong({}, {}), ["no launch was told"])
        self.assertEqual(len(self.wrong({"p": ""}, {"p": told(1)})), 3)
        self.assertEqual(self.wrong({"p": "nothing"}, {"p": "nothing"}), ["no launch was told"])

    def test_nothing(self):
        "a time of 0 is compared, too"
        self.assertEqual(self.wrong({"p": told(0)}, {"p": told(0)}), [])
        self.assertEqual(len(self.wrong({"p": told(0)}, {"p": told(1)})), 4)

    def test_programs(self):
        "programs are run, each tells a file, and one that fails is told"
        with tempfile.TemporaryDirectory() as folder:
            there, programs = Path(folder, "there"), []
            for name, text in (("good", 'echo "$UMSIM_EXPLAIN" >&2'), ("skipped", "exit 2"), ("bad", "exit 3")):
                programs.append(str(Path(folder, name)))
                Path(folder, name).write_text(f"#!/bin/sh\n{text}\n")
                Path(folder, name).chmod(0o755)
            self.assertEqual(times.tell(there, programs[:2]), 0)
            self.assertEqual(times.read(there), {"good": "launch\n", "skipped": ""})
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                self.assertEqual(times.tell(there, [*programs, f"{folder}/none"]), 1)
            self.assertIn("bad ended with 3", said.getvalue())
            self.assertIn("none cannot be run", said.getvalue())
            self.assertEqual(set(times.read(there)), {"good", "skipped"})

    def test_words(self):
        "what is printed begins with ok or FAIL"
        with tempfile.TemporaryDirectory() as folder:
            for name, us in (("a", 1), ("b", 1), ("c", 2)):
                Path(folder, name).mkdir()
                Path(folder, name, "program").write_text(told(us))
            for there, status, word in (("b", 0, "ok times: 1 launches"), ("c", 1, "FAIL times: 1 launches"),
                                        ("none", 1, "FAIL times: 0 launches")):
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    self.assertEqual(times.main(["compare", f"{folder}/a", f"{folder}/{there}"]), status)
                self.assertTrue(said.getvalue().startswith(word))


if __name__ == "__main__":
    sys.exit(cases.main())
