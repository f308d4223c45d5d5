"""An HTTP server on loopback, for the duration of a context."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from socketserver import BaseRequestHandler
from threading import Thread
from typing import Any, Protocol

from tests.e2e.processes import LOOPBACK


class Handler(Protocol):
    """What makes the answer to one request: a class of handlers, or one with some arguments bound."""

    def __call__(self, request: Any, client_address: Any, server: Any) -> BaseRequestHandler:
        """Answer it."""
        ...


@contextmanager
def answering(handler: Handler) -> Iterator[str]:
    """The URL at which the handler answers, without a slash at the end."""
    server = ThreadingHTTPServer((LOOPBACK, 0), handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
