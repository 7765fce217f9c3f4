"""One Chromium for all tests, driven by Selenium. It sees nothing but files: every other address fails.

    with chrome.Chrome() as browser:
        browser.open(path)
        browser.run("return document.title")
        browser.requests(), browser.messages()     # since the last time they were asked for

Chrome.missing() says what is not here, as a reason for SKIP. Two at a time do not meet: the profile is a new folder,
the driver's port a free one. Nothing outlives the process that started it, however that ends: Linux kills the driver
with its parent, and the browser ends when the driver's end of their pipe is closed.
"""
import ctypes
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

PHONE, DESKTOP = (360, 740), (1280, 800)
DRIVERS = ("chromedriver", "/usr/lib/chromium-browser/chromedriver")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = "no Chromium but perhaps a snap (setup.sh --dev installs it on Debian and Fedora)"
NO_DRIVER = "no chromedriver (setup.sh --dev installs it on Debian and Fedora)"
LOAD_LIMIT_S = 60
LEFTOVERS_LIMIT_S = 30
PR_SET_PDEATHSIG = 1
# Root in a container may not make the sandbox's namespaces, and the pages are our own. A phone's screen, 1 to 1.
# Chromium asks for updates, word lists and the like of its own accord: no name is known to it.
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
           "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--disable-breakpad", "--disable-features=Translate,BackForwardCache,PaintHolding,MediaRouter",
           "--hide-scrollbars", "--remote-debugging-pipe", "--force-device-scale-factor=1",
           "--host-resolver-rules=MAP * ~NOTFOUND")


def find(names):
    for name in names:
        path = shutil.which(name)
        # Ubuntu's chromium-browser is a script that asks for a snap, which containers cannot run.
        if path and "/snap/" not in os.path.realpath(path) and b"snap install" not in Path(path).read_bytes()[:4096]:
            return path
    return None


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Chrome:
    """A browser with one tab. Close it by close(), or use it with `with`."""

    @staticmethod
    def missing():
        """What is not here: a reason for SKIP; None when all is."""
        try:
            import selenium  # noqa: F401
        except ImportError:
            return "no Python package selenium (setup.sh --dev installs it)"
        if not find(BROWSERS):
            return NO_CHROMIUM
        return None if find(DRIVERS) else NO_DRIVER

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        self.folder = tempfile.mkdtemp(prefix="umlab-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = find(BROWSERS)
        for option in OPTIONS + (f"--user-data-dir={self.folder}",):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": True, "enablePage": False})
        self.driver = None
        try:
            # Chromium writes below HOME whatever the profile is.
            home = dict(os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_CACHE_HOME=self.folder)
            service = Service(find(DRIVERS), env=home, popen_kw={"preexec_fn": die_with_parent})
            self.driver = webdriver.Chrome(options=options, service=service)
        except BaseException:
            self.close()
            raise
        self.driver.set_page_load_timeout(LOAD_LIMIT_S)
        self.driver.set_script_timeout(LOAD_LIMIT_S)
        self.size(PHONE)
        self.scheme("light")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.driver:
            try:
                self.driver.quit()
            except Exception as error:  # noqa: BLE001 - it may be dead already; what is left must go all the same
                print(f"browser: {error}", file=sys.stderr)
        # The browser's last processes may still be writing when the driver is done: what they wrote goes, too.
        deadline = time.monotonic() + LEFTOVERS_LIMIT_S
        while os.path.exists(self.folder) and time.monotonic() < deadline:
            shutil.rmtree(self.folder, ignore_errors=True)
            time.sleep(0.05)

    def command(self, name, **parameters):
        """A command of Chromium's DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def size(self, size):
        """Sets width and height of the screen, in CSS pixels. A narrow one is a phone, which obeys meta viewport."""
        self.command("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], screenWidth=size[0],
                     screenHeight=size[1], deviceScaleFactor=1, mobile=size[0] < 600)

    def scheme(self, name):
        """What the reader prefers: `light` or `dark`; and no animations."""
        self.scheme_now = name
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name},
                                                             {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, path, anchor=""):
        """Loads a file and all that it loads. Forgets messages and requests of the page before."""
        self.messages()
        self.requests()
        self.driver.get(Path(path).resolve().as_uri() + anchor)

    def run(self, script, *arguments):
        """Runs JavaScript in the page: what it returns; a promise is waited for."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        """Selenium's element: it can be clicked, and sent keys."""
        return self.driver.find_element("css selector", selector)

    def wait(self, until, limit_s=10):
        """Asks until the answer is true, and returns it; fails after a time that only a dead page needs."""
        from selenium.webdriver.support.ui import WebDriverWait
        return WebDriverWait(self.driver, limit_s, poll_frequency=0.02).until(lambda _: until())

    def messages(self):
        """Warnings and errors on the console since the last call, as text."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """What was asked for since the last call: {address: why it failed, or None}."""
        asked, address_of = {}, {}
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            if message["method"] == "Network.requestWillBeSent":
                address_of[parameters["requestId"]] = parameters["request"]["url"].partition("#")[0]
                asked.setdefault(address_of[parameters["requestId"]])
            elif message["method"] == "Network.loadingFailed" and not parameters.get("canceled"):
                asked[address_of.get(parameters["requestId"], "?")] = parameters["errorText"]
        return asked

    def screenshot(self, path):
        """Keeps what is seen as a PNG. Another run may write the same file: it becomes one or the other, whole."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = Path(self.folder) / path.name
        part.write_bytes(self.driver.get_screenshot_as_png())
        shutil.move(part, path.with_suffix(f".{os.getpid()}"))
        os.replace(path.with_suffix(f".{os.getpid()}"), path)
