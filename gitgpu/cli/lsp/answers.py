"""What the server answers: a request and the session to a value of the protocol."""

from collections.abc import Callable
from typing import Any, NamedTuple

from lsprotocol import types

from gitgpu.cli.lsp.session import Session, path_of
from gitgpu.editor import fixes


class Answer(NamedTuple):
    """A method of the protocol, what answers it, and its options."""

    method: str
    of: Callable[[Session, Any], Any]
    options: Any = None


def _actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    path = path_of(params.text_document.uri)
    if path not in session.files:
        return []
    root = session.root_of(path)
    with session.project(root) as project:
        files = session.view(root, project)
        asked = fixes.Asked(path.removeprefix(f"{root}/"), params.range, params.context.diagnostics, project.config)
        return list(fixes.actions(asked, project.findings, files))


ANSWERS = (
    Answer(
        types.TEXT_DOCUMENT_CODE_ACTION,
        _actions,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, fixes.FIX_ALL]),
    ),
)
