#!/usr/bin/env python3
"""The documentation site, the viewer and the report in a real browser: Debian's Chromium, driven by Selenium.

    make test-browser            makes what is missing first
    tests/browser/run.py [PART OF A NAME...]     finds the build in UMLAB_BUILD; the pages are beside it

Pictures of what was seen are kept in build/browser/. Skipped where Chromium, its driver or Selenium is missing.
"""
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import chrome  # noqa: E402
from support import cases  # noqa: E402


def setUpModule():
    missing = chrome.Chrome.missing()
    if missing:
        raise cases.Skip(missing)


from claims_page import Claims  # noqa: E402,F401 - cases.main() finds them here
from documentation import Documentation  # noqa: E402,F401
from hand_in import Report  # noqa: E402,F401
from planted import Leftovers, Planted  # noqa: E402,F401
from playground import Playground  # noqa: E402,F401
from search import Search  # noqa: E402,F401
from viewer import Viewer  # noqa: E402,F401

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: the browser is closed
    sys.exit(cases.main())
