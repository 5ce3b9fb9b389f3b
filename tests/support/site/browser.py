"""A headless Chromium, driven over its debugging pipe: no driver and no package is needed."""

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LACKING = "no Chromium on PATH: install the package chromium of the operating system"
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--remote-debugging-pipe",
)
WITH_PIPE = (
    sys.executable,
    "-c",
    "import fcntl, os, sys; pipe = [fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]];"
    "os.dup2(pipe[0], 3); os.dup2(pipe[1], 4); os.execv(sys.argv[3], sys.argv[3:])",
)
"""Starts the browser with the pipe where it looks for it: commands at 3, answers at 4."""
SENT = "Network.requestWillBeSent"
OWN_SCHEMES = ("file:", "data:", "blob:", "about:")


def chromium() -> str | None:
    """Return the path of a Chromium, if there is one."""
    named = os.environ.get("ASSAY_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of a browser; ``requests`` are the addresses that it asked for."""

    def __init__(self, ours: int, theirs: int):
        self._in = os.fdopen(theirs, "rb")
        self._out = ours
        self._number = 0
        self.requests: list[str] = []
        self.errors: list[str] = []
        self._session = ""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; events before it are noted."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            event = self._event()
            if event.get("id") == self._number:
                assert "error" not in event, event
                return dict(event["result"])

    def open(self, url: str) -> None:
        """Open an address and wait until it is loaded."""
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete'")

    def value(self, script: str) -> Any:
        """Return the value of an expression, awaited."""
        found = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression is true, at most a minute of the page's time."""
        waiting = f"""new Promise((done) => {{
            let n = 0;
            const ask = () => ({condition}) || ++n > 1200 ? done({condition}) : setTimeout(ask, 50);
            ask();
        }})"""
        assert self.value(waiting), condition

    def press(self, key: str) -> None:
        """Press and release a key."""
        codes = {"Tab": 9, "Enter": 13}
        text = {"text": "\r"} if key == "Enter" else {}
        how = {"key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown", **how, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **how)

    def picture(self, path: Path) -> None:
        """Write a picture of what the window shows."""
        shown = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(b64decode(shown))

    @property
    def left_the_page(self) -> list[str]:
        """Return the requests that went anywhere but to the disk or the document itself."""
        return [url for url in self.requests if not url.startswith(OWN_SCHEMES)]

    def _event(self) -> dict[str, Any]:
        text = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "the browser has ended"
            text += byte
        event: dict[str, Any] = json.loads(text)
        if event.get("method") == SENT:
            self.requests.append(event["params"]["request"]["url"])
        elif event.get("method") == "Log.entryAdded":
            self.errors.append(event["params"]["entry"]["text"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(event["params"]["exceptionDetails"]))
        return event


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a Chromium with a fresh profile, and end it."""
    program = chromium()
    assert program is not None, LACKING
    their_in, ours = os.pipe()
    theirs, their_out = os.pipe()
    process = subprocess.Popen(
        [*WITH_PIPE, str(their_in), str(their_out), program, *FLAGS, f"--user-data-dir={profile}"],
        pass_fds=(their_in, their_out),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(their_in)
    os.close(their_out)
    try:
        yield Browser(ours, theirs)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
