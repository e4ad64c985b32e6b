"""Today's ClickHouse, as libchdb.so of npm's @chdb/lib-linux-x64-gnu carries it, behind the HTTP that a server has.
usage: chdb_server.py LIBRARY PORT FOLDER"""

import ctypes
import http.server
import os
import re
import sys
import threading
import urllib.parse

LIBRARY, PORT, FOLDER = sys.argv[1:4]
chdb = ctypes.CDLL(LIBRARY)
chdb.chdb_connect.restype = ctypes.POINTER(ctypes.c_void_p)
chdb.chdb_query_n.restype = ctypes.c_void_p
chdb.chdb_query_n.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
for name in ("chdb_result_buffer", "chdb_result_error"):
    getattr(chdb, name).argtypes = [ctypes.c_void_p]
    getattr(chdb, name).restype = ctypes.c_void_p
chdb.chdb_result_length.argtypes = [ctypes.c_void_p]
chdb.chdb_result_length.restype = ctypes.c_size_t
chdb.chdb_destroy_query_result.argtypes = [ctypes.c_void_p]
arguments = (ctypes.c_char_p * 2)(b"clickhouse", b"--path=" + FOLDER.encode())
connection = chdb.chdb_connect(2, arguments)
if not connection:
    raise SystemExit("libchdb does not connect")
lock = threading.Lock()  # one session, as it is embedded


def ask(sql):
    """Answer and error."""
    result = chdb.chdb_query_n(connection[0], sql, len(sql), b"TabSeparated", 12)
    error = chdb.chdb_result_error(result)
    text = ctypes.string_at(error) if error else None
    size = chdb.chdb_result_length(result)
    answer = ctypes.string_at(chdb.chdb_result_buffer(result), size) if size and not error else b""
    chdb.chdb_destroy_query_result(result)
    return answer, text


def insert(sql):
    """Rows of bytes come from a file: within a question, as no server would, the library ends them at a line's end."""
    told, rows = re.match(rb"(INSERT INTO [^\n]*) FORMAT RowBinary\n(.*)", sql, re.S).groups()
    path = os.path.join(FOLDER, "..", "rows")
    with open(path, "wb") as out:
        out.write(rows)
    return ask(told + f" FROM INFILE '{path}' FORMAT RowBinary".encode())


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        given = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        sql = self.rfile.read(int(self.headers["Content-Length"]))
        if "query" in given:
            sql = given["query"][0].encode() + b"\n" + sql
        error = None
        with lock:
            for name, values in given.items():
                if name not in ("query", "database"):
                    error = error or ask(f"SET {name} = '{values[0]}'".encode())[1]
            answer, failed = (b"", error) if error else (
                insert if b" FORMAT RowBinary\n" in sql[:10000] and sql.startswith(b"INSERT") else ask)(sql)
        self.send_response(500 if failed else 200)
        self.send_header("Content-Length", str(len(failed or answer)))
        self.end_headers()
        self.wfile.write(failed or answer)

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"Ok.\n")

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(PORT)), Handler).serve_forever()
