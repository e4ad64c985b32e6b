"""Writes a language model of random weights in the form that llama.cpp reads (GGUF): a transformer of two layers that
knows the 256 bytes and nothing else. It says nothing that means anything; what it does is what a model does. The same
seed gives the same bytes. usage: tiny_gguf.py FILE [SEED]"""
import random
import struct
import sys

# Heads of fewer than 32 numbers take the library twenty times as long.
LAYERS, WIDTH, HEADS, INNER, CONTEXT = 2, 32, 1, 64, 8192
UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9  # types of values
NORMAL, CONTROL = 1, 3  # types of tokens
ALIGN = 32


def byte_letters():
    """The letters that stand for bytes in a vocabulary of byte-level BPE: a byte that can be seen is itself, the
    others are the letters from 256 on."""
    seen = [b for b in range(256) if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174]
    hidden = [b for b in range(256) if b not in seen]
    return [chr(b if b in seen else 256 + hidden.index(b)) for b in range(256)]


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def value(kind, what):
    if kind == ARRAY:
        inner, items = what
        return struct.pack("<IQ", inner, len(items)) + b"".join(value(inner, i) for i in items)
    return text(what) if kind == STRING else struct.pack({UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?"}[kind], what)


def keys():
    letters = byte_letters()
    space = letters[32]
    # A few pairs are joined, so that there is something to join.
    merges = ["t h", "th e", f"{space} a", f"{space} the"]
    tokens = letters + [m.replace(" ", "") for m in merges] + ["<|im_start|>", "<|im_end|>"]
    end = len(tokens) - 1
    yield "general.architecture", STRING, "llama"
    yield "general.name", STRING, "tiny, random"
    yield "llama.context_length", UINT32, CONTEXT
    yield "llama.embedding_length", UINT32, WIDTH
    yield "llama.block_count", UINT32, LAYERS
    yield "llama.feed_forward_length", UINT32, INNER
    yield "llama.attention.head_count", UINT32, HEADS
    yield "llama.attention.head_count_kv", UINT32, HEADS
    yield "llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5
    yield "llama.rope.dimension_count", UINT32, WIDTH // HEADS
    yield "tokenizer.ggml.model", STRING, "gpt2"
    yield "tokenizer.ggml.pre", STRING, "gpt-2"
    yield "tokenizer.ggml.tokens", ARRAY, (STRING, tokens)
    yield "tokenizer.ggml.token_type", ARRAY, (INT32, [NORMAL] * (end - 1) + [CONTROL] * 2)
    yield "tokenizer.ggml.merges", ARRAY, (STRING, merges)
    yield "tokenizer.ggml.bos_token_id", UINT32, end - 1
    yield "tokenizer.ggml.eos_token_id", UINT32, end
    yield "tokenizer.ggml.add_bos_token", BOOL, False
    yield "tokenizer.chat_template", STRING, "{{ '<|im_start|>' }}"  # llama.cpp knows it by this mark


def shapes():
    """Names and sizes, the one that changes fastest first."""
    words = 256 + 4 + 2
    yield "token_embd.weight", (WIDTH, words)
    for i in range(LAYERS):
        for name in "attn_q", "attn_k", "attn_v", "attn_output":
            yield f"blk.{i}.{name}.weight", (WIDTH, WIDTH)
        yield f"blk.{i}.ffn_gate.weight", (WIDTH, INNER)
        yield f"blk.{i}.ffn_up.weight", (WIDTH, INNER)
        yield f"blk.{i}.ffn_down.weight", (INNER, WIDTH)
        yield f"blk.{i}.attn_norm.weight", (WIDTH,)
        yield f"blk.{i}.ffn_norm.weight", (WIDTH,)
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (WIDTH, words)


def weights(rng, shape):
    if len(shape) == 1:  # of a norm
        return struct.pack(f"<{shape[0]}f", *[1.0] * shape[0])
    count = shape[0] * shape[1]
    scale = shape[0] ** -0.5
    return struct.pack(f"<{count}f", *(rng.gauss(0, scale) for _ in range(count)))


def padded(raw):
    return raw + bytes(-len(raw) % ALIGN)


def model(seed):
    rng = random.Random(seed)
    entries = list(keys())
    head = b"".join(text(name) + struct.pack("<I", kind) + value(kind, what) for name, kind, what in entries)
    about, data = b"", b""
    for name, shape in shapes():
        about += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        about += struct.pack("<IQ", 0, len(data))  # numbers of 32 bits, and where
        data += padded(weights(rng, shape))
    start = b"GGUF" + struct.pack("<IQQ", 3, len(list(shapes())), len(entries))
    return padded(start + head + about) + data


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as out:
        out.write(model(int(sys.argv[2]) if len(sys.argv) > 2 else 1))
