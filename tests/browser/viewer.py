"""The residency viewer (report/view.py) on traces of lab 5: does it play, and are its numbers the lab's and the
trace's?"""
import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import chrome
import pages
import reckon
import shared
from support import cases

SMALL, BIG = "4M", "256M"
# A slider has to follow the hand. Measured in the page; hundreds of times what it takes, so that only a viewer that has
# become another one misses it.
MOVE_LIMIT_MS = 1000
MOVES = 40

# Presses a button until the end, and says what is shown after each step.
WALK = """
const numbers = scope => Object.fromEntries([...document.querySelectorAll(`[data-counter][data-scope=${scope}]`)]
    .map(it => [it.dataset.counter, it.dataset.value === "" ? null : Number(it.dataset.value)]));
const at = id => document.getElementById(id), seen = [];
if (arguments[0] === "step") at("first").click();
for (let before = -1; Number(at("time").value) !== before;) {
    before = Number(at("time").value);
    seen.push({step: before, row: at("phase").dataset.row, phase: at("phase").dataset.phase,
               ns: Number(at("clock").dataset.ns), total: numbers("total"), inPhase: numbers("phase"),
               region: window.viewer.region.index, bar: window.viewer.residencyBar(window.viewer.region, arguments[1]),
               owned: [...document.querySelectorAll("#legend [data-pages]")].map(it => it.dataset.pages)});
    at(arguments[0]).click();
}
return seen;
"""
# Milliseconds from a move of the slider to the frame that shows it, for places all over the trace.
SLIDE = """
const slider = document.getElementById("time"), took = [], moves = arguments[0];
for (let move = 0; move < moves; move++) {
    slider.value = Math.round(slider.max * ((move * 0.618) % 1));
    const start = performance.now();
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    took.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
}
return took;
"""
TOTAL = """return Object.fromEntries([...document.querySelectorAll("[data-counter][data-scope=total]")]
    .map(it => [it.dataset.counter, Number(it.dataset.value)]))"""
STEP = "return Number(document.getElementById('time').value)"


@functools.cache
def folder():
    return tempfile.TemporaryDirectory(prefix="umlab-viewer-")


@functools.cache
def lab5(size):
    """A run of lab 5 with a trace. Returns (the trace's path, the lab's JSON, what it printed)."""
    program, base = shared.BUILD / "lab5", Path(folder().name) / size
    if not program.exists():
        raise cases.Skip("no lab5 here: make BACKEND=sim")
    done = subprocess.run([program, "--size", size, "--json", base.with_suffix(".json")], capture_output=True,
                          text=True,
                          env=shared.environment(UMSIM_TRACE=str(base.with_suffix(".jsonl"))), check=True, timeout=200)
    return base.with_suffix(".jsonl"), json.loads(base.with_suffix(".json").read_text(encoding="utf-8")), done.stdout


@functools.cache
def lab10():
    """The trace of a run of lab 10, on two devices."""
    program, trace = shared.BUILD / "lab10", Path(folder().name) / "lab10.jsonl"
    if not program.exists():
        raise cases.Skip("no lab10 here: make BACKEND=sim")
    subprocess.run([program, "--size", "16M", "--profile", "h200-nvlink2"], capture_output=True,
                   env=shared.environment(UMSIM_TRACE=str(trace)), check=True, timeout=200)
    return trace


def view(trace):
    """The viewer's page for a trace."""
    done = subprocess.run([sys.executable, cases.ROOT / "report/view.py", trace], capture_output=True, text=True,
                          check=True)
    return Path(done.stdout.splitlines()[-1])


class Viewer(cases.Case):
    def start(self, trace, size=chrome.DESKTOP):
        browser = shared.browser()
        browser.size(size)
        browser.scheme("light")
        browser.open(view(trace))
        browser.wait(lambda: browser.run("const it = document.documentElement.dataset; "
                                         "return 'ready' in it || 'failed' in it"), 60)
        self.assertIsNone(browser.run("return document.documentElement.dataset.failed"))
        return browser

    def same_counts(self, played, trace, result):
        """Plays the page of a trace, and compares with the lines of `trace` and with the lab's rows."""
        browser, expected = self.start(played), reckon.Trace(trace)
        seen = browser.run(WALK, "step", 8)
        names = list(seen[-1]["total"])
        self.assertEqual(seen[-1]["total"], {name: expected.total[name] for name in names})
        last = {}  # of each phase, what stood there at its last step
        for one in seen:
            if one["row"]:
                last[one["row"], one["phase"]] = one
        self.assertEqual(list(last), [(row, phase) for row, phase, _ in expected.phases])
        for row, phase, counts in expected.phases:
            shown = last[row, phase]["inPhase"]
            self.assertEqual(shown, {name: counts[name] for name in names}, f"{row}, {phase}")
        table = browser.run("return [...document.querySelectorAll('#phases tbody tr')].map(row => [row.dataset.row, "
                            "[...row.querySelectorAll('[data-counter]')].map(it => [it.dataset.counter, "
                            "Number(it.dataset.value)])])")
        self.assertEqual([row for row, _ in table], expected.rows())
        for row, cells in table:
            own = expected.row(row)
            self.assertEqual(dict(cells), {name: own[name] for name, _ in cells}, row)
        compared = 0
        for row in result["rows"]:
            if row["strategy"] in expected.rows():
                counts = expected.row(row["strategy"])
                for key, name in reckon.OF_ROW.items():
                    if row[key] is not None:
                        self.assertEqual(counts[name], row[key], f"{row['strategy']}: {key}")
                        compared += 1
        self.assertGreater(compared, 50)
        return seen

    def test_counts(self):
        "viewer: counts at the end, in each phase and in each row are the trace's and the lab's"
        trace, result, _ = lab5(SMALL)
        seen = self.same_counts(trace, trace, result)
        self.assertEqual([one["ns"] for one in seen], sorted(one["ns"] for one in seen))
        self.assertGreater(seen[-1]["total"]["BytesXferHtD"], 8 << 20)
        self.assertEqual(shared.browser().messages(), [])

    def test_counts_can_fail(self):
        "viewer: a page of a trace that lacks one line is found not to be the lab's"
        trace, result, _ = lab5(SMALL)
        lines = trace.read_text(encoding="utf-8").splitlines(keepends=True)
        for lost in ('"Migration"', '"CpuFault"', '"GpuFault"', '"memcpy"'):
            where = next(at for at, line in enumerate(lines) if f'"event":{lost}' in line)
            short = self.folder / "short.jsonl"
            short.write_text("".join(lines[:where] + lines[where + 1:]), encoding="utf-8")
            for other in (trace, short):  # the page is not the trace's; page and trace are not the lab's
                with self.assertRaises(AssertionError, msg=lost):
                    self.same_counts(short, other, result)

    def test_opens(self):
        "viewer: it opens where its memory has just been made, with all pages to be seen"
        browser = self.start(lab5(SMALL)[0])
        owned = browser.run("return [...document.querySelectorAll('#legend [data-pages]')].map(it => it.dataset.pages)")
        self.assertEqual(sum(int(count or 0) for count in owned), (4 << 20) // reckon.PAGE)
        self.assertEqual(browser.run("return document.getElementById('grid').dataset.alive"), "yes")
        self.assertIn("asks for managed memory", browser.run("return document.getElementById('explain').textContent"))
        browser.find("#back").click()
        self.assertEqual(browser.run("return document.getElementById('grid').dataset.alive"), "no")

    def test_places(self):
        "viewer: after each phase the pages are where the lab's table says"
        trace, _, printed = lab5(SMALL)
        head, row = re.search(r"^ +(host writes +kernel .*)\n(managed +[HG=.hg,-].*)$", printed, re.M).groups()
        places = dict(zip(re.split(r"  +", head), row.split()[1:]))
        self.assertEqual(len(places), 4)
        browser = self.start(trace)
        cells = len(places["kernel"])
        seen = {one["row"]: one for one in browser.run(WALK, "step", cells)}
        for phase, place in places.items():
            self.assertEqual(seen[f"managed: {phase}"]["bar"], place, phase)
        page_count = (4 << 20) // reckon.PAGE
        self.assertEqual(sum(int(count or 0) for count in seen["managed: kernel"]["owned"]), page_count)

    def test_steps(self):
        "viewer: buttons, slider and keys lead to the same steps, forwards and back"
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys
        trace, _, _ = lab5(SMALL)
        browser = self.start(trace)
        forwards = browser.run(WALK, "step", 8)
        back = browser.run(WALK, "back", 8)
        self.assertEqual([one["step"] for one in forwards], list(range(len(forwards))))
        for one, other in zip(forwards, back[::-1]):
            if one["region"] != other["region"]:  # a step that is about no memory shows what the one before it showed
                one, other = ({**it, "region": 0, "bar": "", "owned": []} for it in (one, other))
            self.assertEqual(one, other)
        steps, body, slider = len(forwards) - 1, browser.find("body"), browser.find("#time")
        self.assertEqual(browser.run("return Number(document.getElementById('time').max)"), steps)
        phases = [one["step"] for one, before in zip(forwards[1:], forwards) if one["row"] and
                  (one["row"], one["phase"]) != (before["row"], before["phase"])]
        for key, step in ((Keys.END, steps), (Keys.ARROW_LEFT, steps - 1), (Keys.ARROW_LEFT, steps - 2),
                          (Keys.ARROW_RIGHT, steps - 1), (Keys.HOME, 0), (Keys.PAGE_DOWN, phases[0]),
                          (Keys.PAGE_DOWN, phases[1]), (Keys.PAGE_UP, phases[0])):
            body.send_keys(key)
            self.assertEqual(browser.run(STEP), step)
        for button, step in (("last", steps), ("first", 0), ("next-phase", phases[0]), ("step", phases[0] + 1)):
            browser.find(f"#{button}").click()
            self.assertEqual(browser.run(STEP), step)
        ActionChains(browser.driver).move_to_element(slider).click().perform()
        middle = browser.run(STEP)
        self.assertAlmostEqual(middle / steps, 0.5, delta=0.02)
        self.assertEqual(browser.run(TOTAL), forwards[middle]["total"])
        slider.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(browser.run(STEP), middle + 1)
        self.assertEqual(browser.messages(), [])

    def test_plays(self):
        "viewer: it plays, pauses, goes on and stops at the end"
        trace, _, _ = lab5(SMALL)
        browser = self.start(trace)
        pressed = "return document.getElementById('play').getAttribute('aria-pressed')"
        browser.run("const it = document.getElementById('speed'); it.value = '20'; "
                    "it.dispatchEvent(new Event('change'))")
        browser.find("#play").click()
        self.assertEqual(browser.run(pressed), "true")
        first = browser.wait(lambda: browser.run(STEP) >= 3 and browser.run(STEP))
        browser.find("#play").click()
        self.assertEqual(browser.run(pressed), "false")
        paused = browser.run(STEP)
        self.assertGreaterEqual(paused, first)
        browser.run("return new Promise(done => setTimeout(done, 300))")
        self.assertEqual(browser.run(STEP), paused)
        browser.run("const it = document.getElementById('speed'); it.value = '1000'; "
                    "it.dispatchEvent(new Event('change'));document.activeElement.blur()")
        browser.find("body").send_keys(" ")
        browser.wait(lambda: browser.run(pressed) == "false", 30)
        self.assertEqual(browser.run(STEP), browser.run("return Number(document.getElementById('time').max)"))
        self.assertEqual(browser.messages(), [])

    def test_page(self):
        ("viewer: on a phone, in light and dark: nothing too wide, pale or missing; nothing asked for, nothing on the "
         "console")
        browser = shared.browser()
        browser.size(chrome.PHONE)
        findings, _ = pages.look_at(browser, view(lab5(SMALL)[0]), "viewer")
        self.assertTrue(not findings, shared.listed(findings))
        browser.run("document.getElementById('last').click()")
        shared.shoot("viewer-phone-dark")

    def test_page_of_devices(self):
        ("viewer: two devices, on a phone, in light and dark: nothing too wide, pale or missing; nothing asked for, "
         "nothing on the console")
        browser = shared.browser()
        browser.size(chrome.PHONE)
        findings, _ = pages.look_at(browser, view(lab10()), "viewer")
        self.assertTrue(not findings, shared.listed(findings))
        browser = self.start(lab10())
        for row, name in (("managed", "managed"), ("halo-overlap", "engines")):
            browser.run("viewer.goTo(viewer.model.phases.findLast(it => it.row === arguments[0]).begin + 30)", row)
            shared.shoot(f"viewer-devices-{name}")

    def test_big(self):
        "viewer: 256 MiB stay smooth, and count right"
        times = {}
        for size in (SMALL, BIG):
            browser = self.start(lab5(size)[0])
            took = sorted(browser.run(f"return (async (...arguments) => {{ {SLIDE} }})(...arguments)", MOVES))
            times[size] = took[len(took) // 2]
            print(f"  {size}: a move of the slider takes {times[size]:.1f} ms (the slowest of {MOVES} {took[-1]:.1f} "
                  "ms)")
        self.assertLess(times[BIG], MOVE_LIMIT_MS)
        browser.run("document.getElementById('last').click()")
        total = browser.run(TOTAL)
        self.assertEqual(total, {name: reckon.Trace(lab5(BIG)[0]).total[name] for name in total})
        self.assertGreater(total["BytesXferHtD"], 512 << 20)
        self.assertEqual(browser.messages(), [])

    def test_pictures(self):
        "viewer: pictures are kept of a beginning, a kernel and 256 MiB"
        browser = self.start(lab5(SMALL)[0])
        shared.shoot("viewer-begin")
        browser.run("for (let i = 0; i < 400 && document.getElementById('phase').dataset.row !== 'managed: kernel'; "
                    "i++) document.getElementById('step').click(); for (let i = 0; i < 4; "
                    "i++) document.getElementById('step').click()")
        self.assertEqual(browser.run("return document.getElementById('phase').dataset.row"), "managed: kernel")
        shared.shoot("viewer-kernel")
        browser = self.start(lab5(BIG)[0])
        browser.scheme("dark")
        browser.run("const it = document.getElementById('time'); it.value = it.max / 3; "
                    "it.dispatchEvent(new Event('input'))")
        shared.shoot("viewer-big-dark")
