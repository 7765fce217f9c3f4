"""The site's search: what students ask for, and the first three answers that they get. tests/browser/queries.txt has
both, a line a query: `query: place place place`, a place without `.html`. They have to come in that order. Equally good
answers come in the order of nav.json, whose `about` says what a page is to be found by; so change that, or
synonyms.json, where the answers that a failure shows are not those that the query deserves."""
import chrome
import documentation
import shared
from support import cases

QUERIES = cases.ROOT / "tests/browser/queries.txt"
ASK = """const {found, instead} = umlabRank(window.umlabSearch, window.umlabSynonyms, arguments[0]);
    return [found.map(entry => [entry[1], entry[4]]), instead];"""
SYMBOLS = ("umsim_costs", "uvm_space", "um_options")


def short(address):
    return address.replace(".html", "")


class Search(cases.Case):
    def ask(self, query):
        """[(place, rank), ...], best first, and what was looked for in its stead."""
        found, instead = shared.browser().run(ASK, query)
        return [(short(address), rank) for address, rank in found], instead

    def setUp(self):
        super().setUp()
        if not (documentation.SITE / "index.html").is_file():
            raise cases.Skip("no documentation site here: make docs")
        browser = shared.browser()
        browser.size(chrome.DESKTOP)
        browser.open(documentation.SITE / "index.html")
        browser.find("#MSearchField").click()
        browser.wait(lambda: browser.run("return !!window.umlabSearch"))

    def test_queries(self):
        "search: 40 queries have the first three answers that they deserve"
        lines = [line for line in QUERIES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        self.assertGreaterEqual(len(lines), 40)
        others = []
        for line in lines:
            query, _, wanted = line.partition(": ")
            found = [place for place, _ in self.ask(query)[0][:3]]
            first = wanted.split()[0].partition("#")[0]
            if found != [first + place if place.startswith("#") else place for place in wanted.split()]:
                others.append(f"{query}: {' '.join(found)}   (not: {wanted})")
        self.assertTrue(not others, "other answers:\n" + "\n".join(others))

    def test_order(self):
        "search: pages come before symbols, what programs call before the inside, names with underscores before both"
        for query in ("pinned", "stream", "prefetch", "bandwidth", "copy", "kernel"):
            ranks = [rank for _, rank in self.ask(query)[0]]
            self.assertGreaterEqual(min(ranks[:3]), 2, query)
            self.assertIn(0, ranks, query)
        for name in SYMBOLS:
            self.assertIn(name.replace("_", "__"), self.ask(name)[0][0][0], name)

    def test_mistakes(self):
        "search: one letter more, less, other, or two that changed places: the same answers, and it says what it took"
        for wrong, right in (("pinnned", "pinned"), ("pined", "pinned"), ("prefatch", "prefetch"),
                             ("kernle", "kernel"), ("segfualt", "segfault"), ("managed memroy", "managed memory")):
            found, instead = self.ask(wrong)
            self.assertEqual(instead, right)
            self.assertEqual(found, self.ask(right)[0])
        self.assertEqual(self.ask("zzqxw"), ([], ""))
