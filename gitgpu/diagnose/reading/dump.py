"""Texts to what a cluster has: objects, events, and what could not be read. Nothing secret is kept.

A dump is the output of `kubectl get -o json` (or -o yaml) for many kinds, in one file or in a file for each kind, and
that of `az aks show` and `az aks nodepool list`. A file that is named after a kind says that the kind was asked for,
also if there is no object of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.diagnose.reading.clock import in_order
from gitgpu.diagnose.reading.clusters import Trace, cluster_notes, trace_of_az, traces
from gitgpu.diagnose.reading.events import Event, event_of
from gitgpu.diagnose.reading.kept import kept_body
from gitgpu.diagnose.reading.useless import is_array, useless_answer
from gitgpu.diagnostic import Diagnostic, Severity, fault
from gitgpu.inventory.documents import COLOUR, Document, broken_json, json_values
from gitgpu.inventory.observed import Azure, Inventory
from gitgpu.inventory.read import read_document
from gitgpu.inventory.unreadable import why_unreadable
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import EVENT, NODE, group_kind
from gitgpu.objects.manifest.manifest_file import is_object, typed_item
from gitgpu.source import SourceMap, Span

OBJECTS = "pass the output of `kubectl get nodes,pods,events -A -o json`, or a directory of such files"


class Dump(NamedTuple):
    """The objects of a cluster, with the file of each; its events; the kinds asked for, in lower case; and faults.

    `azure` is what az printed about the cluster.
    """

    bodies: tuple[tuple[Mapping[str, Any], str], ...]
    events: tuple[Event, ...]
    kinds: frozenset[str]
    azure: Azure
    faults: tuple[Diagnostic, ...]


def read_dump(texts: Sequence[Text]) -> Dump:
    """Everything in these texts."""
    bodies: dict[tuple[str, str, str, str], tuple[Mapping[str, Any], str]] = {}
    events: dict[tuple[Any, ...], Event] = {}
    kinds: set[str] = set()
    azure, faults = Azure(), list[Diagnostic]()
    unknown: list[Span] = []
    clusters: list[Trace] = []
    for text in texts:
        documents, found = _documents(text)
        kinds.add(_stem(text.name))
        faults += found
        for data in documents:
            if is_object(data) or is_array(data):
                objects = _objects(data)
            else:
                azure, azure_objects, unread = _read_azure(data, text.name, azure)
                objects = iter(azure_objects)
                faults += unread.faults
                clusters += trace_of_az(data, text.name)
                unknown += (skipped.span for skipped in unread.skipped)
            for body in objects:
                kinds.add(body["kind"])
                if body["kind"] == EVENT.kind:
                    read = event_of(body)
                    events.update({read[:5]: read} if read else {})
                elif kept := kept_body(body):
                    bodies[_key(kept)] = (kept, text.name)  # the last one counts, as the newer of two dumps
                    clusters += traces(kept, text.name)
                else:
                    faults += useless_answer(body, text.name)
    faults += cluster_notes(clusters)
    faults += _unknown(unknown, nothing_else=not (bodies or events))
    if texts and not (bodies or events or faults):
        faults.append(fault("IMP001", "there is no object of a cluster", OBJECTS, Span(texts[0].name)))
    asked = frozenset(kind.lower() for kind in kinds)
    return Dump(tuple(bodies.values()), tuple(events.values()), asked, azure, tuple(dict.fromkeys(faults)))


def _stem(name: str) -> str:
    return name.rpartition("/")[2].partition(".")[0].lower()


def _key(body: Mapping[str, Any]) -> tuple[str, str, str, str]:
    group, kind = group_kind(body)
    return group, kind, text_at(body, "metadata", "namespace"), text_at(body, "metadata", "name")


def _objects(data: Mapping[str, Any] | list[Any]) -> Iterator[Mapping[str, Any]]:
    """The objects of a document: itself, or those of its lists or of an array. It empties the lists.

    An object that its reader does not keep is gone at once: there are many, and the garbage collector would visit them.
    """
    waiting: list[Any] = data[::-1] if isinstance(data, list) else [data]
    while waiting:
        body = waiting.pop()
        if not is_object(body):
            continue
        items = body.get("items") if body["kind"].endswith("List") else None
        if isinstance(items, list):
            waiting += (typed_item(item, body) for item in reversed(items))
            items.clear()
        else:
            yield body


def _documents(text: Text) -> tuple[list[Any], list[Diagnostic]]:
    """The documents of a text, and why it cannot be read. Unlike `import`, it needs no places: dumps are large."""
    content = COLOUR.sub("", text.content) if "\x1b" in text.content else text.content
    start = content.lstrip()[:1]
    if start and start in "{[":
        return _json_values(text._replace(content=content))
    if reason := why_unreadable(text):
        return [], [reason]
    documents, faults = parse_quickly(text)
    return [document.data for document in documents], faults


def _json_values(text: Text) -> tuple[list[Any], list[Diagnostic]]:
    """The values of a JSON text: one, or several after each other, as several commands print them."""
    found: list[Any] = []
    try:
        found += (data for data, _, _ in json_values(text.content))
    except (ValueError, RecursionError) as error:
        return found, [broken_json(text, error)]
    return found, []


def _unknown(spans: Sequence[Span], *, nothing_else: bool) -> Iterator[Diagnostic]:
    """A note about documents of other tools. A must-gather folder has many."""
    if spans:
        others = f", nor do {len(spans) - 1:,} other documents" if len(spans) > 1 else ""
        message = f"it has no object of Kubernetes, and is not what `az aks` prints{others}"
        severity = Severity.ERROR if nothing_else else Severity.INFO
        yield Diagnostic("DIA003", severity, message, OBJECTS, spans[0])


def _read_azure(data: Any, name: str, azure: Azure) -> tuple[Azure, list[Mapping[str, Any]], Inventory]:
    """What az says about the cluster and its node pools."""
    if not data:
        return azure, [], Inventory(())
    span = Span(name, 1, 1)
    inventory = read_document(Document(data, SourceMap.of(span)), named=False)
    facts = [cluster.azure for cluster in inventory.clusters]
    for other in facts:
        azure = azure._replace(**{key: value for key, value in other._asdict().items() if value not in (None, {})})
    return azure, [observed.body for observed in inventory.objects()], inventory


def times(dump: Dump) -> Iterator[object]:
    """Every time in a dump that says when something was last seen.

    The clock of a node can be wrong: of what the kubelets wrote, the time in the middle counts, not the latest.
    """
    for event in dump.events:
        yield event.last
    kubelet_times: list[object] = []
    for body, _ in dump.bodies:
        yield mapping_at(body, "metadata").get("creationTimestamp")
        written = [
            mapping_at(condition).get(key)
            for condition in list_at(body, "status", "conditions")
            for key in ("lastHeartbeatTime", "lastTransitionTime")
        ]
        if group_kind(body) == NODE:
            kubelet_times += in_order(written)[-1:]
        else:
            yield from written
    yield from in_order(kubelet_times)[len(kubelet_times) // 2 :][:1]
