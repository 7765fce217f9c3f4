"""Two machines, or two submissions, side by side: figures with a column for each, and how many times one takes the
other's.

An input is a file that a lab wrote, a folder of them (a report's `data`), or a result of the grader (umlab-grade/1).
"""
from pathlib import Path

import results
import style

GRADE_SCHEMA = "umlab-grade/1"


class ratio:
    """A kind of figure (figure.py): the second's time by the first's."""
    KIND = "ratio"
    TITLE = "how many times the first's time the second takes"
    CAPTION = ("A mark to the right of 1: B takes longer; to the left: B is faster. Same strategy and same size in "
               "both; the axis is logarithmic.")
    ACROSS = True

    @staticmethod
    def panels(first, second):
        """Of two groups of one lab."""
        theirs = {(row["strategy"], row["size_bytes"]): row for row in second.rows if results.drawn(row)}
        bars = []
        for row in first.rows:
            other = theirs.get((row["strategy"], row["size_bytes"]))
            if results.drawn(row) and other and row.get("total_us") and other.get("total_us"):
                bars.append({"name": row["strategy"], "size": row["size_bytes"], "a_us": row["total_us"],
                             "b_us": other["total_us"], "ratio": other["total_us"] / row["total_us"]})
        largest = {}
        for bar in bars:
            if bar["name"] not in largest or bar["size"] > largest[bar["name"]]["size"]:
                largest[bar["name"]] = bar
        return [{"title": "", "bars": list(largest.values())}] if bars else []

    @staticmethod
    def size(panel):
        return 9.0, 1.2 + 0.32 * len(panel["bars"])

    @staticmethod
    def draw(place, panel, context):
        axes = place.axes()
        bars = panel["bars"]
        for y, bar in enumerate(bars):
            slower = bar["ratio"] > 1
            axes.plot([1, bar["ratio"]], [y, y], color=style.KERNEL, linewidth=1.5)
            axes.plot([bar["ratio"]], [y], linestyle="", marker=">" if slower else "<", markersize=9,
                      color=style.LINES[2 if slower else 4][0])
            axes.annotate(f"\N{MULTIPLICATION SIGN}{bar['ratio']:.3g}", (bar["ratio"], y), va="center", fontsize=9,
                          xytext=(8 if slower else -8, 0), textcoords="offset points", ha="left" if slower else "right")
        axes.set_xscale("log")
        reach = 1.6 * max(2, *(max(bar["ratio"], 1 / bar["ratio"]) for bar in bars))
        axes.set_xlim(1 / reach, reach)
        style.logarithmic(axes.xaxis, 1 / reach, reach)
        axes.axvline(1, color=style.INK, linewidth=1)
        axes.set_yticks(range(len(bars)), [f"{bar['name']} ({results.size_text(bar['size'])})" for bar in bars])
        axes.set_ylim(len(bars) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("total time of B, as a multiple of A's (logarithmic)")
        return axes


class checks:
    """A kind of figure: the points of each check of the grader."""
    KIND = "checks"
    TITLE = "points by check"
    CAPTION = "A bar is what a check can give, filled as far as it was given; beside it stands how the check ended."
    ACROSS = False

    @staticmethod
    def panels(document):
        found = [{"name": check["name"], "status": check["status"], "points": check["points"],
                  "max_points": check["max_points"]}
                 for check in document["checks"]]
        got, most = (sum(check[key] for check in found) for key in ("points", "max_points"))
        return [{"title": f"{got:g} of {most:g} points", "checks": found}] if found else []

    @staticmethod
    def size(panel):
        return 9.0, 1.2 + 0.32 * len(panel["checks"])

    @staticmethod
    def draw(place, panel, context):
        axes = place.axes()
        found = panel["checks"]
        at = range(len(found))
        for key, name, colour, hatch in (("max_points", "not given", style.NONE, "xx"),
                                         ("points", "given", style.LINES[4][0], "")):
            drawn = axes.barh(at, [check[key] for check in found], height=0.7, color=colour, hatch=hatch,
                              edgecolor=style.INK, linewidth=0.6)
            context["legend"].setdefault(name, drawn)
        for y, check in enumerate(found):
            axes.annotate(check["status"], (check["max_points"], y), xytext=(4, 0), textcoords="offset points",
                          va="center", fontsize=9)
        axes.set_xlim(0, 1.35 * max(1, max(check["max_points"] for check in found)))
        axes.set_yticks(at, [check["name"] for check in found])
        axes.set_ylim(len(found) - 0.5, -0.5)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("points")
        return axes


def read_grade(path):
    """A result of the grader, or None where the file is none."""
    if not path.is_file():
        return None
    document = results.read_json(path)
    if not isinstance(document, dict) or document.get("schema") != GRADE_SCHEMA:
        return None
    for check in document.get("checks") if isinstance(document.get("checks"), list) else [None]:
        points = [check.get(key) if isinstance(check, dict) else None for key in ("points", "max_points")]
        if not all(isinstance(value, (int, float)) and value >= 0
                   for value in points) or not isinstance(check.get("name"), str):
            raise results.BadInput(f"{path}: checks without names or points")
        check.setdefault("status", "")
    return document


def split(text):
    """The two inputs of COMPARE=a.json,b.json. A comma in a file's name is understood where the file exists."""
    parts = text.split(",")
    ways = [(",".join(parts[:i]), ",".join(parts[i:])) for i in range(1, len(parts))]
    ways = [way for way in ways if all(way) and all(Path(part).exists() for part in way)] or ways
    if not ways or not all(ways[0]):
        raise results.BadInput(f"COMPARE={text}: two files or folders with a comma between them are needed")
    return [Path(part) for part in ways[0]]


def names(paths):
    """A and B, with as much of the paths as tells them apart."""
    stems = [path.stem if path.is_file() else path.name for path in paths]
    if stems[0] == stems[1]:
        stems = [f"{path.resolve().parent.name}/{stem}" for path, stem in zip(paths, stems)]
    return [f"{letter}: {stem if len(stem) <= 32 else stem[:15] + '...' + stem[-15:]}"
            for letter, stem in zip("AB", stems)]


def load(path):
    """({lab: [group, ...]}, {lab: grade})"""
    grade = read_grade(path)
    if grade:
        return {}, {str(grade.get("lab", "lab")): grade}
    by_lab = {}
    for group in results.collect(results.separate(results.find_files([path]))[0]):
        by_lab.setdefault(group.source.lab, []).append(group)
    return by_lab, {}


def specs(text, kinds, make):
    """[(kind, figure data)] of all that the two inputs have in common; groups for the page's tables."""
    paths = split(text)
    labels = names(paths)
    loaded = [load(path) for path in paths]
    made, shown = [], []
    for lab in [lab for lab in loaded[0][0] if lab in loaded[1][0]]:
        sides = [(label, group) for label, side in zip(labels, loaded) for group in side[0][lab]]
        shown += sides
        for kind in kinds:
            columns = [(f"{label} ({results.label(group.source)})", kind.panels(group)) for label, group in sides]
            columns = [column for column in columns if column[1]]
            if len(columns) > 1:
                made += [(kind, spec) for spec in make(kind, lab, columns)]
        pair = loaded[0][0][lab][0], loaded[1][0][lab][0]
        bars = ratio.panels(*pair)
        if bars:
            source = " | ".join(f"{label} ({results.label(group.source)})" for label, group in zip(labels, pair))
            made += [(ratio, spec) for spec in make(ratio, lab, [(source, bars)])]
    for lab in [lab for lab in loaded[0][1] if lab in loaded[1][1]]:
        columns = [(f"{label} (points; simulator, profile {side[1][lab].get('profile')})", checks.panels(side[1][lab]))
                   for label, side in zip(labels, loaded)]
        if all(panels for _, panels in columns):
            made += [(checks, spec) for spec in make(checks, lab, columns)]
    if not made:
        raise results.BadInput(f"{paths[0]} and {paths[1]}: no lab that both have results of")
    return made, shown
