"""Definitions, references and symbols."""

from collections.abc import Iterator

from lsprotocol.types import DocumentSymbol, Location, SymbolKind, WorkspaceSymbol

from gitgpu.editor.context import Context
from gitgpu.editor.names import Name, name_at
from gitgpu.editor.yaml_tree import parts
from gitgpu.report.terminal import printable

MAX_SYMBOLS = 500  # of a workspace that an answer lists
_KINDS = {
    "Cluster": SymbolKind.Namespace,
    "GpuPool": SymbolKind.Class,
    "GpuWorkload": SymbolKind.Function,
    "GpuTeam": SymbolKind.Interface,
}


def definitions(context: Context, index: int) -> list[Location]:
    """The documents with the name at an index; of one name, there can be several for different clusters."""
    return [_location(name, context) for name in _same(context, index) if name.defines]


def references(context: Context, index: int, *, declared: bool) -> list[Location]:
    """The places that use the name at an index, and with `declared` the documents that have it."""
    return [_location(name, context) for name in _same(context, index) if declared or not name.defines]


def document_symbols(context: Context) -> list[DocumentSymbol]:
    """The documents of a file."""
    return list(_symbols(context))


def workspace_symbols(context: Context, query: str) -> Iterator[WorkspaceSymbol]:
    """The documents of a fleet whose name contains the query."""
    for name in context.names():
        if name.defines and query.casefold() in f"{name.kind} {name.name}".casefold():
            kind = _KINDS.get(name.kind, SymbolKind.Object)
            yield WorkspaceSymbol(_location(name, context), printable(name.name), kind, container_name=name.kind)


def _same(context: Context, index: int) -> list[Name]:
    here = name_at(context.file, context.content, index)
    return [name for name in context.names() if here and name.means(here)]


def _location(name: Name, context: Context) -> Location:
    return context.files.location(name.file, name.start, name.end)


def _symbols(context: Context) -> Iterator[DocumentSymbol]:
    content, positions = context.content, context.files.positions(context.file)
    for part in parts(content):
        root = part.root
        kind = root.text_at("kind") if root else ""
        if root is None or not kind:
            continue
        name = root.get("metadata", "name")
        title = " ".join(filter(None, (kind, name.text if name else "")))
        chosen = name or root
        yield DocumentSymbol(
            name=printable(title),
            kind=_KINDS.get(kind, SymbolKind.Object),
            range=positions.range(part.start + root.start, part.start + root.end),
            selection_range=positions.range(part.start + chosen.start, part.start + chosen.end),
            detail=printable(root.text_at("metadata", "namespace")),
        )
