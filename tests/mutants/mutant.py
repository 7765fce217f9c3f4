"""A mutant: a wrong submission, made from the solution.

NAME.diff shows the mistake alone, as edits of the solution:

    mutant: the way back has the wrong direction; fails: vector_add_host/right_data
    @@ vector_add_host
    -        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    +        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyHostToDevice);

@@ names the function that is edited; alone it means the whole file. The lines after it that begin with a blank or with -
must stand there once in the solution, one below the other; lines with + take the place of those with -. Applying it is not
left to patch(1): that goes by line numbers, and looks for similar places.

NAME.c is for a function that is done in another way altogether: it has the functions that it changes, and helpers of its
own; the others are the solution's. One that could be a shorter .diff is refused. `mutant of NAME: ...` in a .diff's first line
means that NAME.c is edited, not the solution: another mistake in the same other program.

The first comment says what is wrong and which checks fail, with commas; "nothing" is a program that is unusual but right.
"""
import difflib
import re

HEADER = re.compile(r"(?:/\*\s*)?mutant(?: of (?P<base>\w+))?:(?P<what>.*?);\s*fails:(?P<fails>[^*\n]*)(?:\*/)?")
FUNCTION = re.compile(r"^(?!static\b|typedef\b|#|//|\s)[\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{", re.M)
# A .diff has to have so many lines of a .c mutant's function, or the .c is refused.
SHORTER = 0.75


def first_comment(text):
    """The first comment of a C file as one line; a .diff's first line is one already."""
    comment, end, _ = text.partition("*/")
    return re.sub(r"\s*\n \*?\s*", " ", comment) + end if text.startswith("/*") else text


class Bad(Exception):
    """Text for whoever wrote the mutant: one line says what is wrong with it."""


def functions(text):
    """Names of the functions that a C file gives to others."""
    return set(FUNCTION.findall(text))


def place_of(text, name):
    """@return where the function, static ones too, begins and ends; None: there is none"""
    found = re.search(rf"^\w[^;{{}}]*?\b{name}\([^;{{}}]*\)\s*\{{.*?^\}}\n", text, re.M | re.S)
    return found.span() if found else None


def body_of(text, name):
    start, end = place_of(text, name)
    return text[start:end]


def reached(before, after):
    """@return functions given to others that differ, or call static ones that do; all where only other lines differ"""
    given = functions(before)
    names = given | set(re.findall(r"^static\b[^;{}=]*?\b(\w+)\([^;{}]*\)\s*\{", before, re.M))
    differ, more = set(), {name for name in names if place_of(after, name) is None or body_of(before, name) != body_of(after, name)}
    while more - differ:
        differ |= more
        more = {name for name in names if any(re.search(rf"\b{other}\b", body_of(before, name)) for other in differ - given)}
    return given & differ or given


class Mutant:
    """One file of tests/mutants/labN. Everything here raises Bad."""

    def __init__(self, path):
        self.path, self.text = path, path.read_text(encoding="utf-8")
        self.header = HEADER.match(first_comment(self.text))
        if not self.header:
            raise Bad(f"{path}:1: it is not `mutant: what is wrong; fails: checks, or nothing`")
        base = self.header["base"]
        self.base = Mutant(path.with_name(base + ".c")) if base else None

    def fails(self):
        """Names of the checks that must fail."""
        return [name.strip() for name in self.header["fails"].split(",") if name.strip() != "nothing"]

    def changes(self, solution):
        """@return names of the solution's functions that it changes: only they are graded"""
        whole = self.whole_functions()
        changed = functions(solution) & functions(whole) if whole else reached(solution, self.edit(solution))
        if not changed:
            raise Bad(f"{self.path}: it changes no function of the solution")
        return sorted(changed)

    def apply(self, solution):
        """@param solution exercise.c as instructors have it, without markers   @return the wrong exercise.c"""
        whole = self.whole_functions()
        return self.replace_functions(solution, whole) if whole else self.edit(solution)

    def whole_functions(self):
        """The text of a .c, and of a .diff of one; None: the solution's functions are edited."""
        if self.path.suffix == ".c":
            return self.text
        return self.edit(self.base.text) if self.base else None

    def edits(self):
        """(number of its @@ line, function or "", lines with their marks) of a .diff"""
        found = []
        for number, line in enumerate(self.text.splitlines()[1:], 2):
            if line.startswith("@@"):
                found.append((number, line[2:].strip(), []))
            elif not found or (line and line[0] not in " -+"):
                raise Bad(f"{self.path}:{number}: a line begins with @@, a blank, - or +: {line!r}")
            else:
                found[-1][2].append(line or " ")
        if not found:
            raise Bad(f"{self.path}: it edits nothing")
        return found

    def edit(self, text):
        changes = sorted(self.place(text, *edit) for edit in self.edits())
        made, at = "", 0
        for start, end, number, new in changes:
            if start < at:
                raise Bad(f"{self.path}:{number}: it changes lines that another edit changes, too")
            made, at = made + text[at:start] + new, end
        return made + text[at:]

    def place(self, text, number, name, lines):
        """@return (start, end, number, new): what of the text an edit replaces, and by what"""
        span = place_of(text, name) if name else (0, len(text))
        if not span:
            raise Bad(f"{self.path}:{number}: there is no function {name}")
        old = "".join(line[1:] + "\n" for line in lines if line[0] != "+")
        # Whole lines. What looks ahead finds those that begin in each other, too.
        found = re.compile(rf"^(?={re.escape(old)})", re.M).finditer(text, *span) if old else ()
        starts = [match.start() for match in found]
        if len(starts) != 1:
            raise Bad(f"{self.path}:{number}: the lines with a blank or - stand {len(starts)} times in {name or 'exercise.c'}, "
                      "not once: they are to be of what is edited, and enough of them")
        start = starts[0]
        # Edits side by side may have lines with a blank in common.
        changed = [index for index, line in enumerate(lines) if line[0] != " "]
        if not changed:
            raise Bad(f"{self.path}:{number}: this edit changes nothing")
        first, behind = changed[0], changed[-1] + 1
        start += sum(len(line) for line in lines[:first])
        new = "".join(line[1:] + "\n" for line in lines[first:behind] if line[0] != "-")
        return start, start + sum(len(line) for line in lines[first:behind] if line[0] != "+"), number, new

    def replace_functions(self, solution, whole):
        changed = self.changes(solution)
        for name in changed:
            self.refuse_repetition(name, body_of(solution, name), body_of(whole, name))
        if set(changed) == functions(solution):
            return whole
        before = "".join(f"#define {name} {name}_of_the_solution\n" for name in changed)
        after = "".join(f"#undef {name}\n" for name in changed)
        return f'{before}{solution}{after}#line 1 "{self.path.parent.name}/{self.path.name}"\n{whole}'

    def refuse_repetition(self, name, theirs, mine):
        """A blank or a comment makes no line another one."""
        theirs, mine = ([re.sub(r"/\*.*?\*/|\s", "", line) for line in text.splitlines()] for text in (theirs, mine))
        same = sum(block.size for block in difflib.SequenceMatcher(None, theirs, mine, False).get_matching_blocks())
        edited = len(theirs) + len(mine) - 2 * same
        if edited < SHORTER * len(mine):
            raise Bad(f"{self.path}: {name}() has {len(mine)} lines, a .diff of {edited} would do: it shows the mistake alone")


def of_lab(folder):
    """Paths of the mutants in tests/mutants/labN, by name."""
    return sorted(path for path in folder.glob("*") if path.suffix in (".c", ".diff"))
