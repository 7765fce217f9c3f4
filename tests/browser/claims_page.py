"""The page of what is said about GPU pointers: each claim leads to the test that decides it, and the choice of verdicts
works."""
import chrome
import documentation
import pages
import shared
from support import cases

PAGE = documentation.SITE / "claims.html"
DECIDED = ("right", "half right", "wrong")
# A claim: [its id, its verdict, whether it is seen, [[the evidence's id, the first <code> in it, the second]]].
CLAIMS = """return [...document.querySelectorAll("article.claim")].map(claim => [claim.id, claim.dataset.verdict,
    claim.checkVisibility(), [...claim.querySelectorAll(".proof a")].map(link => {
        const evidence = document.getElementById(decodeURIComponent(link.hash.slice(1)));
        const codes = evidence ? [...evidence.querySelectorAll("code")].slice(0, 2) : [];
        return [link.hash, ...codes.map(code => code.textContent)];
    })])"""


class Claims(cases.Case):
    def claims(self):
        if not PAGE.is_file():
            raise cases.Skip("no page of claims here: make docs")
        browser = shared.browser()
        browser.size(chrome.DESKTOP)
        browser.scheme("light")
        browser.open(PAGE)
        return browser.run(CLAIMS)

    def test_evidence(self):
        "claims: each has a verdict, and leads to evidence that names a test which is there"
        claims = self.claims()
        self.assertGreater(len(claims), 100)
        sources = {}
        for claim, verdict, _, proofs in claims:
            self.assertIn(verdict, DECIDED + ("undecided", "opinion"), claim)
            # undecided: what was asked
            self.assertEqual(bool(proofs), verdict != "opinion", f"{claim}: {verdict}, {len(proofs)} tests")
            for link, *codes in proofs:
                self.assertEqual(len(codes), 2, f"{claim}: {link} leads to nothing that names a file and a test")
                file, test = codes
                if file not in sources:
                    self.assertTrue((cases.ROOT / file).is_file(), f"{claim}: no {file}")
                    sources[file] = (cases.ROOT / file).read_text(encoding="utf-8")
                name = link.removeprefix("#claims-test-")
                self.assertTrue(name in sources[file] and (test.endswith(name) or (cases.ROOT / test).is_file()),
                                f"{claim}: {file} has no {name}, or {test} is not there")

    def test_choice(self):
        "claims: choosing a verdict shows those claims and no other, as many as it says"
        claims, browser = self.claims(), shared.browser()
        self.assertTrue(all(seen for _, _, seen, _ in claims))
        for verdict in sorted({verdict for _, verdict, _, _ in claims}):
            browser.find(f"#verdicts input[value='{verdict}']").click()
            shown = [of for _, of, seen, _ in browser.run(CLAIMS) if seen]
            label = browser.run("return document.querySelector('#verdicts :checked').parentElement.textContent")
            self.assertEqual(set(shown), {verdict})
            self.assertEqual(len(shown), int(label.split()[-1]))
            self.assertEqual(len(shown), [of for _, of, _, _ in claims].count(verdict))
        shared.shoot("claims-one-verdict")
        self.assertEqual(browser.messages(), [])

    def test_code(self):
        "claims: what was found and the code open, and stay within 360 px"
        self.claims()
        browser = shared.browser()
        browser.size(chrome.PHONE)
        browser.run("document.querySelectorAll('details').forEach(it => { it.open = true; })")
        code = browser.run("return [...document.querySelectorAll('article.claim')].map(it => [it.dataset.verdict, "
                           "it.querySelectorAll('.fragment, pre').length])")
        self.assertEqual([pair for pair in code if pair[0] in DECIDED and not pair[1]], [])
        self.assertEqual(browser.run(pages.LOOK, ["frame", "overflow", "contrast"]), [])
        browser.run("document.querySelector('article.claim[data-verdict=wrong]').scrollIntoView()")
        shared.shoot("claims-open-phone")
