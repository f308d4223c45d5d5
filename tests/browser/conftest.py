"""The built site in headless Chromium: `make site-test`. Skipped without the site, Playwright or a Chromium."""

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
HTML = ROOT / "build" / "site" / "html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
Opened = Callable[..., Any]


class Seen(NamedTuple):
    """What went wrong in a browser: messages of the console, and requests to other hosts."""

    errors: list[str]
    requests: list[str]


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each request."""

    def log_message(self, *arguments: Any) -> None:
        """Prints nothing."""


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the site, served on this machine."""
    if not (HTML / "index.html").exists():
        pytest.skip("there is no build/site/html: run `make site`")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(HTML))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A Chromium of the system."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make site-test")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def seen() -> Seen:
    """What goes wrong in the test."""
    return Seen([], [])


@pytest.fixture
def opened(chromium: Any, address: str, seen: Seen) -> Iterator[Opened]:
    """Opens a page of the site with a width and a colour scheme. Nothing may go wrong until the end of the test."""
    contexts = []

    def open_page(path: str, width: int = 1440, scheme: str = "light", base: str = address) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: seen.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: seen.errors.append(str(error)))
        page.on("request", lambda request: _note(request.url, base, seen))
        page.goto(base + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert seen == Seen([], [])


def _note(url: str, base: str, seen: Seen) -> None:
    if not url.startswith((base, "data:")):
        seen.requests.append(url)
