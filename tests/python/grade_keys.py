#!/usr/bin/env python3
"""The course's key: what is hidden follows from it alone, nobody learns it, and a file that is none is refused.

    tests/python/grade_keys.py [PART-OF-A-NAME]

What grade/key.h says of the construction is written a second time here, in Python.
"""
import base64
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from support import cases, key_seeker

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).resolve()
LAB = cases.ROOT / "labs/lab1_explicit"
PUBLIC = bytes(range(16))
SEED = 20270201
CHECK = "vector_add_host/right_data"
MASK = (1 << 64) - 1
VALUES, ELEMENTS = 100, 1009  # of each array that are looked at; of an array, in the second case
# The solution where there is one element; with more it shows what it was given, and fails.
SHOWS = (LAB / "exercise.c").read_text(encoding="utf-8").replace(" vector_add_host(", " solved_add(").replace(
    " saxpy_chain(", " solved_chain(") + """
#include <stdio.h>
static cudaError_t show(const float *one, const float *other)
{
    for (int i = 0; i < %d; i++)
        printf("%%d %%d;", (int)(one[i] * 1024), (int)(other[i] * 1024));
    return cudaErrorUnknown;
}
cudaError_t vector_add_host(float *c, const float *a, const float *b, size_t n)
{
    return n == %d ? show(a, b) : solved_add(c, a, b, n);
}
cudaError_t saxpy_chain(float *y, float factor, const float *x, size_t n, unsigned k)
{
    return n == %d ? show(y, x) : solved_chain(y, factor, x, n, k);
}
""" % (VALUES, ELEMENTS, ELEMENTS)


def setUpModule():
    if not (BUILD / "grade/lab1.so").exists():
        raise cases.Skip(f"no grader in {BUILD} (make graders)")


# ---- the construction, once more ----

def siphash(key, data):
    """SipHash-2-4, of a key of 16 bytes."""
    words = [int.from_bytes(key[i:i + 8], "little") for i in (0, 8)]
    v = [words[0] ^ 0x736f6d6570736575, words[1] ^ 0x646f72616e646f6d,
         words[0] ^ 0x6c7967656e657261, words[1] ^ 0x7465646279746573]

    def turned(word, bits):
        return (word << bits | word >> 64 - bits) & MASK

    def mix(rounds):
        for _ in range(rounds):
            v[0], v[2] = v[0] + v[1] & MASK, v[2] + v[3] & MASK
            v[1], v[3] = turned(v[1], 13) ^ v[0], turned(v[3], 16) ^ v[2]
            v[0] = turned(v[0], 32)
            v[2], v[0] = v[2] + v[1] & MASK, v[0] + v[3] & MASK
            v[1], v[3] = turned(v[1], 17) ^ v[2], turned(v[3], 21) ^ v[0]
            v[2] = turned(v[2], 32)

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i:i + 8], "little")
        v[3] ^= word
        mix(2)
        v[0] ^= word
    v[2] ^= 0xff
    mix(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def narrowed(key, *texts):
    for text in texts:
        key = b"".join(siphash(key, part + os.fsencode(text)).to_bytes(8, "little") for part in (b"1", b"2"))
    return key


def floats_from(start, count):
    """The array that begins with a drawn number (grade/inputs.c), each as SHOWS shows it."""
    state, values = start, []
    for _ in range(count):
        state = (state + 0x9e3779b97f4a7c15) & MASK
        z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
        bits = 0x3f000000 + ((z ^ z >> 31) >> 40)
        values.append(int(struct.unpack("<f", bits.to_bytes(4, "little"))[0] * 1024))
    return values


def inputs(key, student="anna", seed=SEED, check=CHECK):
    """The pairs that SHOWS shows: those of the second case, before which one loop over calls was begun and one array
    was drawn."""
    own = narrowed(key, str(seed), "lab1", check, student, "input")
    call = (1 << 32).to_bytes(8, "little")
    values = floats_from(siphash(own, call + (1).to_bytes(8, "little")), ELEMENTS + VALUES)
    return list(zip(values[:VALUES], values[ELEMENTS:], strict=True))


# ---- what a grading shows ----

class Keys(cases.Case):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)

    def key(self, text=None, name="key", mode=0o600):
        path = self.folder / name
        path.write_text((os.urandom(16).hex() if text is None else text) + "\n", encoding="ascii")
        path.chmod(mode)
        return path

    def command(self, source, *more):
        submission = self.folder / "submission"
        submission.mkdir(exist_ok=True)
        (submission / "exercise.c").write_text(source, encoding="utf-8")
        return [BUILD / "grade/umgrade", "--lab", "lab1", "--lab-dir", LAB, "--checks", BUILD / "grade/lab1.so",
                "--root", cases.ROOT, "--build", BUILD, "--out", self.folder / "out", "--submission", submission, *more]

    def grade(self, source, key, student="anna", more=("--seed", str(SEED)), status=1):
        self.said = self.call(*self.command(source, *more), status=status,
                              env={"UMLAB_KEY": str(key), "UMLAB_STUDENT": student})
        return json.loads((self.folder / "out/lab1.json").read_text())

    def shown(self, key, student="anna", **more):
        """{function: the pairs of its inputs that its failing check shows}"""
        checks = {check["name"]: check for check in self.grade(SHOWS, key, student, **more)["checks"]}
        found = {name: [tuple(map(int, pair.split())) for pair in
                        re.findall(r"-?\d+ -?\d+(?=;)", checks[f"{name}/right_data"]["output"])]
                 for name in ("vector_add_host", "saxpy_chain")}
        self.assertEqual([len(pairs) for pairs in found.values()], [VALUES, VALUES], checks)
        return found

    def unrelated(self, one, other):
        """Each pair has 22 bits: one that is the same by luck is seen once in 40,000 of these comparisons."""
        self.assertEqual(len(one), len(other))
        self.assertEqual([a for a, b in zip(one, other) if a == b], [])

    def repeatable(self, result):
        """The result without its times and paths, as bytes."""
        for check in result["checks"]:
            check.pop("seconds")
        for name in "started", "seconds", "submission":
            result.pop(name)
        return json.dumps(result).encode()

    def bare_root(self):
        """A checkout in which there is no key, whatever there is in this one. Returns what names it to umgrade."""
        root = self.folder / "root"
        for name in "common", "grade", "kernels", "profiles", "sim", "course.json":
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).symlink_to(cases.ROOT / name)
        for name in "grade", "lib", "share":
            shutil.copytree(BUILD / name, root / "build/sim" / name, symlinks=True)
        return "--root", root, "--build", root / "build/sim"


class Drawing(Keys):
    """What is hidden follows from the key."""

    def test_same(self):
        "the same key and student: the same result byte for byte, also with another comment in the submission"
        key, wrong = self.key(), SHOWS.replace("cudaErrorUnknown", "cudaSuccess")
        results = [self.repeatable(self.grade(f"/* {comment} */\n" + text, key))
                   for text in (SHOWS, wrong) for comment in ("once", "once", "again")]
        for index in range(0, 6, 3):
            self.assertEqual(results[index], results[index + 1])
            self.assertEqual(results[index], results[index + 2])
        self.assertNotEqual(results[0], results[3])

    def test_construction(self):
        "what a check prints is what the construction gives under this key, student, seed and check, and under no other"
        key = self.key()
        its = bytes.fromhex(key.read_text())
        shown = self.shown(key)
        self.assertEqual(shown["vector_add_host"], inputs(its))
        self.assertEqual(shown["saxpy_chain"], inputs(its, check="saxpy_chain/right_data"))
        for more in {"student": "bert"}, {"seed": SEED + 1}, {"check": "vector_add_host/exact_bytes"}:
            self.unrelated(shown["vector_add_host"], inputs(its, **more))
        self.unrelated(shown["vector_add_host"], inputs(PUBLIC))
        self.unrelated(shown["vector_add_host"], inputs(its[::-1]))

    def test_unrelated(self):
        "two students' inputs, two checks', two keys' and two seeds' are unrelated"
        key = self.key()
        anna = self.shown(key)
        self.unrelated(anna["vector_add_host"], anna["saxpy_chain"])
        for other in (self.shown(key, "bert"), self.shown(key, ""), self.shown(self.key(name="other")),
                      self.shown(key, more=("--seed", str(SEED + 1)))):
            for function in anna:
                self.unrelated(anna[function], other[function])

    def test_no_search(self):
        "who tries all seeds, as once found one in a third of a second, finds none: neither the true one nor another"
        shown = self.shown(self.key())["vector_add_host"]
        for seed in [SEED, *range(300)]:
            self.assertNotEqual(shown[0], self.first(seed))
        public = self.shown("", more=(*self.bare_root(), "--seed", "77"))["vector_add_host"]
        self.assertEqual([seed for seed in range(300) if self.first(seed) == public[0]], [77])

    @staticmethod
    def first(seed):
        """The first pair under the public key."""
        return inputs(PUBLIC, seed=seed)[0]

    def test_marks(self):
        "whatever the key, a solution has full marks, and the result says that it was keyed"
        for _ in range(4):
            result = self.grade((LAB / "exercise.c").read_text(), self.key(), status=0)
            self.assertEqual((result["score"], result["inputs"]), (result["max_score"], "keyed"))
            self.assertNotIn("everybody", self.said.stdout)

    def test_public(self):
        "without a key the public one and the seed decide, and the result says that everybody can repeat it"
        seeded = *self.bare_root(), "--seed", str(SEED)
        shown = self.shown("", more=seeded)
        self.assertEqual(shown["vector_add_host"], inputs(PUBLIC))
        result = json.loads((self.folder / "out/lab1.json").read_text())
        self.assertEqual(result["inputs"], "public")
        self.assertIn("everybody can repeat this grading\nScore: ", self.said.stdout)
        (self.folder / "root/.umlab").mkdir()
        key = self.key(name="root/.umlab/key")
        shown = self.shown("", more=seeded)
        self.assertEqual(shown["vector_add_host"], inputs(bytes.fromhex(key.read_text())))

    def refused(self, key, because, *before):
        said = self.call(*before, *self.command("int x;\n"), status=2, env={"UMLAB_KEY": str(key)})
        self.assertEqual((said.stdout, said.stderr.count("\n")), ("", 1), said.stderr)
        self.assertIn(f"key: {key}: ", said.stderr)
        self.assertRegex(said.stderr, because)
        self.assertFalse((self.folder / "out/lab1.json").exists())
        return said.stderr

    def test_files(self):
        "a key file that others can read, that is missing, short, long or something else is refused in one line"
        digits = os.urandom(16).hex()
        for mode in 0o640, 0o604, 0o660, 0o610, 0o644, 0o666, 0o601:
            self.refused(self.key(mode=mode), "others")
        for text, because in ((digits[:31], "short"), ("", "short"), (digits + "0", "long"), (digits + "\n", "long"),
                              (digits[:31] + "x", "no hexadecimal"), ("\0" * 40, "long")):
            said = self.refused(self.key(text), because)
            self.assertNotIn(digits[:8], said)
        self.refused(self.folder / "none", "No such file")
        self.refused(self.folder, "no file")
        self.key(digits[:-1] + digits[-1]).write_text(digits)  # without a line's end
        self.assertEqual(self.shown(self.folder / "key")["vector_add_host"], inputs(bytes.fromhex(digits)))

    def test_unreadable(self):
        "a key of somebody else's is refused, and does not turn into the public one"
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        path = self.key()
        (self.folder / "out").mkdir()
        (self.folder / "out").chmod(0o777)
        self.refused(path, "Permission denied", "setpriv", "--reuid", "54321", "--regid", "54321", "--clear-groups")


class Secret(Keys):
    """Nobody learns the key."""

    @staticmethod
    def seeks(path):
        return key_seeker.source(path, path.read_text().strip())

    def traces(self, path):
        """What the key would look like in a text or a file: itself, its bytes, in other letters, digests."""
        text = path.read_text().strip()
        raw, forms = bytes.fromhex(text), [text.encode(), text.upper().encode()]
        forms += [raw, raw[::-1], base64.b64encode(raw).rstrip(b"=")]
        for data in raw, text.encode(), path.read_bytes():
            for kind in "md5", "sha1", "sha256", "blake2b":
                digest = hashlib.new(kind, data)
                forms += [digest.digest()[:8], digest.hexdigest()[:12].encode()]
        derived = [narrowed(raw, str(SEED)), narrowed(raw, str(SEED), "lab1"),
                   narrowed(raw, str(SEED), "lab1", CHECK, "anna")]
        return forms + derived + [one.hex().encode() for one in derived]

    def test_sandbox(self):
        "a submission finds it in no file, argument, environment, descriptor or memory, in each sandbox"
        path = self.key()
        for sandbox in "auto", "own":
            result = self.grade(self.seeks(path), path, more=("--sandbox", sandbox))
            output = result["checks"][0]["output"]
            self.assertIn(key_seeker.DONE, output, result)
            self.assertNotIn("HARM", json.dumps(result))
            self.assertEqual(result["score"], 0)

    def test_search_finds(self):
        "that search finds a key that is to be seen: in a text of its own, and in a process's arguments"
        path = self.key()
        text = path.read_text().strip()
        source = self.seeks(path).replace("static unsigned searched;", f'char *volatile seen = "{text}";\n'
                                          "static unsigned searched;")
        self.assertIn(key_seeker.FOUND, self.grade(source, path)["checks"][0]["output"])
        other = subprocess.Popen(["sh", "-c", "sleep 100; :", text])
        try:
            output = self.grade(self.seeks(path), path, more=("--sandbox", "own"))["checks"][0]["output"]
        finally:
            other.kill()
            other.wait()
        self.assertRegex(output, key_seeker.FOUND + " /proc/.*cmdline")

    def test_compiler(self):
        "a submission cannot include it either"
        path = self.key()
        for sandbox in "auto", "own":
            for line in f'#include "{path}"', f'__asm__(".incbin \\"{path}\\"");':
                result = self.grade(line + "\n", path, more=("--sandbox", sandbox))
                self.assertFalse(result["build"]["ok"])
                self.assertNotIn(path.read_text()[:8], json.dumps(result))

    def test_nothing_is_left(self):
        "neither it nor a digest of it is in results, records, pages, the gradebook or a message"
        cases.needs("jinja2", "jsonschema")
        for name in "anna", "bert":
            (self.folder / "class" / name).mkdir(parents=True)
            (self.folder / "class" / name / "exercise.c").write_text(SHOWS if name == "anna" else "int broken(\n")
        path = self.folder / "state/key"
        done = self.call(sys.executable, cases.ROOT / "grade/classroom.py", "--lab", "1", "--submissions",
                         self.folder / "class", "--out", self.folder / "book", "--build", BUILD,
                         env={"UMLAB_KEY": str(path)})
        files = [file for file in (self.folder / "book").rglob("*") if file.is_file()]
        self.assertGreater(len(files), 6)
        said = done.stdout.encode() + done.stderr.encode()
        for form in self.traces(path):
            self.assertNotIn(form, said)
            self.assertEqual([str(file) for file in files if form in file.read_bytes()], [])
        record = json.loads((self.folder / "book/lab1/records/anna.json").read_text())
        self.assertEqual(record["result"]["inputs"], "keyed")
        self.assertIn(" ".join(map(str, inputs(bytes.fromhex(path.read_text()))[0])), json.dumps(record))


class Making(Keys):
    """keyfile.py: how a key comes to be."""

    def classroom(self, key, status=0, out="book"):
        cases.needs("jinja2", "jsonschema")
        (self.folder / "class/anna").mkdir(parents=True, exist_ok=True)
        (self.folder / "class/anna/exercise.c").write_text("// PASS\n")
        fake = Path(__file__).with_name("support") / "fake_grader.py"
        return self.call(sys.executable, cases.ROOT / "grade/classroom.py", "--lab", "1", "--submissions",
                         self.folder / "class", "--out", self.folder / out, "--grader", fake, status=status,
                         env={"UMLAB_KEY": str(key)})

    def test_first(self):
        "the first grade-class makes it, of random bits, for its owner alone; the next ones leave it as it is"
        path = self.folder / "state/course/key"
        self.classroom(path)
        self.assertEqual((path.stat().st_mode & 0o7777, path.parent.stat().st_mode & 0o7777), (0o600, 0o700))
        self.assertRegex(path.read_text(), r"\A[0-9a-f]{32}\n\Z")
        before = path.read_text(), path.stat().st_mtime_ns
        self.classroom(path, out="again")
        self.assertEqual(before, (path.read_text(), path.stat().st_mtime_ns))
        self.assertEqual([file.name for file in path.parent.iterdir()], ["key"])
        other = self.folder / "other/key"
        self.classroom(other, out="third")
        self.assertNotEqual(other.read_text(), path.read_text())

    def test_at_once(self):
        "many runs that make it at once have one key, and leave nothing beside it"
        path = self.folder / "state/key"
        program = "import sys; sys.stdin.readline(); import keyfile; print(keyfile.made().read_text(), end='')"
        runs = [subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 text=True, cwd=cases.ROOT / "grade", env=dict(os.environ, UMLAB_KEY=str(path)))
                for _ in range(12)]
        for run in runs:
            run.stdin.write("go\n")
            run.stdin.flush()
        keys = {run.communicate(timeout=60)[0] for run in runs}
        self.assertEqual(keys, {path.read_text()})
        self.assertEqual([file.name for file in path.parent.iterdir()], ["key"])

    def test_refused(self):
        "grade-class refuses, in one line and before it grades, a key that others can read or that is none"
        for text, mode, because in ((None, 0o644, "others"), ("abc", 0o600, "no key"), ("x" * 32, 0o600, "no key")):
            done = self.classroom(self.key(text, mode=mode), status=2)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertRegex(done.stderr, f"^grade-class: the course's key: .*{because}")
            self.assertFalse((self.folder / "book").exists())
        file = self.key(name="file")
        self.assertIn(f"key: {file}/key: File exists", self.classroom(file / "key", status=2).stderr)

    def test_kept_apart(self):
        "neither git nor an image of the course takes it along"
        for name in ".gitignore", ".dockerignore":
            self.assertIn(".umlab", [line.rstrip("/") for line in (cases.ROOT / name).read_text().splitlines()])
        with_no_path = {name: value for name, value in os.environ.items() if name != "UMLAB_KEY"}
        done = subprocess.run([sys.executable, "-c", "import keyfile; print(keyfile.path_of())"], check=True, text=True,
                              capture_output=True, cwd=cases.ROOT / "grade", env=with_no_path)
        self.assertEqual(done.stdout.strip(), str(cases.ROOT / ".umlab/key"))


if __name__ == "__main__":
    sys.exit(cases.main())
