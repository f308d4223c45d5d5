"""A separate Git repository, served over HTTP on loopback by Git's `http-backend`."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import NamedTuple

from tests.e2e.processes import LOOPBACK
from tests.e2e.web import answering

AUTHOR = {"GIT_AUTHOR_NAME": "e2e", "GIT_AUTHOR_EMAIL": "e2e@localhost"}
COMMITTER = {"GIT_COMMITTER_NAME": "e2e", "GIT_COMMITTER_EMAIL": "e2e@localhost"}
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
NAME = "fleet.git"


class Repository(NamedTuple):
    """A work tree, the bare repository that it is pushed to, and the URL of that."""

    tree: Path
    bare: Path
    url: str

    def commit(self, message: str) -> str:
        """Commits everything in the work tree and pushes it. Returns the commit."""
        git(self.tree, "add", "--all")
        git(self.tree, "commit", "--quiet", "--allow-empty", "--message", message)
        git(self.tree, "push", "--quiet", str(self.bare), "HEAD:main")
        return git(self.tree, "rev-parse", "HEAD")


def git(folder: Path, *arguments: str) -> str:
    """The output of a git command, independent of the user's settings."""
    env = {**os.environ, **AUTHOR, **COMMITTER, **ALONE}
    done = subprocess.run(["git", *arguments], cwd=folder, env=env, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@contextmanager
def repository(folder: Path) -> Iterator[Repository]:
    """An empty repository with the branch main, served as long as the context lasts."""
    tree, bare = folder / "tree", folder / "served" / NAME
    tree.mkdir(parents=True)
    bare.mkdir(parents=True)
    git(tree, "init", "--quiet", "--initial-branch=main")
    git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
    with serving(bare.parent) as url:
        yield Repository(tree, bare, f"{url}/{NAME}")


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The bare repositories of a folder over HTTP; the URL of the folder."""
    with answering(handler(folder)) as url:
        yield url


def handler(folder: Path) -> type[BaseHTTPRequestHandler]:
    """What answers a request: the CGI program of Git, for what is in `folder`."""

    class Backend(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.answer(b"")

        def do_POST(self) -> None:
            self.answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def answer(self, body: bytes) -> None:
            env = {**os.environ, **ALONE, **cgi(folder, self.command, self.path, dict(self.headers))}
            done = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=True)
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
            self.send_response(int(fields.pop("Status", "200").split()[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Logs nothing."""

    return Backend


def cgi(folder: Path, method: str, target: str, headers: Mapping[str, str]) -> dict[str, str]:
    """A request as CGI passes it."""
    path, _, query = target.partition("?")
    known = {name.lower(): value for name, value in headers.items()}
    return {
        "GIT_PROJECT_ROOT": str(folder),
        "GIT_HTTP_EXPORT_ALL": "1",
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": known.get("content-type", ""),
        "HTTP_CONTENT_ENCODING": known.get("content-encoding", ""),
        "HTTP_GIT_PROTOCOL": known.get("git-protocol", ""),
        "REMOTE_ADDR": LOOPBACK,
    }
