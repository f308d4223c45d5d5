"""The protocol: requests of an editor to answers. One that fails is answered with null, and the server goes on."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from time import process_time
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from gitgpu import __version__
from gitgpu.cli.lsp.answers import ANSWERS, RefusedError
from gitgpu.cli.lsp.session import MAX_CHARACTERS, Session, path_of
from gitgpu.editor.findings import by_file

logger = logging.getLogger(__name__)
_PAUSE = 0.1  # seconds without a change before findings are computed, at least
_WATCHED = "**/*.{yaml,yml,json}"


class Server:
    """A session, the connection to its editor, and what it has published."""

    def __init__(self) -> None:
        self.session = Session()
        self.connection = LanguageServer("gitgpu", __version__, types.TextDocumentSyncKind.Full)
        self.published: dict[str, set[str]] = {}  # the URIs with findings, by root
        self.waiting: dict[str, asyncio.TimerHandle] = {}
        self.took = 0.0  # seconds of CPU time of the last check
        self._listen()

    def _listen(self) -> None:
        """Registers what the server handles."""
        on = self.connection.feature
        on(types.INITIALIZE)(self.guard(self.initialize))
        on(types.INITIALIZED)(self.guard(self.on_initialized))
        on(types.TEXT_DOCUMENT_DID_OPEN)(self.guard(self.on_open))
        on(types.TEXT_DOCUMENT_DID_CHANGE)(self.guard(self.on_change))
        on(types.TEXT_DOCUMENT_DID_CLOSE)(self.guard(self.on_close))
        on(types.TEXT_DOCUMENT_DID_SAVE)(self.guard(self.on_save))
        on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self.guard(self.on_disk_change))
        on(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(self.guard(self.on_folder_change))
        for answer in ANSWERS:
            options = (answer.options,) if answer.options else ()
            on(answer.method, *options)(self.answering(answer.of))

    def guard(self, handle: Callable[[Any], None]) -> Callable[[Any], None]:
        """A handler that logs what goes wrong, and nothing else happens."""

        def guarded(params: Any) -> None:
            try:
                handle(params)
            except Exception as error:  # noqa: BLE001  no file may end the server
                self.log(error)

        return guarded

    def answering(self, answer: Callable[[Session, Any], Any]) -> Callable[[Any], Any]:
        """A handler that answers null if something goes wrong."""

        def handled(params: Any) -> Any:
            answered = None
            try:
                answered = answer(self.session, params)
                self.show_notes()
            except RefusedError as refused:
                raise JsonRpcInvalidParams(str(refused)) from None
            except Exception as error:  # noqa: BLE001  as above
                self.log(error)
            return answered

        return handled

    def show_notes(self) -> None:
        """Shows what the last answer means for what runs."""
        while self.session.notes:
            note = self.session.notes.pop()
            self.connection.window_show_message(types.ShowMessageParams(types.MessageType.Info, note))

    def log(self, error: Exception) -> None:
        """Logs a bug: on stderr, and in the editor's log."""
        text = f"a request failed, which is a bug in gitgpu: {error!r}"
        logger.error(text, exc_info=error)
        self.connection.window_log_message(types.LogMessageParams(types.MessageType.Error, text))

    def initialize(self, params: types.InitializeParams) -> None:
        """Remembers the folders of the editor."""
        for uri in [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]:
            self.session.add_folder(uri)
        self.session.folders = self.session.folders or [os.getcwd()]

    def on_initialized(self, _: types.InitializedParams) -> None:
        """Asks the editor to report changes of files that it does not have open."""
        self.session.encoding = self.connection.workspace.position_encoding or types.PositionEncodingKind.Utf16
        workspace = self.connection.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace else None
        if watched and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = types.Registration("watched", method, options)
            self.connection.client_register_capability(types.RegistrationParams([registration]))

    def on_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Checks the project of a file that is opened."""
        uri, text = params.text_document.uri, params.text_document.text
        if len(text) > MAX_CHARACTERS:
            message = f"gitgpu does not check {uri}: it is longer than {MAX_CHARACTERS:,} characters"
            self.connection.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        self.later(self.session.open(uri, text))

    def on_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Checks the project of a file that is edited, when the typing stops."""
        for change in params.content_changes:
            self.later(self.session.open(params.text_document.uri, change.text))

    def on_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Checks the project of a file that is closed: what is on disk counts again."""
        self.later(self.session.close(params.text_document.uri))

    def on_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Checks the project of a file that is saved: other files may have changed, too."""
        self.later(self.session.forget(path_of(params.text_document.uri)))

    def on_disk_change(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Checks the projects of files that have changed on disk."""
        for change in params.changes:
            self.later(self.session.forget(path_of(change.uri)))

    def on_folder_change(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Adds and removes folders of the editor."""
        for removed in params.event.removed:
            self.session.remove_folder(removed.uri)
        for added in params.event.added:
            self.session.add_folder(added.uri)
        self.session.projects.clear()

    def later(self, root: str) -> None:
        """Publishes the findings of a project when nothing has changed for a while: longer, if checking takes long."""
        if not root:
            return
        if root in self.waiting:
            self.waiting.pop(root).cancel()
        loop = asyncio.get_running_loop()
        self.waiting[root] = loop.call_later(max(_PAUSE, self.took), self.guard(self.publish), root)

    def publish(self, root: str) -> None:
        """Publishes the findings of a project, and clears those of files that have no findings now."""
        self.waiting.pop(root, None)
        start = process_time()
        session = self.session
        with session.project(root) as project:
            session.check(root)
            files = session.view(root, project)
            shown = {files.uri(name): found for name, found in by_file(project.findings, files).items()}
            open_uris = {files.uri(name) for name in project.buffers}
        self.took = process_time() - start
        for uri in sorted(self.published.get(root, set()) | open_uris | shown.keys()):
            self.send(uri, shown.get(uri, ()))
        self.published[root] = set(shown)

    def send(self, uri: str, found: Iterable[types.Diagnostic]) -> None:
        """Publishes the findings of a file."""
        params = types.PublishDiagnosticsParams(uri, list(found))
        self.connection.text_document_publish_diagnostics(params)


def serve() -> None:
    """Answers the editor at standard input and output until it goes away."""
    # A stream of its own, because pygls closes it at the end; and nothing else may write into the protocol.
    with open(os.dup(sys.stdout.fileno()), "wb") as output, redirect_stdout(sys.stderr):
        Server().connection.start_io(sys.stdin.buffer, output)
