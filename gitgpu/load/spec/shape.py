"""Texts to documents: each document of a fleet is checked against the schema of its kind."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Diagnostic, ObjectRef, Places, Severity, fault
from gitgpu.load.explain import explain_faults
from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.messages import similar_key, value_text
from gitgpu.load.explain.repairs import places_of_keys
from gitgpu.load.parse.lazy_source_map import LazySourceMap
from gitgpu.load.parse.quick import QuickParsed, parse_quickly
from gitgpu.load.read import data_text
from gitgpu.load.spec.merge_patch import Overlay, last_write
from gitgpu.load.spec.scaled_job import job_faults
from gitgpu.load.text import Text
from gitgpu.load.validate.compiler import compile_schema, local_references
from gitgpu.source import Mark, Pointer, SourceMap, dotted_text, pointer_text

API_VERSION = "gitgpu.dev/v1alpha1"
KINDS = {
    "Fleet": "fleet",
    "Cluster": "cluster",
    "GpuPool": "gpupool",
    "GpuWorkload": "gpuworkload",
    "GpuTeam": "gputeam",
}
_NAMES = tuple(KINDS)  # a kind in a document may be a list, which can be compared, but not looked up in a dict


class Document(NamedTuple):
    """A document of the fleet. `sound` is true if it matches its schema; of an unsound one, only the name is used.

    `overlays` are the overrides that have been applied to its spec, in order.
    """

    kind: str
    data: dict[str, Any]
    places: SourceMap | LazySourceMap
    label: str
    sound: bool
    overlays: tuple[Overlay, ...] = ()

    @property
    def ref(self) -> ObjectRef:
        """Kind, namespace and name, as far as they are set."""
        return _ref(self.data)

    def place_of(self, pointer: Pointer) -> Pointer:
        """The place of a value in the document: in the last override that sets it, else at the pointer."""
        cause = last_write(self.overlays, pointer)
        return cause.at if cause else pointer


@cache
def fleet_schema() -> dict[str, Any]:
    """The schema of the fleet documents."""
    schema: dict[str, Any] = json.loads(data_text("schemas/fleet.schema.json"))
    return schema


def kind_schema(kind: str) -> dict[str, Any]:
    """The schema of one kind, complete in itself."""
    schema = fleet_schema()
    return {"$ref": f"#/definitions/{KINDS[kind]}", "definitions": schema["definitions"]}


@cache
def _checker(kind: str) -> Callable[[object], bool]:
    return compile_schema(kind_schema(kind))


def shape(texts: Iterable[Text]) -> tuple[list[Document], list[Diagnostic]]:
    """The documents of all texts and every fault of syntax and shape. Empty documents are ignored."""
    documents: list[Document] = []
    faults: list[Diagnostic] = []
    for text in texts:
        parsed, syntax = parse_quickly(text, as_json=False)
        faults.extend(syntax)
        non_empty = [document for document in parsed if document.data is not None]
        if not non_empty and not syntax:
            span = parsed[0].places.span() if parsed else SourceMap(text.name, _START, None).span()
            faults.append(fault("SHP001", "the file contains no document", "add one, or remove the file", span))
        for document in non_empty:
            wrong = _faults(document)
            faults.extend(wrong)
            if kind := _meant(document.data):
                documents.append(Document(kind, document.data, document.places, text.label, not wrong))
    return documents, faults


_START = Mark(0, 0)
_DEFAULTS_OF_POOLS = (("spec", "defaults", "pool"), ("spec", "pool"))


def _meant(data: Any) -> str:
    """The kind of a document, even if it is misspelled; "" if it is not a kind of gitgpu."""
    kind, version = (data.get("kind"), data.get("apiVersion")) if isinstance(data, dict) else (None, None)
    if kind in _NAMES:
        return str(kind)
    return similar_key(kind, _NAMES) if similar_key(version, [API_VERSION]) else ""


def _faults(document: QuickParsed) -> list[Diagnostic]:
    data, places = document.data, document.places
    if not isinstance(data, dict):
        message = "a document must be a mapping with apiVersion and kind"
        return [fault("SHP001", message, f"start with apiVersion: {API_VERSION}", places.span())]
    missing_keys = [key for key in ("apiVersion", "kind") if key not in data]
    if missing_keys:
        return [_without(missing_keys, data, places)]
    if data["kind"] not in _NAMES or data["apiVersion"] != API_VERSION:
        return [_foreign(data, places)]
    return [_misfit(problem, document) for problem in document_faults(data)]


def document_faults(data: dict[str, Any]) -> list[Fault]:
    """The faults in the shape of a document of a known kind."""
    kind = data["kind"]
    found_in_job = job_faults(data) if kind == "GpuWorkload" else []
    found_by_schema = [] if _checker(kind)(data) else explain_faults(kind_schema(kind), data)
    by_pointer = {fault.pointer: fault for fault in (*found_in_job, *found_by_schema)}
    return [_misplaced(same, kind) for same in by_pointer.values()]


def _without(missing: list[str], data: dict[str, Any], places: Places) -> Diagnostic:
    """The fault of a document without apiVersion or kind."""
    slip = similar_key(missing[0], data)
    if slip and len(missing) == 1:
        span = places.span((slip,), key=True)
        return fault("SHP001", f"unknown key '{slip}'", f"rename it to '{missing[0]}'", span)
    remedy = f"set apiVersion: {API_VERSION} and kind: one of {', '.join(KINDS)}"
    return fault("SHP001", f"{' and '.join(missing)} missing", remedy, places.span())


def _foreign(data: dict[str, Any], places: Places) -> Diagnostic:
    """The fault of a document that is not part of a fleet, perhaps because of a misspelling."""
    wrong = "apiVersion" if data["kind"] in _NAMES else "kind"
    closest = similar_key(data["apiVersion"], [API_VERSION]) if wrong == "apiVersion" else _meant(data)
    message = f"unknown kind {value_text(data['kind'])} of {value_text(data['apiVersion'])}"
    if wrong == "apiVersion":
        message = f"unknown apiVersion {value_text(data['apiVersion'])} for {data['kind']}"
    remedy = f"use one of {', '.join(KINDS)}; keep other manifests outside the fleet"
    return fault("SHP002", message, f"set {wrong}: {closest}" if closest else remedy, places.span((wrong,)))


def _misplaced(problem: Fault, kind: str) -> Fault:
    """The same fault; if the key belongs to another kind of the fleet, with its place there."""
    if not problem.unknown:
        return problem
    key = str(problem.pointer[-1])
    for other in KINDS:
        if other == kind:
            continue
        schema = kind_schema(other)
        places = places_of_keys(schema, frozenset({key}), local_references(schema)).get(key, [])
        if other == "GpuPool" and problem.pointer[:-1] in _DEFAULTS_OF_POOLS:
            places = [place for place in places if place == ("spec",)]
        nested = problem.pointer[:-1] not in (("spec",), *_DEFAULTS_OF_POOLS)
        if nested:  # many mappings have a key such as `name`: only one with the same name is meant
            places = [place for place in places if place[-1:] == problem.pointer[-2:-1]]
        if len(places) == 1 and places[0]:
            remedy = f"set it in the {other}, as {dotted_text(places[0])}.{key}"
            return Fault(problem.pointer, f"{kind} has no key '{key}' here", remedy, problem.at_key)
    return problem


def _misfit(problem: Fault, document: QuickParsed) -> Diagnostic:
    span, pointer = document.places.span(problem.pointer, key=problem.at_key), pointer_text(problem.pointer)
    edit = problem.repair.edit(document.places) if problem.repair else None
    return Diagnostic("SHP003", Severity.ERROR, problem.message, problem.help, span, pointer, _ref(document.data), edit)


def _ref(data: dict[str, Any]) -> ObjectRef:
    metadata = mapping_at(data, "metadata")
    namespace, name = metadata.get("namespace"), metadata.get("name")
    return ObjectRef(
        str(data.get("kind", "")),
        namespace if isinstance(namespace, str) else "",
        name if isinstance(name, str) else "",
    )
