#!/usr/bin/env python3
"""Makes a class of 20 to try grade-class on: `make demo-class [LAB=1]`.

    grade/demo.py --lab 1 --out build/grade/demo/submissions

Submissions are made from the repository's own exercise.c (solved, solved in part, untouched) and from
tests/mutants/labN (mistakes that students make). The others are cases that every class has: nothing handed in, a file
that does not compile, endless loops, crashes, output that is markup.
"""
import argparse
import itertools
import re
import shutil
import sys
from pathlib import Path

import result as results

STUDENTS = ("Abel", "Berg", "Chen", "Diaz", "Eze", "Fahd", "Gil", "Haas", "Ito", "Jain", "Kaya", "Lund", "Mbeki",
            "Novak", "O'Neil <b>", "Pérez", "Quist", "Rossi", "Sato", "Tran")
BLOCK = re.compile(r"^[ \t]*// BEGIN SOLUTION\n(.*?)^[ \t]*// PLACEHOLDER\n(.*?)^[ \t]*// END SOLUTION\n", re.S | re.M)
FUNCTION = re.compile(r"^(?!static\b)\w[^;{}=]*\)\n\{\n", re.M)


def solved(text, which):
    """exercise.c with the solutions whose numbers are in `which`, and placeholders elsewhere."""
    number = itertools.count()

    def choose(block):
        if next(number) in which:
            return block[1]
        return re.sub(r"^([ \t]*)// ?", r"\1", block[2], flags=re.M)

    return BLOCK.sub(choose, text)


def at_call(text, statement):
    """exercise.c whose functions begin with a statement."""
    return FUNCTION.sub(lambda head: f"{head[0]}    {statement}\n", text)


def mistakes(lab, solution):
    """Mutants of a lab, as whole files."""
    folder = results.ROOT / "tests/mutants"
    sys.path.insert(0, str(folder))
    import mutant

    return [mutant.Mutant(path).apply(solution) for path in mutant.of_lab(folder / lab)]


def submissions(lab):
    """[source or None], as many as there are students."""
    folder = results.lab_folder(lab)
    if not folder or not (folder / "exercise.c").exists():
        raise results.Bad(f"{lab}: no such lab with an exercise")
    text = (folder / "exercise.c").read_text(encoding="utf-8")
    count = len(BLOCK.findall(text))
    if not count:
        raise results.Bad(f"{lab}: its exercise.c has no solutions between markers")
    solution = solved(text, range(count))
    made = [solution, None, solved(text, ()), solution + "\nint forgotten(\n",
            at_call(solution, "for (;;)\n        ;"), at_call(solution, "__builtin_trap();"),
            at_call("#include <stdio.h>\n" + solution, 'puts("<script>alert(1)</script> All tests passed. Score: '
                    '100/100");')]
    made += [solved(text, [one]) for one in range(count)] if count > 1 else []
    made += mistakes(lab, solution)[: len(STUDENTS) - len(made) - 1]
    return made + [solution] * (len(STUDENTS) - len(made))


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Makes a class of 20 submissions.")
    parser.add_argument("--lab", required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    try:
        made = submissions(results.lab_name(args.lab))
        shutil.rmtree(args.out, ignore_errors=True)
        for student, source in zip(STUDENTS, made, strict=True):
            folder = args.out / student
            folder.mkdir(parents=True)
            if source is not None:
                (folder / "exercise.c").write_text(f"/* {student}'s */\n{source}", encoding="utf-8")
    except (results.Bad, OSError) as error:
        print(f"demo-class: {error}", file=sys.stderr)
        return 2
    print(f"{len(made)} submissions in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
