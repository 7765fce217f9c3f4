#!/usr/bin/env python3
"""tests/mutants/mutant.py: what a mutant's file says is done to the solution, or refused in one line.

    tests/python/mutant_files.py [PART-OF-A-NAME]
"""
import sys

from support import cases

sys.path.insert(0, str(cases.ROOT / "tests/mutants"))
import mutant  # noqa: E402

SOLUTION = """#include "exercise.h"

static int twice(int n)
{
    return n + n;
}

int four_times(int n)
{
    int made = 0;

    made += twice(n);
    made += twice(n);
    return made;
}

int nothing(int n)
{
    return n - n;
}
"""
FIRST = "mutant: what is wrong; fails: four_times/right, nothing/zero\n"


class Mutants(cases.Case):
    def mutant(self, text, name="wrong.diff"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return mutant.Mutant(path)

    def refused(self, text, why, name="wrong.diff"):
        with self.assertRaises(mutant.Bad) as raised:
            self.mutant(text, name).apply(SOLUTION)
        said = str(raised.exception)
        self.assertRegex(said, why)
        self.assertNotIn("\n", said)

    def test_edits(self):
        "edits are made where they stand once, whatever their order, and may have blank lines beside them in common"
        text = FIRST + "@@ four_times\n     made += twice(n);\n-    return made;\n+    return -made;\n" \
            "@@ four_times\n-    int made = 0;\n+    int made = 1;\n\n     made += twice(n);\n"
        wrong = self.mutant(text)
        made = SOLUTION.replace("return made", "return -made").replace("made = 0", "made = 1")
        self.assertEqual(wrong.apply(SOLUTION), made)
        self.assertEqual(wrong.changes(SOLUTION), ["four_times"])
        self.assertEqual(wrong.fails(), ["four_times/right", "nothing/zero"])

    def test_reached(self):
        ("a static function's mistake is its callers'; a line outside of functions may be anybody's; a name may be "
         "alone in a function")
        self.assertEqual(self.mutant(FIRST + "@@ twice\n-    return n + n;\n+    return n;\n").changes(SOLUTION),
                         ["four_times"])
        wrong = self.mutant(FIRST + '@@\n #include "exercise.h"\n+#define n 3\n')
        self.assertEqual(wrong.changes(SOLUTION), ["four_times", "nothing"])

    def test_refused_edits(self):
        ("an edit that stands nowhere, twice, in no function, over another one, or changes nothing is refused with its "
         "line")
        self.refused(FIRST + "@@ nothing\n-    return n + n;\n+    return n;\n",
                     r"wrong\.diff:2: .* stand 0 times in nothing")
        self.refused(FIRST + "@@ four_times\n-    made += twice(n);\n", r":2: .* stand 2 times in four_times")
        self.refused(FIRST + "@@\n+int more;\n", r":2: .* stand 0 times in exercise\.c")
        self.refused(FIRST + "@@ eight_times\n-    return made;\n", r":2: there is no function eight_times")
        self.refused(FIRST + "@@ nothing\n     return n - n;\n", r":2: this edit changes nothing")
        self.refused(FIRST + "@@ nothing\n-    return n - n;\n+    return 1;\n@@\n-    return n - n;\n+    return 2;\n",
                     r":\d: it changes lines that another edit changes")

    def test_refused_files(self):
        "a file without a first line, without edits, or with a line of no kind is refused"
        self.refused("@@ nothing\n", r":1: it is not `mutant:")
        self.refused(FIRST, r"it edits nothing")
        self.refused(FIRST + "    return 0;\n", r":2: a line begins with")
        self.refused(FIRST + "@@ nothing\n*    return 0;\n", r":3: a line begins with")

    def test_whole_functions(self):
        ("a .c has a function of its own, beside the solution's others, and may be edited; one that could be a shorter "
         ".diff is refused")
        comment = "/* mutant: what is wrong; fails: nothing */\n"
        wrong = self.mutant(comment + "int nothing(int n)\n{\n    while (n > 0)\n        n--;\n    while (n < 0)\n     "
                            "   n++;\n"
                            "    return n;\n}\n", "wrong.c")
        self.assertEqual(wrong.changes(SOLUTION), ["nothing"])
        self.assertEqual(wrong.fails(), [])
        self.assertIn("#define nothing nothing_of_the_solution\n" + SOLUTION, wrong.apply(SOLUTION))
        wrong = self.mutant(FIRST.replace("mutant:", "mutant of wrong:") + "@@ nothing\n-        n--;\n+        --n;\n",
                            "more.diff")
        self.assertEqual(wrong.changes(SOLUTION), ["nothing"])
        self.assertIn("#define nothing nothing_of_the_solution\n" + SOLUTION, wrong.apply(SOLUTION))
        self.assertIn("        --n;\n", wrong.apply(SOLUTION))
        again = SOLUTION[SOLUTION.index("int four_times"):SOLUTION.index("int nothing")].replace("return made",
                                                                                                 "return -made")
        self.refused(comment + again, r"wrong\.c: four_times\(\) has 8 lines, a \.diff of 2 would do", "wrong.c")
        self.refused(comment + "int other(int n)\n{\n    return n;\n}\n", r"it changes no function of the solution",
                     "wrong.c")


if __name__ == "__main__":
    sys.exit(cases.main())
