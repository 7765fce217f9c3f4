"""What a student hands in, build/report/report.html: it has to stand alone, and be read on a phone and a projector."""
import shutil
from pathlib import Path

import chrome
import links
import pages
import shared
from support import cases

REPORT = shared.PRODUCTS / "report/report.html"


class Report(cases.Case):
    def alone(self):
        """The report and nothing else, in a folder of its own: as it is mailed."""
        if not REPORT.is_file():
            raise cases.Skip("no report here: make report")
        return Path(shutil.copy(REPORT, self.folder / "report.html"))

    def test_page(self):
        "report: on a phone, in light and dark: images load, nothing too wide, pale or missing; nothing on the console"
        findings, _ = pages.look(shared.browser(), self.alone(), limit=None)
        self.assertTrue(not findings, shared.listed(findings))

    def test_alone(self):
        "report: it asks for nothing but itself, and holds its figures"
        browser, page = shared.browser(), self.alone()
        browser.size(chrome.DESKTOP)
        browser.scheme("light")
        browser.open(page)
        asked = [address for address in browser.requests() if not address.startswith(("data:", "blob:"))]
        self.assertEqual(asked, [page.as_uri()])
        self.assertEqual(browser.messages(), [])
        drawn = browser.run("return [...document.querySelectorAll('img, svg')].filter(it => "
                            "!it.parentElement.closest('svg')).map(it => it.getBoundingClientRect()).filter(box => "
                            "box.width > 200 && box.height > 100).length")
        self.assertGreaterEqual(drawn, 5)
        shared.shoot("report-desktop")

    def test_projector(self):
        "report: nothing is wider than 1280 px; pictures are kept of the whole, and of a phone's view"
        browser, page = shared.browser(), self.alone()
        browser.size(chrome.DESKTOP)
        browser.open(page)
        found = browser.run(pages.LOOK, ["overflow"])
        self.assertEqual(found, [])
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
        browser, page = shared.browser(), self.alone()
        browser.open(page)
        figures = browser.run("return [...document.querySelectorAll('svg, img')].filter(it => "
                              "!it.parentElement.closest('svg')).map(it => [...it.querySelectorAll('text')].map(text "
                              "=> text.textContent).join(' ') || it.alt)")
        for figure in figures:
            self.assertRegex(figure, r"modelled, profile \w|measured, \w")
        self.assertEqual(links.dead(links.read(page)), [])
