"""A Firefox without a driver: it speaks WebDriver BiDi itself, over a socket. Debian has no geckodriver.

    with firefox.Firefox() as browser:
        browser.open(path)
        browser.run("document.title")      # an expression, its value as JSON

Firefox.missing() says what is not here, as a reason for SKIP. It sees files only, as Chromium does (chrome.py).
"""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import chrome

BROWSERS = ("firefox-esr", "firefox")
START_LIMIT_S, ANSWER_LIMIT_S = 60, 120
# No names are resolved but by a proxy that is not there: nothing is asked of a network.
PREFERENCES = {
    "network.proxy.type": 1, "network.proxy.socks": "127.0.0.1", "network.proxy.socks_port": 9,
    "network.proxy.socks_remote_dns": True, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1, "browser.startup.page": 0, "ui.prefersReducedMotion": 1}


class Firefox:
    """A browser with one tab. Close it by close(), or use it with `with`."""

    @staticmethod
    def missing():
        try:
            import websocket  # noqa: F401 - comes with selenium
        except ImportError:
            return "no Python package websocket-client (setup.sh --dev installs it)"
        return None if chrome.find(BROWSERS) else "no Firefox (setup.sh --dev installs it on Debian)"

    def __init__(self):
        import websocket
        self.folder, self.number, self.socket = tempfile.mkdtemp(prefix="umlab-firefox-"), 0, None
        lines = [f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items()]
        Path(self.folder, "user.js").write_text("".join(lines), encoding="ascii")
        log = Path(self.folder, "log")
        with log.open("w") as file:
            self.process = subprocess.Popen(
                [chrome.find(BROWSERS), "--headless", "--no-remote", "--profile", self.folder,
                 "--remote-debugging-port", "0"],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file, preexec_fn=chrome.die_with_parent,
                env=dict(os.environ, HOME=self.folder))
        try:
            address = self.wait(lambda: re.search(r"listening on (ws://\S+)", log.read_text(errors="replace")))[1]
            self.socket = websocket.create_connection(f"{address}/session", timeout=ANSWER_LIMIT_S,
                                                      suppress_origin=True)
            self.ask("session.new", capabilities={})
            self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.socket:
            self.socket.close()
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait(self, until):
        deadline = time.monotonic() + START_LIMIT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            answer = until()
            if answer:
                return answer
            time.sleep(0.05)
        raise TimeoutError(f"Firefox: {Path(self.folder, 'log').read_text(errors='replace')[-500:]}")

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                break
        if answer["type"] != "success":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def open(self, path, anchor=""):
        self.ask("browsingContext.navigate", context=self.tab, url=Path(path).resolve().as_uri() + anchor,
                 wait="complete")

    def run(self, expression):
        """The value of an expression; a promise is waited for."""
        code = f"(async () => JSON.stringify(await ({expression})))()"
        done = self.ask("script.evaluate", expression=code, target={"context": self.tab}, awaitPromise=True)
        if done["type"] == "exception":
            raise RuntimeError(done["exceptionDetails"]["text"])
        return json.loads(done["result"].get("value", "null"))
