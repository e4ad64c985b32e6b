"""A server of this machine alone, on a port that is free, until stop()."""

import http.server
import threading


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *ignored):
        pass  # whoever asked has gone


class Loopback:
    def serve(self, handler):
        self.http = Quiet(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()
