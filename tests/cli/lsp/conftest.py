"""A real client that talks to `gitgpu lsp` over stdio. Each module starts one server, and shares it."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROOT = Path(__file__).parents[3]
EXAMPLE = (ROOT / "fleet.yaml").read_text("utf-8")
SERVER = [sys.executable, "-m", "gitgpu", "lsp", "--stdio"]
SECONDS = 20  # until a test that waits for findings fails: nothing is measured


class Editor:
    """An editor with a workspace on disk. Files are opened, changed and asked about by their path in it."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder, self.versions = client, folder, dict[str, int]()

    def uri(self, name: str) -> str:
        """The URI of a file."""
        return (self.folder / name).as_uri()

    async def show(self, name: str, text: str) -> list[types.Diagnostic]:
        """Opens a file with a text, or changes its text, and returns its findings."""
        uri, self.versions[name] = self.uri(name), self.versions.get(name, 0) + 1
        # The findings of this text, not of one before it: what was published until now does not count.
        await asyncio.sleep(0)
        self.client.diagnostics.pop(uri, None)
        if self.versions[name] == 1:
            item = types.TextDocumentItem(uri, "yaml", 1, text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        else:
            changed = types.VersionedTextDocumentIdentifier(self.versions[name], uri)
            whole = types.TextDocumentContentChangeWholeDocument(text)
            self.client.text_document_did_change(types.DidChangeTextDocumentParams(changed, [whole]))
        return await self.findings(name)

    async def findings(self, name: str) -> list[types.Diagnostic]:
        """The findings of a file, when they are there."""
        async with asyncio.timeout(SECONDS):
            while self.uri(name) not in self.client.diagnostics:
                await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return list(self.client.diagnostics[self.uri(name)])

    async def close(self, name: str) -> None:
        """Closes a file."""
        del self.versions[name]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document(name)))

    def document(self, name: str) -> types.TextDocumentIdentifier:
        """How requests name a file."""
        return types.TextDocumentIdentifier(self.uri(name))

    async def actions(self, name: str, found: types.Diagnostic) -> list[types.CodeAction]:
        """The code actions for a finding."""
        context = types.CodeActionContext([found])
        params = types.CodeActionParams(self.document(name), found.range, context)
        answer = await self.client.text_document_code_action_async(params) or []
        return [action for action in answer if isinstance(action, types.CodeAction)]


def at(text: str, part: str, beyond: int = 0, nth: int = 0) -> types.Position:
    """The position of a part of a text without other than ASCII characters, `beyond` characters after its start."""
    index = -1
    for _ in range(nth + 1):
        index = text.index(part, index + 1)
    before = text[: index + beyond]
    return types.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """A text of ASCII characters after some edits."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start = starts[edit.range.start.line] + edit.range.start.character
        end = starts[edit.range.end.line] + edit.range.end.character
        text = text[:start] + edit.new_text + text[end:]
    return text


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the example fleet."""
    folder = tmp_path_factory.mktemp("workspace")
    (folder / ".git").mkdir()
    shutil.copy(ROOT / "fleet.yaml", folder)
    return folder


@pytest_lsp.fixture(scope="module", config=ClientServerConfig(server_command=SERVER))  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient, workspace: Path) -> AsyncIterator[None]:
    """The client, connected."""
    folder = types.WorkspaceFolder(workspace.as_uri(), "workspace")
    capabilities = client_capabilities("neovim")
    assert capabilities.general
    capabilities.general.position_encodings = [types.PositionEncodingKind.Utf16]
    await lsp_client.initialize_session(types.InitializeParams(capabilities, workspace_folders=[folder]))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture(scope="module")
def editor(client: LanguageClient, workspace: Path) -> Editor:
    """The editor."""
    return Editor(client, workspace)
