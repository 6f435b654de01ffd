"""A page in headless Chromium, driven over two pipes (the DevTools protocol)."""
import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """A browser with one page. To be closed in the end."""

    def __init__(self):
        self.sent, self.errors, self.loads = 0, [], 0
        self.profile = tempfile.mkdtemp(prefix="zwalk-chromium-")
        read, self.to = os.pipe()
        self.back, write = os.pipe()
        # The browser reads from 3 and writes to 4: first out of the way of these.
        high = [fcntl.fcntl(f, fcntl.F_DUPFD, 10) for f in (read, write)]
        self.browser = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", "--user-data-dir=" + self.profile, "about:blank"],
            preexec_fn=lambda: (os.dup2(high[0], 3), os.dup2(high[1], 4)), close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for f in (read, write, *high):
            os.close(f)
        self.rest, self.session = b"", None
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        self.ask("Runtime.enable")

    def show(self, path, width=1280, height=1000, dark=False):
        """Loads a file. Returns when its scripts have run; what they throw is in `errors`."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for url in ("about:blank", "file://" + os.path.abspath(path)):  # also where only the part behind # is new
            before, self.errors = self.loads, []
            self.ask("Page.navigate", url=url)
            while self.loads == before:
                self.receive()

    def close(self):
        self.browser.kill()
        self.browser.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.back, 1 << 20)
            if not more:
                raise RuntimeError(f"{CHROMIUM} went away")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.loads += message["method"] == "Page.loadEventFired"
            if message["method"] == "Runtime.exceptionThrown":
                self.errors.append(message["params"]["exceptionDetails"])
        return message

    def ask(self, method, **params):
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.sent:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, script):
        """Of an expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def move(self, x, y):
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, file):
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=False)
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))
