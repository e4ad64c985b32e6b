"""llama.cpp behind /v1/chat/completions and /v1/embeddings: the library that npm's @node-llama-cpp carries and a
model's file, asked one after the other. Answers are held to the codes of a schema by the library's own grammars.
The library comes without its header. Structures that it passes by value are taken as room for more than they have,
of which only the beginning is known: what it leaves alone it does not read either."""
import contextlib
import ctypes
import glob
import hashlib
import http.server
import json
import math
import threading
from ctypes import POINTER, c_bool, c_char_p, c_float, c_int32, c_size_t, c_uint32, c_void_p

from loopback import Loopback

BATCH, CONTEXT = 512, 8192


class Settings(ctypes.Structure):
    _fields_ = [("begin", c_uint32 * 4), ("rest", c_uint32 * 124)]


class Batch(ctypes.Structure):
    _fields_ = [("count", c_int32), ("pointers", c_void_p * 6)]


class Message(ctypes.Structure):
    _fields_ = [("role", c_char_p), ("content", c_char_p)]


FUNCTIONS = {  # what they give, and what they take
    "llama_backend_init": (None,),
    "llama_log_set": (None, c_void_p, c_void_p),
    "llama_model_default_params": (Settings,),
    "llama_context_default_params": (Settings,),
    "llama_model_load_from_file": (c_void_p, c_char_p, Settings),
    "llama_init_from_model": (c_void_p, c_void_p, Settings),
    "llama_model_get_vocab": (c_void_p, c_void_p),
    "llama_model_n_embd": (c_int32, c_void_p),
    "llama_model_desc": (c_int32, c_void_p, c_char_p, c_size_t),
    "llama_model_chat_template": (c_char_p, c_void_p, c_char_p),
    "llama_vocab_n_tokens": (c_int32, c_void_p),
    "llama_vocab_is_eog": (c_bool, c_void_p, c_int32),
    "llama_chat_apply_template": (c_int32, c_char_p, POINTER(Message), c_size_t, c_bool, c_char_p, c_int32),
    "llama_tokenize": (c_int32, c_void_p, c_char_p, c_int32, POINTER(c_int32), c_int32, c_bool, c_bool),
    "llama_token_to_piece": (c_int32, c_void_p, c_int32, c_char_p, c_int32, c_int32, c_bool),
    "llama_set_n_threads": (None, c_void_p, c_int32, c_int32),
    "llama_get_memory": (c_void_p, c_void_p),
    "llama_memory_clear": (None, c_void_p, c_bool),
    "llama_set_embeddings": (None, c_void_p, c_bool),
    "llama_batch_get_one": (Batch, POINTER(c_int32), c_int32),
    "llama_decode": (c_int32, c_void_p, Batch),
    "llama_get_logits_ith": (POINTER(c_float), c_void_p, c_int32),
    "llama_get_embeddings_ith": (POINTER(c_float), c_void_p, c_int32),
    "llama_sampler_chain_default_params": (c_bool,),
    "llama_sampler_chain_init": (c_void_p, c_bool),
    "llama_sampler_chain_add": (None, c_void_p, c_void_p),
    "llama_sampler_init_grammar": (c_void_p, c_void_p, c_char_p, c_char_p),
    "llama_sampler_init_temp": (c_void_p, c_float),
    "llama_sampler_init_greedy": (c_void_p,),
    "llama_sampler_init_dist": (c_void_p, c_uint32),
    "llama_sampler_sample": (c_int32, c_void_p, c_void_p, c_int32),
    "llama_sampler_free": (None, c_void_p),
}


def one(folder, name):
    found = glob.glob(f"{folder}/{name}")
    if len(found) != 1:
        raise OSError(f"{folder}: found {len(found)} files {name}, expected one")
    return found[0]


def library(folder):
    """OSError when it cannot be loaded, AttributeError when it lacks a function."""
    ggml = ctypes.CDLL(one(folder, "libggml.*so"), mode=ctypes.RTLD_GLOBAL)
    llama = ctypes.CDLL(one(folder, "libllama.*so"))
    for name, (gives, *takes) in FUNCTIONS.items():
        function = getattr(llama, name)
        function.restype, function.argtypes = gives, takes
    quiet = ctypes.CFUNCTYPE(None, ctypes.c_int, c_char_p, c_void_p)(lambda *ignored: None)
    llama.quiet = quiet  # the library keeps no hold of it
    llama.llama_log_set(ctypes.cast(quiet, c_void_p), None)
    ggml.ggml_backend_load_all_from_path.argtypes = [c_char_p]
    ggml.ggml_backend_load_all_from_path(folder.encode())
    llama.llama_backend_init()
    return llama


def grammar(schema):
    """GBNF of the schemas that a rater sends: one code, or several, of a list."""
    def quoted(text):
        inner = json.dumps(text, ensure_ascii=False)
        return '"' + inner.replace("\\", "\\\\").replace('"', '\\"') + '"'

    (name, kind), = schema["properties"].items()
    several = kind["type"] == "array"
    codes = (kind["items"] if several else kind)["enum"]
    rule = '"[" code ("," code)* "]"' if several else "code"
    return f'root ::= "{{" {quoted(name)} ":" {rule} "}}"\ncode ::= ' + " | ".join(map(quoted, codes)) + "\n"


class Model:
    def __init__(self, folder, path):
        self.llama = llama = library(folder)
        self.model = llama.llama_model_load_from_file(path.encode(), llama.llama_model_default_params())
        if not self.model:
            raise OSError(f"llama.cpp does not take {path}")
        settings = llama.llama_context_default_params()
        settings.begin[0], settings.begin[1] = CONTEXT, BATCH
        self.context = llama.llama_init_from_model(self.model, settings)
        # Several wait for each other by turning round and round, which ends late on a machine that is busy.
        llama.llama_set_n_threads(self.context, 1, 1)
        self.vocabulary = llama.llama_model_get_vocab(self.model)
        self.words = llama.llama_vocab_n_tokens(self.vocabulary)
        about = ctypes.create_string_buffer(200)
        llama.llama_model_desc(self.model, about, len(about))
        self.about = about.value.decode()
        with open(path, "rb") as file:
            self.digest = "sha256:" + hashlib.sha256(file.read()).hexdigest()

    def tokens(self, text, special):
        raw = text.encode()
        out = (c_int32 * (len(raw) + 8))()
        count = self.llama.llama_tokenize(self.vocabulary, raw, len(raw), out, len(out), True, special)
        return list(out[:count])

    def piece(self, token):
        out = ctypes.create_string_buffer(64)
        count = self.llama.llama_token_to_piece(self.vocabulary, token, out, len(out), 0, True)
        return out.raw[:count]

    def prompt(self, messages):
        array = (Message * len(messages))(*(Message(m["role"].encode(), m["content"].encode()) for m in messages))
        size = sum(len(m["content"].encode()) for m in messages) + 64 * len(messages) + 64
        out = ctypes.create_string_buffer(size)
        template = self.llama.llama_model_chat_template(self.model, None)
        count = self.llama.llama_chat_apply_template(template, array, len(array), True, out, size)
        return out.raw[:count].decode()

    def read(self, tokens):
        for at in range(0, len(tokens), BATCH):
            some = (c_int32 * len(tokens[at:at + BATCH]))(*tokens[at:at + BATCH])
            if self.llama.llama_decode(self.context, self.llama.llama_batch_get_one(some, len(some))) != 0:
                raise ValueError("the model cannot go on")

    def begin(self, tokens, vectors):
        if len(tokens) >= CONTEXT:
            raise ValueError(f"{len(tokens)} tokens are more than the {CONTEXT} of the context")
        self.llama.llama_memory_clear(self.llama.llama_get_memory(self.context), True)
        self.llama.llama_set_embeddings(self.context, vectors)
        self.read(tokens)

    @contextlib.contextmanager
    def sampler(self, request):
        llama, form = self.llama, request.get("response_format")
        chain = llama.llama_sampler_chain_init(llama.llama_sampler_chain_default_params())
        if form:
            made = llama.llama_sampler_init_grammar(
                self.vocabulary, grammar(form["json_schema"]["schema"]).encode(), b"root")
            if not made:
                raise ValueError("the schema makes no grammar")
            llama.llama_sampler_chain_add(chain, made)
        if request.get("temperature", 1) > 0:
            llama.llama_sampler_chain_add(chain, llama.llama_sampler_init_temp(request.get("temperature", 1)))
            llama.llama_sampler_chain_add(chain, llama.llama_sampler_init_dist(request.get("seed", 0)))
        else:
            llama.llama_sampler_chain_add(chain, llama.llama_sampler_init_greedy())
        try:
            yield chain
        finally:
            llama.llama_sampler_free(chain)

    def log_probability(self, token):
        logits = self.llama.llama_get_logits_ith(self.context, -1)[:self.words]
        most = max(logits)
        return logits[token] - most - math.log(sum(math.exp(x - most) for x in logits))

    def complete(self, request):
        tokens = self.tokens(self.prompt(request["messages"]), True)
        self.begin(tokens, False)
        said, finish = [], "length"
        with self.sampler(request) as chain:
            while len(said) < request["max_tokens"] and len(tokens) + len(said) < CONTEXT:
                token = self.llama.llama_sampler_sample(chain, self.context, -1)
                if self.llama.llama_vocab_is_eog(self.vocabulary, token):
                    finish = "stop"
                    break
                said.append((self.piece(token), self.log_probability(token)))
                self.read([token])
        content = b"".join(piece for piece, _ in said).decode(errors="replace")
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
        if request.get("logprobs"):
            choice["logprobs"] = {"content": [{"token": p.decode(errors="replace"), "logprob": l} for p, l in said]}
        return {"object": "chat.completion", "model": self.about, "choices": [choice],
                "usage": {"prompt_tokens": len(tokens), "completion_tokens": len(said)}}

    def embed(self, text):
        """What stands behind the last word."""
        tokens = self.tokens(text, False) or self.tokens(" ", False)
        self.begin(tokens, True)
        return list(self.llama.llama_get_embeddings_ith(self.context, -1)[:self.llama.llama_model_n_embd(self.model)])


class Server(Loopback):
    def __init__(self, model, name):
        self.asked = []  # requests that were answered
        lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16

            def log_message(self, *ignored):
                pass

            def send(self, status, body):
                raw = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def do_GET(self):
                told = {"/v1/models": {"object": "list", "data": [{"id": name}]},
                        "/api/tags": {"models": [{"name": name, "digest": model.digest}]}}
                self.send(200 if self.path in told else 404, told.get(self.path, {}))

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                try:
                    with lock:
                        body = self.embed(request) if "input" in request else model.complete(request)
                        outer.asked.append(request)
                except ValueError as wrong:
                    return self.send(400, {"error": {"message": str(wrong)}})
                self.send(200, body)

            def embed(self, request):
                data = [{"object": "embedding", "index": i, "embedding": model.embed(text)}
                        for i, text in enumerate(request["input"])]
                return {"object": "list", "data": data, "model": model.about,
                        "usage": {"prompt_tokens": sum(len(model.tokens(t, False)) for t in request["input"])}}

        self.serve(Handler)
