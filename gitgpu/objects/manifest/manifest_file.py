"""YAML texts to Kubernetes objects with places. Lists are expanded; templates and placeholders are faults."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places, Severity, fault
from gitgpu.load.parse.quick import QuickParsed, parse_quickly
from gitgpu.load.secret_values import conceal
from gitgpu.load.text import Text
from gitgpu.model.names.prefixes import GITGPU_PREFIX
from gitgpu.objects.loaded import Loaded, ManifestFile
from gitgpu.objects.manifest.placeholders import Placeholder, first_placeholder, may_have_placeholder
from gitgpu.objects.manifest.templates import KubernetesDocuments, action
from gitgpu.source import Pointer, Span, pointer_text

_ENDS = ("YML001", "YML004", "YML005")  # faults after which the rest of the text cannot be read


class ItemPlaces(NamedTuple):
    """The places of an object that is an item of a list."""

    places: Places
    prefix: Pointer

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value in the item."""
        return self.places.span((*self.prefix, *pointer), key=key)


def manifest_file(text: Text, parsed: Sequence[QuickParsed] | None = None, *, named: bool = True) -> ManifestFile:
    """The objects in a text. A template, or an object with placeholders, is one fault and not an object.

    In a file that the user has not `named`, documents that are not meant to be Kubernetes objects are ignored,
    regardless of their tags or syntax: they are for other tools. `parsed` are the documents of a text without faults,
    if they have been parsed already.
    """
    documents, faults = parse_quickly(text) if parsed is None else (parsed, [])
    template_at = action(text.name, text.content, faults)
    if template_at:
        return _template(text, template_at, named=named)
    others: list[Span] = []
    objects: list[Loaded] = []
    for document in documents:
        if document.data is not None:
            objects += _objects(document, text.name, others)
    if not named and faults:
        faults = _meant(text, faults, others)
    file = ManifestFile(tuple(objects), tuple(others), tuple(faults))
    return _apart_from_placeholders(text, file, named=named) if may_have_placeholder(text.content) else file


def _apart_from_placeholders(text: Text, file: ManifestFile, *, named: bool) -> ManifestFile:
    """The file without the objects that have placeholders."""
    placeholders = [(loaded, first_placeholder(loaded.body)) for loaded in file.objects]
    actions = [loaded.places.span(gap.pointer) for loaded, gap in placeholders if gap and gap.action]
    if actions:
        return _template(text, actions[0], named=named)
    refused = [
        (loaded, gap, _shown(placeholder_fault(gap, loaded.places), text)) for loaded, gap in placeholders if gap
    ]
    waiting = tuple((loaded, why) for loaded, gap, why in refused if "${" in gap.text)
    unfilled = (why for _, gap, why in refused if "${" not in gap.text)
    complete = tuple(loaded for loaded, gap in placeholders if not gap)
    return ManifestFile(complete, file.others, (*file.faults, *unfilled), waiting)


def _shown(fault: Diagnostic, text: Text) -> Diagnostic:
    return conceal([fault], {text.name: text.content})[0]


def _template(text: Text, template_at: Span, *, named: bool) -> ManifestFile:
    if named:
        remedy = "render it first, with `helm template`, `envsubst` or the tool that it is for, and use the result"
        return ManifestFile((), (), (fault("LNT001", "a template, not YAML", remedy, template_at),))
    if KubernetesDocuments(text.content):
        return ManifestFile((), (), (), (), template_at)
    return ManifestFile((), (Span(text.name, 1, 1),), ())


def _meant(text: Text, faults: Sequence[Diagnostic], others: list[Span]) -> list[Diagnostic]:
    """The faults of documents that are meant to be Kubernetes objects. Other documents with faults are counted."""
    meant = KubernetesDocuments(text.content)
    kept_diagnostics = [diagnostic for diagnostic in faults if meant.at(diagnostic.span.line)]
    others += [
        diagnostic.span for diagnostic in faults if diagnostic.code in _ENDS and diagnostic not in kept_diagnostics
    ]
    return kept_diagnostics


def is_object(data: Any) -> bool:
    """Whether it has apiVersion and kind, as every Kubernetes object does."""
    return isinstance(data, dict) and isinstance(data.get("apiVersion"), str) and isinstance(data.get("kind"), str)


def is_ours(body: dict[str, Any]) -> bool:
    """Whether it is a document of a fleet, which `validate` checks."""
    return str(body["apiVersion"]).startswith(GITGPU_PREFIX)


def _objects(document: QuickParsed, file: str, others: list[Span]) -> Iterator[Loaded]:
    """The objects of a document; the places of anything else are added to `others`."""
    waiting: list[tuple[Any, Pointer]] = [(document.data, ())]
    while waiting:
        data, prefix = waiting.pop(0)
        if not is_object(data):
            others.append(document.places.span(prefix))
            continue
        items = data.get("items")
        if data["kind"].endswith("List") and isinstance(items, list):
            waiting[:0] = [(typed_item(item, data), (*prefix, "items", index)) for index, item in enumerate(items)]
        else:
            yield Loaded(data, ItemPlaces(document.places, prefix) if prefix else document.places, file)


def typed_item(item: Any, whole_list: dict[str, Any]) -> Any:
    """An item with its apiVersion and kind, which it may omit in a typed list such as a NodePoolList."""
    if whole_list["kind"] == "List" or not isinstance(item, dict):
        return item
    return {"apiVersion": whole_list["apiVersion"], "kind": whole_list["kind"].removesuffix("List"), **item}


def placeholder_fault(gap: Placeholder, places: Places) -> Diagnostic:
    """The error about a placeholder that must be replaced before an object is applied."""
    shown = gap.text if len(gap.text) <= 40 else f"{gap.text[:40]}..."
    message = f"contains the placeholder {shown}, which must be replaced first"
    remedy = "write the value that it stands for"
    if "$" in gap.text:
        remedy = "replace it first, for example with `envsubst`, and use the result"
    place = places.span(gap.pointer)
    return Diagnostic("LNT002", Severity.ERROR, message, remedy, place, pointer_text(gap.pointer))
