#!/usr/bin/env python3
"""One result, every format: read back by somebody else's reader where there is one.

    tests/python/grade_export.py [PART-OF-A-NAME]

JUnit by junitparser, GitHub's workflow by check-jsonschema's copy of GitHub's schema, results.json by the keys that
Gradescope documents, Autolab by its rule (the last line of stdout), terminals by what must not reach them.
"""
import json
import re
import subprocess
import sys

from support import cases, gradescope

cases.needs("jsonschema", "junitparser", "check_jsonschema", "ruamel.yaml")
import jsonschema  # noqa: E402
import junitparser  # noqa: E402
import ruamel.yaml  # noqa: E402

EXITS = {"PASS": 0, "FAIL": 1, "SKIP": 77, "TIMEOUT": 124, "BUILD-ERROR": 126, "CRASH": 134}


class Export(cases.Case):
    def setUp(self):
        super().setUp()
        self.result = cases.write_json(self.folder / "result.json", cases.sample())

    def export(self, *arguments, status=0):
        return self.call(sys.executable, cases.ROOT / "grade/export.py", *arguments, status=status).stdout

    def clean(self, text):
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text), "control characters")

    def test_gradescope(self):
        "Gradescope: only documented keys and values; skipped tests have neither score nor status"
        document = json.loads(self.export("gradescope", self.result))
        jsonschema.validate(document, gradescope.RESULTS)
        self.assertEqual((document["score"], document["execution_time"]), (2, 1.5))
        tests = dict(zip(cases.STATUSES, document["tests"]))
        self.assertEqual([test.get("status") for test in tests.values()],
                         ["passed", "failed", None, "failed", "failed", "failed"])
        self.assertNotIn("score", tests["SKIP"])
        self.assertEqual([test["output"].split("\n")[0] for test in tests.values()], list(cases.STATUSES))
        self.assertEqual({test["output_format"] for test in tests.values()}, {"text"})
        for test in tests.values():
            self.clean(test["output"])

    def test_junit(self):
        "JUnit: junitparser reads six cases: passed, failure, skipped, and three errors of different types"
        out = self.folder / "junit.xml"
        self.export("junit", self.result, "-o", out)
        suites = junitparser.JUnitXml.fromfile(str(out))
        self.assertEqual((suites.tests, suites.failures, suites.errors, suites.skipped), (6, 1, 3, 1))
        ends = {}
        for suite in suites:
            counts = (suite.tests, suite.failures, suite.errors, suite.skipped)
            suite.update_statistics()
            self.assertEqual(counts, (suite.tests, suite.failures, suite.errors, suite.skipped))
            for case in suite:
                kinds = [(type(one).__name__, one.type) for one in case.result] or [("passed", None)]
                self.assertEqual(len(kinds), 1)
                ends[case.name] = kinds[0]
                self.assertEqual(case.classname, "lab1.vector_add_host")
        self.assertEqual(list(ends.values()), [("passed", None), ("Failure", "FAIL"), ("Skipped", None),
                                               ("Error", "TIMEOUT"), ("Error", "CRASH"), ("Error", "BUILD-ERROR")])
        self.clean(out.read_text(encoding="utf-8"))

    def test_autolab(self):
        "Autolab: the last line has the scores, the one before it the feedback; a forged line does not count"
        lines = self.export("autolab", self.result).splitlines()
        self.assertEqual(json.loads(lines[-1]), {"scores": {"vector_add_host": 2}})
        feedback = json.loads(lines[-2])
        self.assertEqual((feedback["_presentation"], feedback["stages"]), ("semantic", ["Build", "vector_add_host"]))
        cells = list(feedback["vector_add_host"].values())
        self.assertEqual([cell["passed"] for cell in cells], [True] + 5 * [False])
        self.assertEqual([cell["hint"].split("\n")[0] for cell in cells[1:]], list(cases.STATUSES[1:]))
        self.assertFalse([line for line in lines[:-2] if line.startswith("{")])

    def test_exit_codes(self):
        "GitHub Classroom: each end of a check has an exit code of its own; an unknown check is 2"
        for index, status in enumerate(cases.STATUSES):
            self.clean(self.export("check", f"vector_add_host/check_{index}", self.result, status=EXITS[status]))
        self.assertEqual(len(set(EXITS.values()) | {2}), len(EXITS) + 1)
        self.export("check", "vector_add_host/none", self.result, status=2)

    def test_workflow(self):
        "GitHub Classroom: the workflow fits GitHub's schema, has a runner for each check of a handout, and all report"
        text = "\n".join(['{"check_0", 2},', "// BEGIN HIDDEN", '{"check_1", 2},', "// END HIDDEN"]
                         + [f'{{"check_{index}", 2}},' for index in range(2, 6)])
        root, out = self.tree(lab1={"grade/checks.c": text + "\n"}), self.folder / "classroom.yml"
        self.call(sys.executable, root / "grade/workflow.py", self.result, "--out", out)
        self.call(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", out)
        steps = ruamel.yaml.YAML(typ="safe").load(out.read_text())["jobs"]["autograding"]["steps"]
        runners = {step["id"]: step["with"] for step in steps if "autograding-command-grader" in step.get("uses", "")}
        self.assertEqual([runner["test-name"] for runner in runners.values()],
                         [f"vector_add_host/check_{index}" for index in (0, 2, 3, 4, 5)])
        self.assertEqual({runner["max-score"] for runner in runners.values()}, {2})
        self.assertEqual(steps[-1]["with"]["runners"].split(","), list(runners))
        self.assertEqual(sorted(steps[-1]["env"]), sorted(f"{name.upper()}_RESULTS" for name in runners))
        words = runners["vector_add_host__check_3"]["command"].split()
        self.assertEqual(words[-1], "build/grade/lab1.json")
        self.call(sys.executable, cases.ROOT / words[1], *words[2:-1], self.result, status=EXITS["TIMEOUT"])

    def test_terminal(self):
        "the terminal gets every end by its name, the score last, and no control characters"
        said = self.export("terminal", self.result)
        for word in ("OK",) + cases.STATUSES[1:]:
            self.assertIn(f"== {word} (", said)
        self.assertEqual(said.splitlines()[-1], "Score: 2/12")
        self.clean(said)
        for line in said.splitlines()[:-1]:
            self.assertRegex(line, "^(== Test |     )")

    def test_build_error(self):
        "a submission that does not build, and a grading that was cut off, are said in every format"
        checks = cases.sample(("BUILD-ERROR",), complete=False,
                              build={"ok": False, "log": "exercise.c:7: <b>no</b>\x07"})
        path = cases.write_json(self.folder / "broken.json", checks)
        for name in ("terminal", "gradescope", "autolab", "junit"):
            said = self.export(name, path)
            self.assertIn("exercise.c:7", said, name)
            self.assertIn("BUILD-ERROR", said, name)
            self.clean(said)
        self.assertIn("did not come to its end", self.export("terminal", path))
        self.assertFalse(json.loads(self.export("gradescope", path))["extra_data"]["complete"])

    def test_no_result(self):
        "what is no result, or does not agree with itself, is one line, exit 2, and writes nothing"
        good = cases.sample()
        first = good["checks"][0]
        for document in ([], {}, good | {"schema": "umlab-grade/2"}, good | {"score": 12}, good | {"surprise": 1},
                         good | {"checks": good["checks"] + [first]}, good | {"checks": [first | {"status": "FINE"}]},
                         good | {"checks": [first | {"points": 3}], "score": 3, "max_score": 2},
                         good | {"checks": [first | {"name": "a/b; rm -rf"}], "max_score": 2}):
            path = cases.write_json(self.folder / "bad.json", document)
            done = self.call(sys.executable, cases.ROOT / "grade/export.py", "gradescope", path, "-o",
                             self.folder / "out", status=2)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1))
            self.assertFalse((self.folder / "out").exists())
        (self.folder / "bad.json").write_text("[" * 100000)
        self.export("junit", self.folder / "bad.json", status=2)
        self.export("junit", self.folder / "none.json", status=2)


class Course(cases.Case):
    def test_course(self):
        "course.json and all schemas are valid; a wrong course file is found"
        self.call(sys.executable, "-m", "check_jsonschema", "--check-metaschema",
                  *sorted((cases.ROOT / "grade/schema").glob("*.json")))
        schema = cases.ROOT / "grade/schema/umlab-course-1.json"
        self.call(sys.executable, "-m", "check_jsonschema", "--schemafile", schema, cases.ROOT / "course.json")
        course = json.loads((cases.ROOT / "course.json").read_text())
        self.assertIn(course["term"], course["terms"])
        course["terms"]["x"] = {"seed": 1, "labs": [{"lab": "lab1", "points": 1, "due": "soon", "minutes": 1}]}
        path = cases.write_json(self.folder / "course.json", course)
        done = subprocess.run([sys.executable, "-m", "check_jsonschema", "--schemafile", schema, path],
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)

    def test_predictions(self):
        "every lab's predictions.json fits its schema, and belongs to its lab"
        files = sorted(cases.ROOT.glob("labs/*/predictions.json"))
        if not files:
            self.skipTest("no lab asks for predictions yet")
        schema = cases.ROOT / "grade/schema/umlab-predictions-1.json"
        self.call(sys.executable, "-m", "check_jsonschema", "--schemafile", schema, *files)
        for path in files:
            document = json.loads(path.read_text())
            self.assertTrue(path.parent.name.startswith(document["lab"] + "_"), path)
            names = [one["id"] for one in document["predictions"]]
            self.assertEqual(len(names), len(set(names)), path)


if __name__ == "__main__":
    sys.exit(cases.main())
