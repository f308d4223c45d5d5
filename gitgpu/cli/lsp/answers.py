"""What the server answers: a request and the session to a value of the protocol."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from lsprotocol import types

from gitgpu.cli.lsp.session import Session, path_of
from gitgpu.editor import fixes, lens, navigation
from gitgpu.editor.completion import TRIGGERS, completion
from gitgpu.editor.context import Context, markdown
from gitgpu.editor.documentation import code_page, size_page
from gitgpu.editor.hover import hover
from gitgpu.editor.rename import Refused, renamable, rename


class Answer(NamedTuple):
    """A method of the protocol, what answers it, and its options."""

    method: str
    of: Callable[[Session, Any], Any]
    options: Any = None


class RefusedError(Exception):
    """A request that cannot be carried out, for a reason that the user should see."""


@contextmanager
def _at(session: Session, document: types.TextDocumentIdentifier) -> Iterator[Context | None]:
    """The context of an open file, in the directory of its project; None if the file is not open or has no path."""
    path = path_of(document.uri)
    if path not in session.files:
        yield None
        return
    root = session.root_of(path)
    with session.project(root):
        yield session.context(root, os.path.relpath(path, root))


def _index(context: Context, position: types.Position) -> int:
    return context.files.positions(context.file).index(position)


def _completion(session: Session, params: types.CompletionParams) -> types.CompletionList | None:
    with _at(session, params.text_document) as context:
        if context is None:
            return None
        return types.CompletionList(is_incomplete=False, items=completion(context, _index(context, params.position)))


def _documented(session: Session, item: types.CompletionItem) -> types.CompletionItem:
    """The item with the page of the size or rule that it names."""
    kind, _, name = str(item.data or "").partition(" ")
    sku = session.catalog.sku(name) if kind == "size" else None
    if sku:
        item.documentation = markdown(size_page(session.catalog, sku))
    elif kind == "rule":
        item.documentation = markdown(code_page(name))
    return item


def _hover(session: Session, params: types.HoverParams) -> types.Hover | None:
    with _at(session, params.text_document) as context:
        return hover(context, _index(context, params.position)) if context else None


def _definition(session: Session, params: types.DefinitionParams) -> list[types.Location]:
    with _at(session, params.text_document) as context:
        return navigation.definitions(context, _index(context, params.position)) if context else []


def _references(session: Session, params: types.ReferenceParams) -> list[types.Location]:
    declared = params.context.include_declaration
    with _at(session, params.text_document) as context:
        index = _index(context, params.position) if context else 0
        return navigation.references(context, index, declared=declared) if context else []


def _prepare_rename(session: Session, params: types.PrepareRenameParams) -> types.Range | None:
    with _at(session, params.text_document) as context:
        return renamable(context, _index(context, params.position)) if context else None


def _rename(session: Session, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edit of every file. Raises RefusedError if the name does not fit, or means something else already."""
    with _at(session, params.text_document) as context:
        if context is None:
            return None
        renamed = rename(context, _index(context, params.position), params.new_name)
        if isinstance(renamed, Refused):
            raise RefusedError(renamed.reason)
        changes = {}
        for file, text in renamed.texts.items():
            changes[context.files.uri(file)] = context.files.line_edits(file, text)
        session.notes.append(renamed.consequence)
        return types.WorkspaceEdit(changes)


def _document_symbols(session: Session, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    with _at(session, params.text_document) as context:
        return navigation.document_symbols(context) if context else []


def _workspace_symbols(session: Session, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
    found: list[types.WorkspaceSymbol] = []
    for root in session.roots():
        with session.project(root):
            found += navigation.workspace_symbols(session.context(root, ""), params.query)
    return found[: navigation.MAX_SYMBOLS]


def _lenses(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    with _at(session, params.text_document) as context:
        return list(lens.lenses(context)) if context and context.inputs else []


def _lens(session: Session, wanted: types.CodeLens) -> types.CodeLens:
    """A lens with its text."""
    about: dict[str, Any] = wanted.data if isinstance(wanted.data, dict) else {}
    with _at(session, types.TextDocumentIdentifier(str(about.get("uri", "")))) as context:
        title = ""
        if context and context.inputs and about["kind"] == "GpuPool":
            title = lens.pool_title(context.inputs, about["name"])
        elif context and context.inputs:
            forecast = session.forecast(context.inputs)
            title = lens.workload_title(context.inputs, context.file, about["line"], forecast)
    return lens.with_title(wanted, title)


def _actions(session: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    with _at(session, params.text_document) as context:
        if context is None:
            return []
        root = session.root_of(path_of(params.text_document.uri))
        project = session.projects[root]
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        asked = fixes.Asked(context.file, params.range, params.context.diagnostics, project.config, only)
        return list(fixes.actions(asked, project.findings, context.files))


_ACTIONS = types.CodeActionOptions([types.CodeActionKind.QuickFix, fixes.FIX_ALL])
ANSWERS = (
    Answer(
        types.TEXT_DOCUMENT_COMPLETION,
        _completion,
        types.CompletionOptions(trigger_characters=TRIGGERS, resolve_provider=True),
    ),
    Answer(types.COMPLETION_ITEM_RESOLVE, _documented),
    Answer(types.TEXT_DOCUMENT_HOVER, _hover),
    Answer(types.TEXT_DOCUMENT_DEFINITION, _definition),
    Answer(types.TEXT_DOCUMENT_REFERENCES, _references),
    Answer(types.TEXT_DOCUMENT_PREPARE_RENAME, _prepare_rename),
    Answer(types.TEXT_DOCUMENT_RENAME, _rename, types.RenameOptions(prepare_provider=True)),
    Answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _document_symbols),
    Answer(types.WORKSPACE_SYMBOL, _workspace_symbols),
    Answer(types.TEXT_DOCUMENT_CODE_LENS, _lenses, types.CodeLensOptions(resolve_provider=True)),
    Answer(types.CODE_LENS_RESOLVE, _lens),
    Answer(types.TEXT_DOCUMENT_CODE_ACTION, _actions, _ACTIONS),
)
