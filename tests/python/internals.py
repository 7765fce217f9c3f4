#!/usr/bin/env python3
"""tools/internals.py: the sentence that a file begins with is found in each form that files here have.

    tests/python/internals.py [PART-OF-A-DOCSTRING...]
"""
import sys

from support import cases

sys.path.insert(0, str(cases.ROOT / "tools"))
import internals  # noqa: E402

FORMS = {
    "new.c": "/**\n * @file new.c\n * @brief Who has it, e.g. a page.\n *\n * More.\n */\n",
    "long.h": "/**\n * @file long.h\n * @brief Who has it,\n * e.g. a page. And more.\n */\n#ifndef LONG_H\n",
    "old.c": "/*\n * old.c: who has it, e.g. a page. GPU process only.\n */\n",
    "short.c": "/* short.c: who has it, e.g. a page. */\n#include <stdio.h>\n",
    "behind.cuh": "#pragma once\n// behind.cuh: who has it, e.g. a page.\n// More.\nint x;\n",
    "script.sh": "#!/bin/sh\n# Who has it, e.g. a page.\n#\n# More.\nset -u\n",
    "part.mk": "# Who has it, e.g. a page. More.\nall:\n",
    "module.py": '#!/usr/bin/env python3\n"""Who has it, e.g. a page.\n\nMore.\n"""\nimport sys\n',
}
SILENT = {"none.c": "int x; /* not at the top */\n", "none.py": "import sys\n", "none.sh": "#!/bin/sh\n", "empty.h": ""}


class Internals(cases.Case):
    def setUp(self):
        super().setUp()
        root, internals.ROOT = internals.ROOT, self.folder
        self.addCleanup(setattr, internals, "ROOT", root)

    def said(self, files):
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        return {name: internals.sentence(name) for name in files}

    def test_forms(self):
        "@brief, a file's name and a colon, a docstring, a script's first lines: one sentence, whatever line it is on"
        for name, said in self.said(FORMS).items():
            self.assertEqual(said, "Who has it, e.g. a page.", name)

    def test_silent(self):
        "a file that begins with no comment has no sentence"
        self.assertEqual(set(self.said(SILENT).values()), {""})

    def test_pairs(self):
        "a file that says `see a.h` stands in that header's row"
        self.said({"a.h": "/* a.h: what it is. */", "a.c": "/* a.c: see a.h. */", "b.c": "/* b.c: another. */"})
        rows = [(["a.h", "a.c"], "What it is."), (["b.c"], "Another.")]
        self.assertEqual(internals.rows(["a.c", "a.h", "b.c"]), rows)

    def test_cell(self):
        "names are code, and nothing is a tag, a link or emphasis to Doxygen"
        self.assertEqual(internals.cell("um_x.c, f() and <a|b> of std::c, `d|e` *"),
                         r"`um_x.c`, `f()` and &lt;a&#124;b&gt; of `std::c`, `d&#124;e` \*")


if __name__ == "__main__":
    sys.exit(cases.main())
