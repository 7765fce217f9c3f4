#!/usr/bin/env python3
"""What labs print: lines that fit, nothing lost beside JSON, one closing sentence with the run's own numbers, colour
only where somebody sees it.

    tests/python/lab_output.py [PART-OF-A-NAME]       finds the build in UMLAB_BUILD
"""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
LABS = sorted((path.name for path in BUILD.glob("lab*") if path.name[3:].isdigit()), key=lambda name: int(name[3:]))
if BUILD.name != "sim":  # there may be one GPU
    LABS = [lab for lab in LABS if lab != "lab10"]
WIDTH = 100
SMALL = {"lab0": "1M", "lab1": "1M", "lab3": "4M", "lab4": "1M", "lab5": "4M", "lab6": "4M", "lab7": "1M",
         "lab8": "64K", "lab9": "1M"}  # of runs in which the text counts, not the numbers
ENVIRONMENT = {key: value for key, value in os.environ.items()
               if key not in ("COLUMNS", "NO_COLOR") and not key.startswith("UMSIM_")}
RUNS = {}


def setUpModule():
    if not LABS:
        raise cases.Skip(f"no labs in {BUILD} (make)")


def run(lab, *arguments, **more):
    """What a lab prints, both streams, and its exit code."""
    if lab == "lab10" and "--profile" not in arguments:
        arguments += ("--profile", "h200-nvlink2")
    done = subprocess.run([BUILD / lab, *arguments], env=ENVIRONMENT | more, stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    return done.stdout, done.returncode


def usual(lab):
    """What a lab prints without arguments, and its JSON: run once for all tests."""
    if lab not in RUNS:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            text, status = run(lab, "--json", file.name)
            RUNS[lab] = text, json.loads(Path(file.name).read_text()) if status == 0 else None
    return RUNS[lab]


def longest(text):
    """Of the lab's own lines: what the simulator says of a refused call is not laid out."""
    return max(len(line) for line in text.split("\n") if not line.startswith("umsim: "))


def tables(text):
    """[[cell, ...], ...] of the lines that look like a table's: cells are two blanks apart."""
    return [re.split(r" {2,}", line.strip()) for line in text.split("\n") if "  " in line.strip()]


class Width(cases.Case):
    def test_usual(self):
        "no lab prints a line of more than 100 characters"
        widths = {lab: longest(usual(lab)[0]) for lab in LABS}
        print("widths:", ", ".join(f"{lab} {width}" for lab, width in widths.items()))
        self.assertEqual({lab: width for lab, width in widths.items() if width > WIDTH}, {})

    def test_profiles(self):
        "nor on the other simulated machines, where more rows are shown, or fewer"
        if BUILD.name != "sim":
            raise cases.Skip("profiles are the simulator's")
        for profile in ("tiny", "limited"):
            for lab in LABS:
                text, status = run(lab, "--profile", profile, "--size", SMALL.get(lab, "4096"))
                if lab == "lab10":  # one device
                    self.assertEqual((status, text.count("\n")), (2, 1), text)
                    continue
                self.assertEqual(status, 0, text[-300:])
                self.assertLessEqual(longest(text), WIDTH, f"{lab} on {profile}")

    def test_far(self):
        "lab10: kernels use the other device's memory where a link lets them, and nowhere else"
        if BUILD.name != "sim":
            raise cases.Skip("profiles are the simulator's")
        for profile, some in (("h200-nvlink2", True), ("h200-pair", False)):
            with tempfile.NamedTemporaryFile(suffix=".json") as file:
                run("lab10", "--profile", profile, "--size", "64K", "--json", file.name)
                rows = {row["strategy"]: row for row in json.loads(Path(file.name).read_text())["rows"]}
            for strategy in ("managed-in-place", "halo-advised"):
                self.assertEqual(rows[strategy]["far_mib"] > 0, some, f"{strategy} on {profile}")

    def test_said(self):
        "COLUMNS and --width are kept to by the tables; --wide has all columns in one line each"
        narrow, option = run("lab4", "--size", "1M", COLUMNS="64")[0], run("lab4", "--size", "1M", "--width", "64")[0]
        self.assertEqual(narrow, option)
        self.assertLessEqual(longest(narrow[narrow.index("strategy"):narrow.index("GB/s:")]), 64)
        wide = run("lab5", "--wide", "--size", "4M")[0]
        head = next(line for line in wide.split("\n") if line.startswith("strategy"))
        for column in ("alloc", "advice", "host", "H2D", "kernel", "D2H", "total", "copied", "CPU", "moved", "waited"):
            self.assertIn(column, head)
        self.assertEqual(sum(line.startswith("strategy") for line in wide.split("\n")), 1)
        for wrong in ("12", "x", "-3"):
            text, status = run("lab1", "--width", wrong)
            self.assertEqual((status, text.count("\n")), (2, 1), text)


class Readmes(cases.Case):
    def test_short(self):
        "each lab's README has at most 120 lines, and links words to the glossary"
        for path in sorted(cases.ROOT.glob("labs/lab*/README.md")):
            text = path.read_text(encoding="utf-8")
            self.assertLessEqual(text.count("\n"), 120, path)
            self.assertIn("docs/words.md", text, path)


class Content(cases.Case):
    @staticmethod
    def is_listed(row, rows):
        """Lab 9 shows rows of the largest size, and of reuse the most: its maps have the rest."""
        largest = row["size_bytes"] == max(other["size_bytes"] for other in rows)
        return largest and not row["strategy"].endswith((" x2", "reuse x4"))

    def test_columns(self):
        "a column is left out only where each row has 0 or nothing; every listed row's name and verdict is there"
        for lab in LABS:
            text, document = usual(lab)
            names = {cells[0].rstrip(" *!~") for cells in tables(text)}
            rows = document["rows"]
            for row in rows:
                if lab != "lab9" or row["strategy"].startswith("copy-") or self.is_listed(row, rows):
                    self.assertIn(row["strategy"], names)
            for title, key in (("host", "host_us"), ("advice", "advice_us"), ("D2H", "d2h_us"), ("CPU", "cpu_faults")):
                if lab in ("lab5", "lab6", "lab7", "lab9") and any((row.get(key) or 0) >= 0.05 for row in rows):
                    self.assertRegex(text, rf"(?m)^strategy .*\b{title}\b", lab)

    def test_directions(self):
        "H2D and D2H are copies and prefetches: rows without either have no time there"
        for lab in ("lab5", "lab6", "lab7"):
            for row in usual(lab)[1]["rows"]:
                if row["strategy"].startswith(("managed", "one-byte", "variable", "nothing", "prefer", "accessed",
                                               "records-managed", "list-pool")):
                    self.assertEqual((row["h2d_us"] or 0, row["d2h_us"] or 0), (0, 0), row["strategy"])
                    self.assertEqual(row["bytes_h2d"], 0, row["strategy"])

    def test_phases(self):
        "a row's phases add up to its total, where they do not overlap"
        keys = ("alloc_us", "advice_us", "h2d_us", "kernel_us", "d2h_us", "host_us")
        for lab in LABS:
            _, document = usual(lab)
            for row in document["rows"]:
                parts = [row[key] for key in keys if row.get(key) is not None]
                if row["total_us"] is not None and len(parts) > 1 and "engines_busy" not in row:
                    self.assertAlmostEqual(sum(parts), row["total_us"], delta=0.01 * len(parts), msg=f"{lab} {row}")


class Closing(cases.Case):
    def test_sentence(self):
        "each lab ends with one sentence, in its output and in its JSON, with numbers; without its rows it says nothing"
        for lab in LABS:
            text, document = usual(lab)
            said = re.search(r"\nSeen: (.*?)\n\n", text, re.S)
            self.assertTrue(said, lab)
            sentence = " ".join(said[1].split())
            print(f"{lab}: {sentence}")
            self.assertEqual(sentence, " ".join(document["closing"].split()))
            self.assertRegex(sentence, r"\d" if lab != "lab8" else r"\d|Only C")
        self.assertNotIn("Seen:", run("lab1", "--strategy", "chunked", "--size", "1M")[0])

    def test_numbers(self):
        "the numbers of a sentence are the rows' own"
        document = usual("lab1")[1]
        rows = {row["strategy"]: row for row in document["rows"]}
        times, copying, adding, core, kernels = map(float, re.findall(r"[\d.]+(?= |,|\.$|\. )", document["closing"]))
        pageable, resident = rows["pageable"], rows["resident"]
        self.assertAlmostEqual(times, (pageable["h2d_us"] + pageable["d2h_us"]) / pageable["kernel_us"], delta=0.6)
        self.assertAlmostEqual(copying, pageable["h2d_us"] + pageable["d2h_us"], delta=0.6)
        self.assertAlmostEqual(adding, pageable["kernel_us"], delta=0.6)
        self.assertAlmostEqual(core, rows["cpu"]["total_us"], delta=0.6)
        # from that many kernels on, and not before, the GPU's whole journey takes less than one core does
        journey = resident["total_us"] - resident["kernel_us"]
        one = resident["kernel_us"] / resident["kernels"]
        self.assertLess(journey + kernels * one, kernels * rows["cpu"]["total_us"])
        self.assertGreaterEqual(journey + (kernels - 1) * one, (kernels - 1) * rows["cpu"]["total_us"])

    def test_marks(self):
        "the fastest and the surprising row are marked, in characters and, on a terminal, in colour"
        plain = usual("lab1")[0]
        self.assertRegex(plain, r"(?m)^resident \* ")
        self.assertIn("*: the fastest", plain)
        self.assertNotIn("\033", plain)
        for lab in LABS:
            self.assertLessEqual(len(set(re.findall(r"(?m)^(\S.*?) ! ", usual(lab)[0]))), 1, lab)


class Terminal(cases.Case):
    def on_terminal(self, **more):
        """What lab1 prints to a terminal of 70 columns."""
        ours, theirs = pty.openpty()
        import fcntl
        import struct
        import termios

        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
        process = subprocess.Popen([BUILD / "lab1", "--size", "1M"], env=ENVIRONMENT | more, stdin=subprocess.DEVNULL,
                                   stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        text = b""
        while True:
            try:
                got = os.read(ours, 65536)
            except OSError:
                break
            if not got:
                break
            text += got
        process.wait()
        os.close(ours)
        return text.decode().replace("\r\n", "\n")

    def test_colour(self):
        "a terminal gets colour, and lines of its own width; with NO_COLOR it gets none"
        coloured = self.on_terminal()
        self.assertIn("\033[32mresident *", coloured)
        bare = re.sub(r"\033\[[\d;]*m", "", coloured)
        self.assertLessEqual(longest(bare[bare.index("strategy"):bare.index("GB/s:")]), 70)
        without = self.on_terminal(NO_COLOR="1")
        self.assertNotIn("\033", without)
        self.assertEqual(without, bare)


class Numpy(cases.Case):
    def test_missing(self):
        "without numpy lab 8 ends with how many rows need it, and how to get it"
        bare = self.folder / "python3"
        bare.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S \"$@\"\n")
        bare.chmod(0o755)
        text, status = run("lab8", PYTHON=str(bare))
        self.assertEqual(status, 0, text)
        needing = len(re.findall(r"^skipped .*pip install numpy", text, re.M))
        self.assertGreater(needing, 0, text)
        self.assertRegex(" ".join(text.split()), rf"Seen: .* {needing} rows need: pip install numpy lab8:")


if __name__ == "__main__":
    sys.exit(cases.main())
