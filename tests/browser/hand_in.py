"""What a student hands in, the pages of build/report: each stands alone, and is read on a phone and a projector."""
import shutil

import chrome
import links
import pages
import shared
from support import cases

REPORT = shared.PRODUCTS / "report/report.html"


class Report(cases.Case):
    def alone(self):
        """The report's pages and nothing else, in a folder of their own: as they are handed in. @return the first"""
        if not REPORT.is_file():
            raise cases.Skip("no report here: make report")
        for page in REPORT.parent.glob("*.html"):
            shutil.copy(page, self.folder)
        return self.folder / REPORT.name

    def each(self):
        first = self.alone()
        return [first, *sorted(set(self.folder.glob("*.html")) - {first})]

    def test_page(self):
        "report: on a phone, in light and dark: images load, nothing too wide, pale or missing; nothing on the console"
        for page in self.each():
            findings, _ = pages.look(shared.browser(), page, limit=None)
            self.assertTrue(not findings, f"{page.name}: {shared.listed(findings)}")

    def test_alone(self):
        "report: a page asks for nothing but itself, and they hold their figures"
        browser = shared.browser()
        browser.size(chrome.DESKTOP)
        browser.scheme("light")
        figures = 0
        for page in self.each():
            browser.open(page)
            asked = [address for address in browser.requests() if not address.startswith(("data:", "blob:"))]
            self.assertEqual(asked, [page.as_uri()])
            self.assertEqual(browser.messages(), [])
            figures += browser.run("return [...document.querySelectorAll('img, svg')].filter(it => "
                                   "!it.parentElement.closest('svg')).map(it => it.getBoundingClientRect()).filter("
                                   "box => box.width > 200 && box.height > 100).length")
            shared.shoot(f"report-{page.stem}")
        self.assertGreaterEqual(figures, 10)

    def test_projector(self):
        "report: nothing is wider than 1280 px; pictures are kept of the whole, and of a phone's view"
        browser = shared.browser()
        browser.size(chrome.DESKTOP)
        for page in reversed(self.each()):
            browser.open(page)
            found = browser.run(pages.LOOK, ["overflow"])
            self.assertEqual(found, [], page.name)
        height = browser.run("return document.documentElement.scrollHeight")
        browser.size((chrome.DESKTOP[0], min(height, 15000)))
        shared.shoot("report-whole")
        browser.size(chrome.PHONE)
        browser.scheme("dark")
        browser.open(page)
        shared.shoot("report-phone-dark")

    def test_origin(self):
        ("report: each figure says whether it is modelled, by which profile, or measured, on which GPU; links lead "
         "somewhere")
        browser = shared.browser()
        for page in self.each():
            browser.open(page)
            figures = browser.run("return [...document.querySelectorAll('svg, img')].filter(it => "
                                  "!it.parentElement.closest('svg')).map(it => [...it.querySelectorAll('text')].map("
                                  "text => text.textContent).join(' ') || it.alt)")
            for figure in figures:
                self.assertRegex(figure, r"modelled, profile \w|measured, \w", page.name)
            self.assertEqual(links.dead(links.read(page)), [], page.name)
