"""What the tests in a browser share: one browser, the places of what they look at and write."""
import atexit
import functools
import os
from pathlib import Path

import chrome
from support import cases

BUILD = Path(os.environ.get("UMLAB_BUILD", cases.ROOT / "build/sim")).absolute()
PRODUCTS = BUILD.parent  # docs/, report/ and browser/ are beside the backend's folder
SHOTS = PRODUCTS / "browser"


@functools.cache
def browser():
    """The browser of all tests. It goes when this process does."""
    one = chrome.Chrome()
    atexit.register(one.close)
    return one


def environment(**more):
    """This process's, without what would change a lab's numbers."""
    return {key: value for key, value in os.environ.items() if not key.startswith("UMSIM_")} | more


def shoot(name):
    browser().screenshot(SHOTS / f"{name}.png")


def listed(findings, most=20):
    """Findings as the words of a failure."""
    words = [str(finding) for finding in findings[:most]]
    return "\n".join(words + ([f"... and {len(findings) - most} more"] if len(findings) > most else []))
