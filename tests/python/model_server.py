"""A server that speaks /v1/chat/completions and /v1/embeddings and answers as it is told: well, badly, slowly, cut
off, refusing, with limits of rate. A test sets its `plan`; what was asked is in `asked`."""
import http.server
import json
import threading
import time

from loopback import Loopback


def words_of(request):
    """The last thing that was asked, without what was said before."""
    return [m["content"] for m in request["messages"] if m["role"] == "user"]


class Server(Loopback):
    def __init__(self):
        self.asked = []            # requests, as they came
        self.paths = set()         # where they came
        self.tries = 0             # with those that were not answered
        self.most = self.busy = 0  # at once
        self.plan = lambda request, number: {}
        self.answer = lambda text: "crash"
        self.vector = lambda text: [float(len(text)), 1.0]  # of /v1/embeddings
        self.schema = True         # knows response_format
        self.key = None
        self.digest = "sha256:feed"  # of the model's weights; None: it does not say
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # head and body in one packet: nothing waits for the first

            def log_message(self, *ignored):
                pass

            def send(self, status, body, headers=(), cut=None):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body[:cut])
                if cut is not None:
                    self.wfile.flush()
                    self.close_connection = True

            def do_GET(self):
                told = {"/v1/models": {"object": "list", "data": [{"id": "toy"}]},
                        "/api/tags": {"models": [{"name": "toy:latest", "digest": outer.digest}]}}
                if self.path in told and (outer.digest or self.path != "/api/tags"):
                    self.send(200, json.dumps(told[self.path]).encode())
                else:
                    self.send(404, b"{}")

            def do_POST(self):
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                with outer.lock:
                    outer.busy += 1
                    outer.most = max(outer.most, outer.busy)
                    outer.tries += 1
                    outer.paths.add(self.path)
                    number = outer.tries
                try:
                    self.reply(json.loads(raw), number)
                finally:
                    with outer.lock:
                        outer.busy -= 1

            def reply(self, request, number):
                if outer.key and self.headers.get("Authorization") != "Bearer " + outer.key:
                    return self.send(401, json.dumps({"error": {"message":
                        f"wrong key {self.headers.get('Authorization')}"}}).encode())
                if not outer.schema and "response_format" in request:
                    return self.send(400, b'{"error":{"message":"unknown field response_format"}}')
                how = outer.plan(request, number)
                time.sleep(how.get("sleep", 0))
                if "status" in how:
                    return self.send(how["status"], how.get("body", json.dumps(how.get("error", {})).encode()),
                                     how.get("headers", ()))
                with outer.lock:
                    outer.asked.append(request)
                if "input" in request:
                    return self.embed(request, how)
                content = how.get("content")
                if content is None:
                    content = json.dumps({"code": outer.answer(words_of(request)[0])})
                message = {"role": "assistant", "content": content}
                if "refusal" in how:
                    message = {"role": "assistant", "content": None, "refusal": how["refusal"]}
                body = {"id": "x", "model": "toy-1.5", "system_fingerprint": "fp_7",
                        "choices": [{"index": 0, "message": message,
                                     "finish_reason": how.get("finish", "stop")}],
                        "usage": {"prompt_tokens": 100, "completion_tokens": 7}}
                if request.get("logprobs") and "logprobs" not in how:
                    # {" code ": " crash "}: the tokens of the code have half and a quarter.
                    code = json.loads(content)["code"]
                    tokens = ['{"code": "', code[:2], code[2:], '"}']
                    body["choices"][0]["logprobs"] = {"content": [
                        {"token": t, "logprob": p} for t, p in
                        zip(tokens, (-0.001, -0.6931471805599453, -1.3862943611198906, -0.002))]}
                if "message" in how:
                    body["choices"][0]["message"] = how["message"](content)
                if "logprobs" in how:
                    body["choices"][0]["logprobs"] = how["logprobs"]
                self.send(200, how.get("bytes", lambda b: b)(how.get("raw", json.dumps(body).encode())),
                          how.get("headers", ()), how.get("cut"))

            def embed(self, request, how):
                data = [{"object": "embedding", "index": i, "embedding": outer.vector(text)}
                        for i, text in enumerate(request["input"])]
                data = how.get("data", lambda d: d)(data)
                body = json.dumps({"object": "list", "data": data, "model": how.get("model", "toy-2"),
                                   "usage": {"prompt_tokens": 10 * len(data), "total_tokens": 0}})
                self.send(200, how.get("bytes", lambda b: b)(how.get("raw", body.encode())),
                          how.get("headers", ()), how.get("cut"))

        self.serve(Handler)
