"""Drives the YAML language server over its protocol, to test what users see in an editor while they type."""

import json
import shutil
import subprocess
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

import pytest

VERSION = "1.25.0"  # the version that CI installs; also in CONTRIBUTING
PROGRAM = "yaml-language-server"
SECONDS = 60  # timeout of a request, enough for a busy machine
_EDITOR = {
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
}
Message = dict[str, Any]


def language_server(root: Path) -> "LanguageServer":
    """A server for the workspace in a directory, with its .vscode/settings.json. Skips the test without the program."""
    program = shutil.which(PROGRAM)
    if program is None or shutil.which("node") is None:
        pytest.skip(f"node or {PROGRAM} is not installed: npm install --global {PROGRAM}@{VERSION}")
    return LanguageServer(program, root)


class LanguageServer:
    """One server process; `close` ends it."""

    def __init__(self, program: str, root: Path) -> None:
        self.root = root
        self.diagnostics: dict[str, list[Message]] = {}
        self._configured = False
        self._last = 0
        self._process = subprocess.Popen([program, "--stdio"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._received: Queue[Message] = Queue()
        self._reader = Thread(target=self._receive, daemon=True)
        self._reader.start()
        folders = [{"uri": root.as_uri(), "name": root.name}]
        start = {"processId": None, "rootUri": root.as_uri(), "capabilities": _EDITOR, "workspaceFolders": folders}
        self.ask("initialize", start)
        self._send({"method": "initialized", "params": {}})
        while not self._configured:
            self._handle(self._next())

    def close(self) -> None:
        """Stops the process."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def open(self, name: str) -> list[tuple[int, str]]:
        """Opens a file of the workspace. Returns the line, counted from 1, and message of every problem in it."""
        uri, text = (self.root / name).as_uri(), (self.root / name).read_text("utf-8")
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        while uri not in self.diagnostics:
            self._handle(self._next())
        return [
            (diagnostic["range"]["start"]["line"] + 1, diagnostic["message"]) for diagnostic in self.diagnostics[uri]
        ]

    def hover(self, name: str, line: int, column: int) -> str:
        """The hover text at a line and column, both counted from 1."""
        answer = self.ask("textDocument/hover", self._place(name, line, column))
        return str(answer["contents"]["value"]) if answer else ""

    def completion(self, name: str, line: int, column: int) -> dict[str, str]:
        """The completions that are offered at a place, with their descriptions."""
        answer = self.ask("textDocument/completion", self._place(name, line, column))
        return {item["label"]: _text(item.get("documentation", "")) for item in answer["items"]}

    def ask(self, method: str, parameters: Message) -> Any:
        """Sends a request and returns its result."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": parameters})
        while True:
            message = self._next()
            if message.get("id") == self._last and "method" not in message:
                return message["result"]
            self._handle(message)

    def _place(self, name: str, line: int, column: int) -> Message:
        position = {"line": line - 1, "character": column - 1}
        return {"textDocument": {"uri": (self.root / name).as_uri()}, "position": position}

    def _handle(self, message: Message) -> None:
        """Answers the server's requests to the editor, and stores the problems that it reports."""
        if message.get("method") == "workspace/configuration":
            settings = [self._settings(item["section"]) for item in message["params"]["items"]]
            self._send({"id": message["id"], "result": settings})
            self._configured = True
        elif message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message:
            self._send({"id": message["id"], "result": None})

    def _settings(self, section: str) -> Any:
        """The settings of a section, as an editor reads them from the workspace. Nothing is read from the network."""
        path = self.root / ".vscode/settings.json"
        settings = json.loads(path.read_text("utf-8")) if path.exists() else {}
        inside = {
            key.removeprefix(f"{section}."): value for key, value in settings.items() if key.startswith(f"{section}.")
        }
        return {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}, **inside}

    def _next(self) -> Message:
        try:
            return self._received.get(timeout=SECONDS)
        except Empty:
            raise AssertionError("the language server does not answer") from None

    def _send(self, message: Message) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self._process.stdin.flush()

    def _receive(self) -> None:
        stream = self._process.stdout
        assert stream
        while header := stream.readline():
            length = int(header.partition(b":")[2])
            while stream.readline().strip():
                pass
            self._received.put(json.loads(stream.read(length)))


def _text(documentation: Any) -> str:
    return str(documentation["value"] if isinstance(documentation, dict) else documentation)
