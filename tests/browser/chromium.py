"""A real headless Chromium, driven through its DevTools protocol."""

from __future__ import annotations

import base64
import contextlib
import functools
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from websockets.sync.client import connect

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
)
PATIENCE = 60.0


def found() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@contextlib.contextmanager
def browser(program: str):
    """The address at which a fresh browser listens; it ends with the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, *FLAGS, "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield _address(Path(profile) / "DevToolsActivePort")
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _address(told: Path) -> str:
    patience = time.monotonic() + PATIENCE
    while time.monotonic() < patience:
        if told.exists() and (lines := told.read_text().splitlines()):
            return f"http://127.0.0.1:{lines[0]}"
        time.sleep(0.05)
    raise TimeoutError("Chromium did not start")


class Tab:
    """One page of the browser, and all that it logged and asked the network for."""

    def __init__(self, address: str) -> None:
        request = urllib.request.Request(f"{address}/json/new?about:blank", method="PUT")  # noqa: S310 - loopback
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - loopback
            listens = json.load(answer)["webSocketDebuggerUrl"]
        self.held = contextlib.ExitStack()
        self.socket = self.held.enter_context(connect(listens, max_size=None, open_timeout=PATIENCE))
        self.sent, self.events = 0, []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters):
        """Send one command and wait for its answer; what arrives between is kept."""
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            if message.get("id") == self.sent:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, address: str) -> None:
        self.events.clear()
        self.ask("Page.navigate", url=address)
        patience = time.monotonic() + PATIENCE
        while not self.told("Page.loadEventFired"):
            if time.monotonic() > patience:
                raise TimeoutError(address)
            with contextlib.suppress(TimeoutError):
                self.events.append(json.loads(self.socket.recv(0.2)))

    def told(self, method: str) -> list[dict]:
        return [event["params"] for event in self.events if event.get("method") == method]

    def run(self, script: str):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        patience = time.monotonic() + PATIENCE
        while not self.run(condition):
            if time.monotonic() > patience:
                raise TimeoutError(condition)
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, and exceptions that nobody caught."""
        console = [
            str(call["args"]) for call in self.told("Runtime.consoleAPICalled") if call["type"] in {"error", "warning"}
        ]
        logged = [
            entry["entry"]["text"]
            for entry in self.told("Log.entryAdded")
            if entry["entry"]["level"] in {"error", "warning"}
        ]
        return console + logged + [str(thrown["exceptionDetails"]) for thrown in self.told("Runtime.exceptionThrown")]

    def requests(self) -> list[str]:
        return [sent["request"]["url"] for sent in self.told("Network.requestWillBeSent")]

    def size(self, width: int, height: int) -> None:
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def move(self, x: float, y: float) -> None:
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, path: Path) -> None:
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self) -> bytes:
        return base64.b64decode(self.ask("Page.printToPDF", printBackground=True)["data"])

    def close(self) -> None:
        self.ask("Page.close")
        self.held.close()


@contextlib.contextmanager
def served(folder: Path, policy: str):
    """A loopback server that sends this content policy with every file."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", policy)
            super().end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
