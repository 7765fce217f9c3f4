#!/usr/bin/env python3
"""What is said about GPU pointers: the tests of the claims, and whether docs/claims is whole.

    tests/python/claims.py

Runs tests/claims (each of its tests is a result here), compares what they and the ctypes and NumPy parts find with what
is kept in tests/claims/measured, and looks at docs/claims: every sentence and listing line of every article is mapped,
every claim has a verdict, and every fact has a test that is there and passed.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "docs" / "claims"), str(TOP / "tests" / "claims")]
import claims  # noqa: E402
import record  # noqa: E402


def tests_of(executable):
    """Short names of the C tests, as claims name them, with their whole names."""
    listed = subprocess.run([executable, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    return {name.split(": ")[-1]: name for name in listed}


def outcomes(output, names):
    """Whole name of a test: ok, FAIL or SKIP (whose reason follows the name)."""
    found = {}
    for line in output.splitlines():
        word, _, rest = line.strip().partition(" ")
        for name in names:
            if word in ("ok", "FAIL", "SKIP") and (rest.strip() + ": ").startswith(name + ": "):
                found[name] = word
    return found


def wrong_with_article(article):
    yield from claims.uncovered(article)
    yield from claims.badly_formed(article)


def wrong_with_evidence(article, c_tests, results, findings):
    """A claim's tests have to be there, and to have passed wherever they could run."""
    for claim in article["claims"]:
        for test in claim["tests"]:
            whole = c_tests.get(test)
            if whole is None and test not in findings:
                yield f"{claim['id']}: there is no test {test!r}"
            elif whole is not None and results.get(whole) not in ("ok", "SKIP"):
                yield f"{claim['id']}: {whole!r} did not pass"
        if claim.get("kind") != "opinion" and not claim["tests"]:
            yield f"{claim['id']}: {claim['verdict']!r}, and no test says so"


def wrong_with_figures(article, measured):
    """Every figure that a claim quotes has to have been found."""
    for claim in article["claims"]:
        try:
            claims.with_figures(claim["why"], measured)
        except KeyError as name:
            yield f"{claim['id']}: nothing was found under {name}"


def other_answers_of_pocl(hardware):
    """OpenCL's answers on a processor, kept, are those of the H200 but for the platform's name."""
    for name, value in record.kept("pocl.json")["findings"].items():
        if not name.endswith(": platform") and hardware["findings"].get(name) != value:
            yield f"{name}: PoCL {value}, the H200 {hardware['findings'].get(name)}"


def tensorflow(backend, build):
    """Where TensorFlow's CPU build is installed, it has to say what it said when it was kept."""
    name = "claims: TensorFlow says what is kept"
    if importlib.util.find_spec("tensorflow") is None:
        print(f"SKIP {name}: not installed: pip install tensorflow-cpu")
        return True
    asked = subprocess.run([sys.executable, TOP / "tests/claims/frameworks.py", "--backend", backend, "--build", build,
                            "--only", "tensorflow"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                           check=False)
    said, kept = json.loads(asked.stdout or '{"findings": {}}')["findings"], record.kept("tensorflow.json")["findings"]
    if said.get("tensorflow-build: built with CUDA") == "yes":
        print(f"SKIP {name}: this is a build for GPUs, another one than was kept")
        return True
    return report(name, (f"{what}: {said.get(what)}, kept is {kept.get(what)}" for what in {**kept, **said}
                         if said.get(what) != kept.get(what)))


def report(name, problems):
    problems = list(problems)
    print(f"{'FAIL' if problems else 'ok'} {name}")
    for problem in problems:
        print(f"        {problem}")
    return not problems


def main():
    backend = os.environ.get("UMLAB_BACKEND", "sim")
    build = os.environ.get("UMLAB_BUILD", os.path.abspath("build/sim"))
    executable = os.path.join(build, "test", "claims")
    tests, document = record.run(argparse.Namespace(executable=executable, backend=backend, build=build))
    c_tests = tests_of(executable)
    results = outcomes(tests.stdout, c_tests.values())
    print(tests.stdout.rsplit("\n", 2)[0])
    hardware = record.kept("h200.json")
    kept_elsewhere = record.kept("tensorflow.json")["findings"]
    groups = {name.split(": ")[0] for name in [*hardware["findings"], *document["findings"], *kept_elsewhere]}
    articles = claims.articles()
    good = report("claims: all tests ran", [] if set(c_tests.values()) <= set(results) else
                  [f"status {tests.returncode}", *tests.stdout.splitlines()[-5:]])
    good &= report("claims: what is found is what is kept", record.differences(document))
    if record.ABSENT:
        print("SKIP claims: NumPy's arrays are as they were kept: NumPy is missing: ./setup.sh, or pip install numpy")
    good &= report("claims: five articles", [] if len(articles) == 5 else [f"{len(articles)} in docs/claims"])
    for article in articles:
        good &= report(f"claims: {article['key']}: every sentence is mapped, every claim well-formed",
                       wrong_with_article(article))
        good &= report(f"claims: {article['key']}: every fact has its test",
                       wrong_with_evidence(article, c_tests, results, groups))
        good &= report(f"claims: {article['key']}: every figure was found",
                       wrong_with_figures(article, {"sim": record.kept("sim.json"), "h200": hardware}))
    good &= tensorflow(backend, build)
    good &= report("claims: OpenCL says the same on a processor", other_answers_of_pocl(hardware))
    used = {test for article in articles for claim in article["claims"] for test in claim["tests"]}
    good &= report("claims: no test without a claim", sorted((set(c_tests) | groups) - used))
    return 0 if good and tests.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
