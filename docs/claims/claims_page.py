"""The page about what is said about GPU pointers, from docs/claims/*.json and what tests/claims found.

docs/site/insert.py puts body() into docs/claims.md. Counts, findings and code are read where they stand; nothing is
typed in here.
"""
import ast
import html
import json
import re
from pathlib import Path

import claims

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "claims"
STYLE = Path(__file__).with_name("claims.css")
SCRIPT = Path(__file__).with_name("claims.js")
GPU_ONLY = "asked on a GPU only"


# What is set as code: calls, names with dots or underscores, CUDA's camelCase, indexed launches, file names.
CODE = re.compile(r"""(?<![\w.])(?:
    \w+\[[^\]]*\](?:\(\w*\))?                  # kernel[256,](array)
  | __\w+__ | [A-Za-z]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?  # __name__, a.b.c, a.b()
  | \.[a-z]\w*(?:\(\))?                        # .ptr
  | [A-Za-z]\w*_\w+(?:\(\))? | \w+\(\)        # a_b, f()
  | cuda[A-Z]\w* | [a-z]+(?:[A-Z][a-z]+){2,} | 2\*\*20
  )""", re.X)


def text(words):
    """Words as HTML; what looks like code is set as code."""
    return CODE.sub(lambda found: f"<code>{found[0]}</code>", html.escape(words, quote=False))


def raw(markup):
    return f"\n@htmlonly[block]\n{markup}\n@endhtmlonly\n"


class Evidence:
    """What the tests found on either side, and the code that asked."""

    def __init__(self):
        self.sides = [json.loads((TESTS / "measured" / name).read_text(encoding="utf-8"))
                      for name in ("sim.json", "h200.json")]
        # Packages that umpython runs: asked apart, because each has a Python of its own.
        packages = json.loads((TESTS / "measured" / "packages.json").read_text(encoding="utf-8"))
        self.sides[0]["findings"].update(packages["findings"])
        # What was asked of a processor, and of no CUDA: TensorFlow's CPU build.
        self.processor = json.loads((TESTS / "measured" / "tensorflow.json").read_text(encoding="utf-8"))
        self.measured = dict(zip(("sim", "h200"), self.sides))
        self.sources = {path.name: path.read_text(encoding="utf-8") for path in sorted(TESTS.glob("*.c"))}
        self.python = {name: (TESTS / name).read_text(encoding="utf-8")
                       for name in ("frameworks.py", "pycuda_findings.py")}
        self.suites = {}
        for name, source in self.sources.items():
            suite = re.search(r'UM_TESTS\("([^"]+)"', source)
            for test in re.findall(r'\{"([a-z0-9-]+)",\s*\w+\}', source) if suite else ():
                self.suites[test] = (name, f"{suite[1]}: {test}")

    def rows(self, test):
        """(finding, simulator's, H200's), in the order in which hardware was asked."""
        names = {}
        for side in reversed(self.sides):
            for part in ("behaviours", "times", "findings"):
                names.update({name: part for name in side[part] if name.startswith(test + ": ")})
        for name, part in names.items():
            yield name[len(test) + 2:], part, *(side[part].get(name) for side in self.sides)

    def code(self, test):
        """(language, code): a test's function with the comment over it, or what asks a framework."""
        if test in self.suites:
            source = self.sources[self.suites[test][0]]
            found = re.search(rf"(?:/\*(?:(?!\*/).)*\*/\n)?static void {test.replace('-', '_')}\(void\)\n\{{.*?\n\}}\n",
                              source, re.S)
            return "c", found[0]
        parts = [ast.get_source_segment(source, node) for source in self.python.values()
                 for node in ast.parse(source).body
                 if isinstance(node, ast.FunctionDef)]
        return "py", "\n\n\n".join(part for part in parts if f'"{test}: ' in part)

    def place(self, test):
        if test in self.suites:
            name, whole = self.suites[test]
            return f"<code>tests/claims/{name}</code>, test <code>{whole}</code>"
        file = next((name for name, source in self.python.items() if f'"{test}: ' in source), "frameworks.py")
        return f"<code>tests/claims/{file}</code>, run by <code>tests/python/claims.py</code>"


def table(evidence, test):
    def cell(value, part, on_simulator):
        if value is None:
            return {"findings": GPU_ONLY, "times": "n/a"}.get(part, "not enforced") if on_simulator else "n/a"
        return html.escape(value)

    only = [(name[len(test) + 2:], value) for name, value in evidence.processor["findings"].items()
            if name.startswith(test + ": ")]
    if only:
        rows = "".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(value)}</td></tr>" for what, value in only)
        return (f'<div class="found"><table><thead><tr><th>{test}</th>'
                f'<th>{html.escape(evidence.processor["device"]["name"])}</th></tr>'
                f"</thead><tbody>{rows}</tbody></table></div>")
    rows = "".join(f"<tr><td>{html.escape(what)}</td><td>{cell(sim, part, True)}</td><td>{cell(gpu, part, False)}</td>"
                   "</tr>"
                   for what, part, sim, gpu in evidence.rows(test))
    return (f'<div class="found"><table><thead><tr><th>{test}</th><th>simulator, modelled</th><th>H200, measured</th>'
            '</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>")


def places(claim):
    parts = []
    for place in claim["where"].split(", "):
        found = claims.PLACE.match(place)
        first, last, listing, line, last_line = found.groups()
        if listing is None:
            parts.append(f"sentence {first}" if last is None else f"sentences {first} to {last}")
        else:
            parts.append(f"listing {listing}, line {line}" if last_line is None
                         else f"listing {listing}, lines {line} to {last_line}")
    return "; ".join(parts)


def card(evidence, claim):
    name, verdict = claim["id"], claim["verdict"]
    links = ", ".join(f'<a href="#claims-test-{test}">{test}</a>' for test in claim["tests"])
    notes = [f"{'What was asked:' if verdict == 'undecided' else 'Decided by'} {links}."] if links else []
    # The code stands below, once; claims.js shows it here, too, when somebody opens this.
    found = "".join(f'{table(evidence, test)}<div data-code-of="{test}"></div>' for test in claim["tests"])
    more = f"<details><summary>What was found, and the code</summary>{found}</details>" if found else ""
    return (f'<article class="claim" id="claims-{name}" data-verdict="{verdict}">'
            f'<p class="verdict"><b>{verdict}</b> <a href="#claims-{name}">{name}</a> <span>{places(claim)}</span></p>'
            f'<p class="says">{text(claim["says"])}</p>'
            f'<p class="why">{text(claims.with_figures(claim["why"], evidence.measured))}</p>'
            f'<p class="proof">{" ".join(notes)}</p>{more}</article>')


def counts(articles):
    rows = []
    for article in articles:
        each = [sum(claim["verdict"] == verdict for claim in article["claims"]) for verdict in claims.VERDICTS]
        rows.append(f"| [{article['title']}](@ref claims-{article['key']}) | "
                    + " | ".join(map(str, [*each, sum(each)])) + " |")
    each = [sum(claim["verdict"] == verdict for article in articles for claim in article["claims"])
            for verdict in claims.VERDICTS]
    rows.append("| all | " + " | ".join(map(str, [*each, sum(each)])) + " |")
    return ("\n| article | " + " | ".join([*claims.VERDICTS, "claims"]) + " |\n|---|" + "--:|"
            * (len(claims.VERDICTS) + 1) + "\n"
            + "\n".join(rows) + "\n"), each


def chooser(each):
    buttons = [f'<label><input type="radio" name="verdict" value="" checked> all {sum(each)}</label>']
    buttons += [f'<label data-verdict="{verdict}"><input type="radio" name="verdict" value="{verdict}"> {verdict} '
                f'{count}</label>'
                for verdict, count in zip(claims.VERDICTS, each)]
    return f'<fieldset class="verdicts" id="verdicts"><legend>Show</legend>{"".join(buttons)}</fieldset>'


def conditions(evidence):
    sim, gpu = (side["device"] for side in evidence.sides)
    versions = ", ".join(f"{name} {number}" for name, number in evidence.sides[1]["versions"].items())
    return (f"H200: one {gpu['name']}, {gpu['link']}, driver {gpu['driver']}, CUDA {gpu['toolkit']}, "
            f"{evidence.sides[1]['date']}; {versions}; TensorFlow {evidence.processor['versions']['tensorflow-cpu']}, "
            "asked without a GPU; times are measured, the best of several, on an otherwise idle machine. Simulator: "
            f"profile {sim['profile']}; times are modelled.")


def article_part(evidence, article):
    aside = {}
    for place, reason in article["not_checkable"].items():
        aside.setdefault(reason, []).append(place)
    listed = "; ".join(f"{reason} ({', '.join(found)})" for reason, found in aside.items())
    return (f"\n## {article['title']} {{#claims-{article['key']}}}\n\n"
            f"{article['sentences']} sentences and {len(article['listings'])} listings. Not claims (S5: the fifth "
            "sentence, headings counted; L1:4: the fourth line of the first listing, empty ones not counted): "
            f"{listed}.\n"
            + raw("\n".join(card(evidence, claim) for claim in article["claims"])))


def evidence_part(evidence, articles):
    parts = ["\n## The tests, and what they found {#claims-evidence}\n\n" + conditions(evidence)
             + " Answers are the same on both, or the test fails; times are each side's own. `make claims` runs them "
             "all.\n"]
    users = {}
    for article in articles:
        for claim in article["claims"]:
            for test in claim["tests"]:
                users.setdefault(test, []).append(claim["id"])
    for test in [*evidence.suites, *sorted(set(users) - set(evidence.suites))]:
        language, code = evidence.code(test)
        names = ", ".join(f'<a href="#claims-{name}">{name}</a>' for name in users.get(test, ()))
        parts.append(raw(f'<section class="evidence" id="claims-test-{test}"><h3>{test}</h3>'
                         f'<p>{evidence.place(test)}. Decides {names}.</p>'
                         + table(evidence, test) + '<details class="more"><summary>The code</summary>'))
        parts.append(f"\n```{{.{language}}}\n{code.rstrip()}\n```\n")
        parts.append(raw("</details></section>"))
    return "".join(parts)


def body():
    """What follows the page's own words: counts, the chooser, the claims by article, and the evidence."""
    evidence, articles = Evidence(), claims.articles()
    summary, each = counts(articles)
    return (summary + raw(f"<style>{STYLE.read_text(encoding='utf-8')}</style>{chooser(each)}")
            + "".join(article_part(evidence, article) for article in articles) + evidence_part(evidence, articles)
            + raw(f"<script>{SCRIPT.read_text(encoding='utf-8')}</script>"))
