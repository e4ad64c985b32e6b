"""For tests and measurements of the labelling pages: people with their links, who ask over
connections that stay open; and the server, which can be started, killed and started again.
Nothing but the standard library."""
import asyncio
import json
import os
import subprocess
import time


class Server:
    """assay label on a study as write_study() makes it, or another command with pages, whose last
    link is that of `last`; start() returns {person: token}."""

    def __init__(self, assay, study, port=0, command="label", last="lead"):
        self.command, self.last = [assay, command, study], last
        self.port, self.process, self.log = port, None, os.path.join(study, "label.log")

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.command + ["--port", str(self.port)], text=True,
                                            stdout=subprocess.PIPE, stderr=log)
        tokens = {}
        while self.last not in tokens:
            _, person, link = self.process.stdout.readline().split()
            tokens[person] = link.split("#")[1]
            self.port = int(link.split("#")[0].rstrip("/").rsplit(":", 1)[1])
        return tokens

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        return self.process.wait()


class Person:
    """Asks under one token over one connection, which is opened anew when it has broken."""

    def __init__(self, port, token):
        self.port, self.token, self.streams = port, token, None

    async def connect(self):
        self.streams = await asyncio.open_connection("127.0.0.1", self.port)

    def drop(self):
        if self.streams is not None:
            self.streams[1].close()
        self.streams = None

    async def ask(self, name, body=None):
        """(status, json); OSError or EOFError when the server is not there."""
        if self.streams is None:
            await self.connect()
        reader, writer = self.streams
        data = b"" if body is None else json.dumps(body).encode()
        handle, host = self.token[:8], f"127.0.0.1:{self.port}"
        head = [f"{'GET' if body is None else 'POST'} /api/{handle}/{name} HTTP/1.1", f"Host: {host}",
                f"Cookie: assay-{handle}={self.token}"]
        if body is not None:
            head += [f"Origin: http://{host}", "Content-Type: application/json", f"Content-Length: {len(data)}"]
        try:
            writer.write("\r\n".join(head).encode() + b"\r\n\r\n" + data)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = next(int(line.split(":")[1]) for line in answer.split("\r\n") if line.startswith("content-length:"))
            text = await reader.readexactly(length)
        except BaseException:
            self.drop()
            raise
        return int(answer.split(" ", 2)[1]), json.loads(text)

    async def timed(self, name, body=None):
        """(status, json, seconds)"""
        begun = time.perf_counter()
        status, said = await self.ask(name, body)
        return status, said, time.perf_counter() - begun


def write_study(folder, items, raters, codes, sample=0):
    """A study over a table of its own: that many posts, raters r000, r001, ... and a lead."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "posts.csv"), "w") as file:
        file.write("Id,PostTypeId,CreationDate,Score,Title,Tags,Body\n")
        for i in range(1, items + 1):
            file.write(f'{i},1,2018-05-01 10:00:00,{i % 7},Question {i},<x>,"<p>How do I do step {i} of this?</p>'
                       f'<pre><code>model.fit(x, y, epochs={i % 50})</code></pre>"\n')
    with open(os.path.join(folder, "kind.yaml"), "w") as file:
        file.write("codebook: kind\ncodes: {" + ", ".join(f"c{c}: Code {c}" for c in range(codes)) + "}\n")
    names = ", ".join(f"r{r:03}" for r in range(raters))
    of = "x" if sample == 0 else "s"
    with open(os.path.join(folder, "study.yaml"), "w") as file:
        file.write("study: load\nsource: {posts: posts.csv}\nsets: {x: '[x]'}\n")
        if sample > 0:
            file.write(f"samples: {{s: {{of: x, size: {sample}, seed: 1}}}}\n")
        file.write(f"codebooks: {{kind: kind.yaml}}\nlabelling:\n  kind: {{sample: {of}, raters: [{names}], "
                   f"lead: lead, seed: 3}}\n")
