#!/usr/bin/env python3
"""Predictions: asks for them before a lab runs, keeps them, and prints them beside what happened.

    grade/predict.py ask LAB [--answers a=1,b=2.5] [--build build]      make predict LAB=5 [ANSWERS=...]
    grade/predict.py run LAB [--build build] -- PROGRAM ARGUMENT...     make lab5, once there are predictions
    grade/predict.py lesson LAB [--build build] -- PROGRAM ARGUMENT...  make lab5 ASK=1

The questions are in labs/labN_topic/predictions.json (schema umlab-predictions/1). `ask` needs a terminal or --answers.
A prediction can be changed until a run has shown what happens; the last one before that counts. `run` adds nothing to
the output when nothing was predicted for a lab run with these arguments. It ends as PROGRAM does. `lesson` asks for
what is still open, runs, and then prints what the lab's README wants explained.
"""
import argparse
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap

import result as results
import state as states

FAILED = 2


def questions(lab):
    """The predictions that a lab asks for; [] where it asks none."""
    folder = results.lab_folder(lab)
    path = folder / "predictions.json" if folder else None
    if not path or not path.exists():
        return []
    return results.read_json(path)["predictions"]


# ---- asking ----


def parse_number(text):
    """A number, also with a thousands separator or a factor: 1,000 is 1000; 64K is 65536. None when it is none."""
    text = text.strip().replace("_", "").replace(",", "")
    scale = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:].upper(), 1)
    try:
        value = float(text[:-1] if scale > 1 else text) * scale
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_answers(text, asked):
    """{id: number} of `a=1,b=2`."""
    answers = {}
    for part in filter(None, text.replace(" ", ",").split(",")):
        name, equals, value = part.partition("=")
        parsed = parse_number(value)
        if not equals or parsed is None:
            raise results.Bad(f"ANSWERS is like a=1,b=2.5, not '{results.clean(part)}'")
        if name not in asked:
            raise results.Bad(f"there is no question '{results.clean(name)}'; there are {', '.join(asked)}")
        answers[name] = parsed
    return answers


def with_unit(value, unit):
    text = f"{value:,.0f}" if value == int(value) else f"{value:,.4g}"
    return f"{text} {unit}".strip()


def how_to_run(lab, question):
    arguments = question.get("args", "")
    return f"make {lab}" + (f' ARGS="{arguments}"' if arguments else "")


def ask_on_terminal(asked, kept):
    answers = {}
    for question in asked.values():
        unit = f" [{question['unit']}]" if question["unit"] else ""
        before = kept.get(question["id"])
        print(f"\n{question['question']}")
        while True:
            line = input(f"{question['id']}{unit}" + (f" ({before['predicted']:g} so far)" if before else "") + ": ")
            value = parse_number(line)
            if value is not None:
                answers[question["id"]] = value
            if value is not None or not line.strip():
                break
            print("a number, or nothing to leave it open")
    return answers


def ask(args):
    lab = results.lab_name(args.lab)
    asked = {question["id"]: question for question in questions(lab)}
    if not asked:
        raise results.Bad(f"{lab} asks for no predictions")
    path = states.path_of(args.build)
    kept = states.read(path)["predictions"].get(lab, {})
    seen = [name for name in asked if "happened" in kept.get(name, {})]
    open_ones = {name: question for name, question in asked.items() if name not in seen}
    if args.answers:
        answers = parse_answers(args.answers, asked)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        try:
            answers = ask_on_terminal(open_ones, kept)
        except (EOFError, KeyboardInterrupt) as error:
            raise results.Bad("stopped; nothing is kept") from error
    else:
        for question in asked.values():
            print(f"{question['id']}: {question['question']}" + (f" [{question['unit']}]" if question["unit"] else ""))
        raise results.Bad(f"no terminal to ask on: make predict LAB={lab[3:]} ANSWERS={next(iter(asked))}=...")
    with states.changed(path) as state:
        kept = state["predictions"].setdefault(lab, {})
        for name, value in answers.items():
            if "happened" in kept.get(name, {}):
                print(f"{name}: you have seen what happens; {with_unit(kept[name]['predicted'], '')} stays")
            else:
                kept[name] = {"predicted": value}
                print(f"{name}: {with_unit(value, asked[name]['unit'])}, kept")
        runs = dict.fromkeys(how_to_run(lab, asked[name]) for name in asked if name in kept
                             and "happened" not in kept[name])
    print(f"Next: {'; '.join(runs)}" if runs else f"{lab}: all that was predicted has been seen")
    return 0


# ---- after a run ----


def value_at(rows, place):
    """The number at a place of a lab's JSON, or None."""
    for row in rows:
        if all(row.get(key) == value for key, value in place["row"].items()):
            value = row.get(place["column"])
            return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    return None


def what_happened(rows, place):
    value = value_at(rows, place)
    if value is not None and "over" in place:
        divisor = value_at(rows, place["over"])
        value = value / divisor if divisor else None
    return None if value is None else value * place.get("scale", 1)


def is_right(predicted, happened, tolerance):
    if "absolute" in tolerance:
        return abs(predicted - happened) <= tolerance["absolute"] * (1 + 1e-9)
    if predicted == happened:
        return True
    if predicted * happened <= 0:
        return False
    return max(predicted / happened, happened / predicted) <= tolerance["factor"] * (1 + 1e-9)


def indented(text, blanks):
    """The text as lines of at most 100 characters."""
    return textwrap.wrap(text, 100, initial_indent=" " * blanks, subsequent_indent=" " * blanks)


def outcome(question, kept, happened):
    unit = question["unit"]
    verdict = "right" if is_right(kept["predicted"], happened, question["tolerance"]) else "not so"
    if kept["right"] != (verdict == "right"):
        verdict += f"; {'right' if kept['right'] else 'not so'} when first run, which counts"
    said = f"predicted {with_unit(kept['predicted'], unit)}, happened {with_unit(happened, unit)}: {verdict}"
    return [*indented(question["question"], 2), *indented(said, 4), *indented(question.get("because", ""), 4)]


def compare(lab, asked, rows, path):
    lines, right, total = [], 0, 0
    with states.changed(path) as state:
        kept = state["predictions"].get(lab, {})
        for question in asked:
            happened = what_happened(rows, question["answer"])
            if happened is None:
                lines += [*indented(question["question"], 2), "    n/a: this run has no such row"]
                continue
            mine = kept.get(question["id"])
            if mine is None:
                continue  # taken out of the file while the lab ran
            if "happened" not in mine:
                mine["happened"] = happened
                mine["right"] = is_right(mine["predicted"], happened, question["tolerance"])
            lines += outcome(question, mine, happened)
            right, total = right + mine["right"], total + 1
    print("\n".join([f"{lab}: what you predicted, and what happened"] + lines + [f"{lab}: {right} of {total} right"]))


def run(args, stays=False):
    """Runs the lab; with predictions for these arguments, it is asked for its JSON, too. Without, this process becomes
    the lab, or stays."""
    lab, path = results.lab_name(args.lab), states.path_of(args.build)
    arguments = shlex.join(args.command[1:])
    kept = states.read(path)["predictions"].get(lab, {})
    asked = [question for question in questions(lab) if question["id"] in kept
             and shlex.join(shlex.split(question.get("args", ""))) == arguments]
    if not asked and stays:
        return subprocess.run(args.command, check=False).returncode
    if not asked:
        os.execv(args.command[0], args.command)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        status = subprocess.run(args.command + ["--json", file.name], check=False).returncode
        if status == 0:
            compare(lab, asked, results.read_json(file.name)["rows"], path)
    return status if status >= 0 else 128 - status


# ---- both, and what to explain ----


def to_explain(lab):
    """The points under Explain in the lab's README: the first such list; [] without."""
    folder = results.lab_folder(lab)
    text = (folder / "README.md").read_text(encoding="utf-8") if folder and (folder / "README.md").exists() else ""
    found = re.search(r"^(?:## Explain|\*\*Explain\.\*\*)\n+(.*?)(?=^#|^\*\*|\Z)", text, re.M | re.S)
    points = re.split(r"^- ", found[1], flags=re.M)[1:] if found else []
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(point.split("\n\n")[0].split())) for point in points]


def lesson(args):
    lab = results.lab_name(args.lab)
    asked = {question["id"]: question for question in questions(lab)}
    kept = states.read(states.path_of(args.build))["predictions"].get(lab, {})
    if any(name not in kept for name in asked):
        ask(args)
    print(flush=True)
    status = run(args, stays=True)
    points = to_explain(lab)
    if status == 0 and points:
        width = min(100, shutil.get_terminal_size((100, 24)).columns)
        print(f"\n{lab}: explain now, in a sentence each (more in {results.lab_folder(lab).name}/README.md)")
        for point in points:
            print(textwrap.fill(point, width, initial_indent="  - ", subsequent_indent="    "))
    return status


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Predictions, asked before a run and compared after it.")
    parser.add_argument("what", choices=["ask", "run", "lesson"])
    parser.add_argument("lab")
    parser.add_argument("--answers", default="")
    parser.add_argument("--build", default="build")
    parser.add_argument("command", nargs="*")
    args = parser.parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `make lab1 | head` ends as it does without predictions
    try:
        return {"ask": ask, "run": run, "lesson": lesson}[args.what](args)
    except results.Bad as error:
        print(f"predict: {error}", file=sys.stderr)
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
