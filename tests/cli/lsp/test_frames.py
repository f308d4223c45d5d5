"""What arrives on standard input: messages that are not valid, and the end of it."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.cli.lsp.conftest import EXAMPLE, SERVER

START = {"id": "start", "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
END = [{"id": "end", "method": "shutdown"}, {"method": "exit"}]
NOWHERE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
ODD = [
    {"id": "a", "method": "textDocument/hover", "params": {"textDocument": 7}},
    {"id": "b", "method": "textDocument/hover", "params": None},
    {"id": "c", "method": "no/such/method", "params": {}},
    {"id": "d", "method": "codeLens/resolve", "params": {"range": NOWHERE, "data": [1]}},
    {"id": "e", "method": "completionItem/resolve", "params": {"label": "x", "data": {"a": 1}}},
    {"method": "textDocument/didOpen", "params": {"textDocument": None}},
    {"method": "$/setTrace", "params": {"value": "off"}},
    {"method": "workspace/didChangeWatchedFiles", "params": {"changes": [{"uri": "x:y", "type": 1}]}},
    {"id": "f", "result": None},
    {},
]


def talk(folder: Path, *messages: Any) -> tuple[dict[Any, Any], int]:
    """Sends messages. Returns the results and errors by id, and the exit status."""
    sent = b""
    for message in messages:
        body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        sent += b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    run = subprocess.run(SERVER, input=sent, capture_output=True, cwd=folder, check=False, timeout=120)
    bodies = re.split(rb"Content-Length: \d+\r\n(?:[^\r\n]+\r\n)*\r\n", run.stdout)
    answers = [json.loads(body) for body in bodies if body]
    assert b"which is a bug" not in run.stderr
    return {
        answer["id"]: answer.get("result", answer.get("error")) for answer in answers if "id" in answer
    }, run.returncode


def test_messages_that_are_not_valid_do_not_end_the_server(tmp_path: Path) -> None:
    answers, code = talk(tmp_path, START, *ODD, b"not JSON", b"[]", b'"x"', *END)
    assert "capabilities" in answers["start"]
    assert {"c", "d", "e", "end"} <= answers.keys()
    assert answers["d"]["command"]["title"], "a lens has a text in any case"
    assert code == 0


def test_the_server_ends_with_its_input(tmp_path: Path) -> None:
    answers, _ = talk(tmp_path, START)
    assert "capabilities" in answers["start"]


def test_findings_are_published_without_a_workspace(tmp_path: Path) -> None:
    """An editor that has opened a single file."""
    (tmp_path / "fleet.yaml").write_text(EXAMPLE, "utf-8")
    uri = (tmp_path / "fleet.yaml").as_uri()
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": EXAMPLE}
    hover = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 2}}
    asked = {"id": "hover", "method": "textDocument/hover", "params": hover}
    opened = {"method": "textDocument/didOpen", "params": {"textDocument": document}}
    answers, _ = talk(tmp_path, START, {"method": "initialized", "params": {}}, opened, asked, *END)
    assert "Fleet" in json.dumps(answers["hover"]) or answers["hover"] is None


def test_a_workspace_can_be_opened_through_a_link(tmp_path: Path) -> None:
    """Such as every temporary directory of macOS. Answers name files as the editor does."""
    parts = EXAMPLE.split("---\n")
    (tmp_path / "real/fleet").mkdir(parents=True)
    for number, part in enumerate(parts):
        (tmp_path / f"real/fleet/{number:02}.yaml").write_text(f"{part}\n", "utf-8")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    number, text = next((number, part) for number, part in enumerate(parts) if "pools: [t4-lab]" in part)
    uri = (link / f"fleet/{number:02}.yaml").as_uri()
    folders = [{"uri": link.as_uri(), "name": "link"}]
    started: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    line = text[: text.index("pools: [t4-lab]")].count("\n")
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": len("  pools: [t")}}
    answers, _ = talk(
        tmp_path,
        {"id": "start", "method": "initialize", "params": started},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
        {"id": "definition", "method": "textDocument/definition", "params": place},
        *END,
    )
    [found] = answers["definition"]
    assert found["uri"].startswith(link.as_uri())
