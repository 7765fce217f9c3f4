"""The claims of the five articles, as docs/claims/*.json hold them: read, checked, looked at from the page's side.

An article's file holds its title, how many sentences it has and how many lines each listing (blank lines not counted),
what of it is no claim ("not_checkable": place, reason), and its claims:

    id       the article's key and a number: the page's anchor
    where    places: S7, S9-S12 (sentences, in their order, headings among them), L2:4-6 (lines of the second listing)
    kind     fact (where nothing is said), listing or opinion
    says     the claim, in our words
    verdict  right, half right, wrong, undecided or opinion
    why      what decides it; {h200:NAME} or {sim:NAME} stands for what was found there under that name
    tests    names of tests in tests/claims, or groups of findings of tests/claims/frameworks.py
"""
import json
import re
from pathlib import Path

HERE = Path(__file__).parent
# The order in which the page shows them.
ARTICLES = ("address", "ctypes", "copying", "tensorflow", "runtime")
VERDICTS = ("right", "half right", "wrong", "undecided", "opinion")
KINDS = ("fact", "listing", "opinion")
FIGURE = re.compile(r"\{(h200|sim):([^}]*)\}")
PLACE = re.compile(r"(?:S(\d+)(?:-S(\d+))?|L(\d+):(\d+)(?:-(\d+))?)$")


def articles():
    """All articles, in the page's order; each with its key."""
    return [{"key": key, **json.loads((HERE / f"{key}.json").read_text(encoding="utf-8"))} for key in ARTICLES]


def places(text):
    """The sentences (number) and listing lines (listing, line) that a list of places names."""
    for place in text.split(","):
        found = PLACE.match(place.strip())
        if found is None:
            raise ValueError(f"no place: {place!r}")
        first, last, listing, line, last_line = (int(g) if g else None for g in found.groups())
        if listing is None:
            yield from range(first, (last or first) + 1)
        else:
            yield from ((listing, at) for at in range(line, (last_line or line) + 1))


def all_places(article):
    """Every sentence and every line that the article has."""
    lines = {(number, line) for number, count in enumerate(article["listings"], 1) for line in range(1, count + 1)}
    return set(range(1, article["sentences"] + 1)) | lines


def show(place):
    return f"S{place}" if isinstance(place, int) else f"L{place[0]}:{place[1]}"


def uncovered(article):
    """What is mapped to nothing, or is not there, or is a claim and said to be none; one line each."""
    claimed = {place for claim in article["claims"] for place in places(claim["where"])}
    set_aside = {place for text in article["not_checkable"] for place in places(text)}
    there = all_places(article)
    for words, wrong in (("is mapped to no claim", there - claimed - set_aside),
                         ("is not in the article", (claimed | set_aside) - there),
                         ("is a claim, and said to be none", claimed & set_aside)):
        for place in sorted(wrong, key=show):
            yield f"{show(place)} {words}"


def badly_formed(article):
    """Claims that lack something; one line each."""
    for number, claim in enumerate(article["claims"], 1):
        name = claim.get("id", f"claim {number}")
        if name != f"{article['key']}-{number}":
            yield f"{name}: the id should be {article['key']}-{number}"
        if claim.get("verdict") not in VERDICTS:
            yield f"{name}: verdict {claim.get('verdict')!r}"
        if claim.get("kind", "fact") not in KINDS:
            yield f"{name}: kind {claim.get('kind')!r}"
        if (claim.get("kind") == "opinion") != (claim.get("verdict") == "opinion"):
            yield f"{name}: an opinion has that verdict, and nothing else has"
        if not claim.get("says") or not claim.get("why"):
            yield f"{name}: says or why is empty"
        if not isinstance(claim.get("tests"), list):
            yield f"{name}: no list of tests"


def with_figures(words, measured):
    """Words with what was found in the place of {h200:NAME} and {sim:NAME}. @param measured by side: the kept
    documents. KeyError where nothing was found under a name."""
    def value(found):
        side, name = measured[found[1]], found[2]
        return {**side["behaviours"], **side["times"], **side["findings"]}[name]
    return FIGURE.sub(value, words)
