"""Drives a headless Chromium through its debugging pipe; nothing but the standard library."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


def find():
    return next((path for name in ("chromium", "chromium-browser", "google-chrome")
                 if (path := shutil.which(name))), None)


class Browser:
    """One browser with a profile of its own; close() ends it."""

    def __init__(self):
        self.profile = tempfile.mkdtemp()
        to_child, self.out = os.pipe()
        self.inp, from_child = os.pipe()


        high = [os.dup(fd) for fd in (to_child, from_child)]
        for fd in high:
            os.set_inheritable(fd, True)
        wrapper = 'a=$1 b=$2; shift 2; exec "$@" 3<&$a 4>&$b'
        self.process = subprocess.Popen(
            ["bash", "-c", wrapper, "-", str(high[0]), str(high[1]), find(), "--headless=new",
             "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
             "--user-data-dir=" + self.profile, "about:blank"],
            pass_fds=high, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (to_child, from_child, *high):
            os.close(fd)
        self.number, self.rest, self.events = 0, b"", []
        target = next(one for one in self.call("Target.getTargets")["targetInfos"]
                      if one["type"] == "page")
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def read(self):
        while b"\0" not in self.rest:
            part = os.read(self.inp, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def complaints(self):
        """What the browser has complained of so far: exceptions, blocked things, 404."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event.get("method") == "Log.entryAdded":
                found.append(event["params"]["entry"]["text"])
            elif event.get("method") == "Page.javascriptDialogOpening":
                found.append("dialog: " + event["params"]["message"])
        return found

    def run(self, script):
        """The value of a JavaScript expression; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description"))
        return answer["result"].get("value")

    def wait(self, script, seconds=10):
        """Until an expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return True
            except RuntimeError:  # between two pages
                pass
            time.sleep(0.02)
        return False

    def go(self, url):
        self.call("Page.navigate", url=url)

    def key(self, key):
        """One key: a character, or Enter, Escape, Tab, an arrow up or down."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowUp": 38, "ArrowDown": 40}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key.upper()[0]))}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def offline(self, yes):
        self.call("Network.emulateNetworkConditions", offline=yes, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)

    def delay(self, ms):
        """Every answer takes so much longer."""
        self.call("Network.emulateNetworkConditions", offline=False, latency=ms,
                  downloadThroughput=-1, uploadThroughput=-1)

    def mouse(self, kind, x, y):
        """mouseMoved, mousePressed, mouseReleased"""
        held = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **held)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def dark(self, yes):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if yes else "light"}])

    def shot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.inp)
        shutil.rmtree(self.profile, ignore_errors=True)
