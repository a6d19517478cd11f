"""A service process for tests: answers its health checks, or dies as it is told.

`fake_service.py [die]`: with `die` it ends at once with exit code 3.
"""

import os
import signal
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Health(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path in ("/readyz", "/healthz") else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def main(arguments: list[str]) -> None:
    incarnation, instance = os.environ["CONVO_INCARNATION"], os.environ["CONVO_INSTANCE"]
    print(f"{instance} incarnation {incarnation}", flush=True)
    if arguments == ["die"]:
        print("cannot work: the moon is missing", file=sys.stderr, flush=True)
        sys.exit(3)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    HTTPServer(("127.0.0.1", int(os.environ["CONVO_SERVICE_PORT"])), Health).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
