"""A web server on this machine that answers well, wrongly, half or not at all."""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class FileServer:
    """What is served, and what was asked for.

    Parameters
    ----------
    url
        Start of the addresses.
    files
        Content by path, such as ``/a.arff``; any other path is not found.
    cut
        Paths whose connection is closed after half of the announced bytes.
    unannounced
        Paths that are sent without their length, so that half of them looks like a whole.
    asked
        Every path that was asked for.
    """

    url: str
    files: dict[str, bytes] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    unannounced: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)


@contextlib.contextmanager
def file_server() -> Iterator[FileServer]:
    """Serve on a free port of 127.0.0.1."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append(self.path)
            content = served.files.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            if self.path not in served.unannounced:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if self.path in served.cut else content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served = FileServer(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
