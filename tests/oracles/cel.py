"""Validates an object against its upstream CRD, as the API server does on create: defaults, structure, CEL.

This is the oracle for `conform` and for everything that is emitted. It shares no code with the contracts: the CRD is
read as published, unknown fields are refused, and CEL runs in Google's own engine.
"""

import copy
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from jsonschema import Draft7Validator, ValidationError, validators

from tools.contracts import CRDS, OF_CHARTS, OTHER_VERSIONS, crd, crd_names
from tools.enforced import enforce, require

Node: TypeAlias = dict[str, Any]

MISSING = "the upstream CRDs are not next to the project (../shared/crds)"
needs_crds = pytest.mark.skipif(not CRDS.is_dir(), reason=MISSING)
MORE = CRDS.parent / "upstream" / "crds" / "kueue-0.19.2"  # CRDS has four of its kinds
_IMPLIED = frozenset({"apiVersion", "kind", "metadata"})


def upstream_faults(body: Node) -> list[str]:
    """The faults that the upstream CRD finds in an object; none if it is accepted. Skips the test without the CRDs."""
    if not CRDS.is_dir():
        pytest.skip(MISSING)
    schema = upstream_schema(str(body["apiVersion"]), str(body["kind"]))
    stored = defaulted(schema, copy.deepcopy(body))
    rules = [f"{path}: {message}" for path, message in _broken_rules(schema, stored, "$")]
    return structural_faults(body) + rules


def structural_faults(body: Node, folder: Path = CRDS) -> list[str]:
    """The faults that the CRD in a folder finds in an object, without its CEL rules."""
    schema = upstream_schema(str(body["apiVersion"]), str(body["kind"]), folder)
    stored = defaulted(schema, copy.deepcopy(body))
    faults = [f"{error.json_path}: {error.message}" for error in _structure()(schema).iter_errors(stored)]
    return faults + _unknown(schema, stored, "$", implied=_IMPLIED)


def chart_faults(body: Node) -> list[str]:
    """The faults that a CRD finds in an object, for CRDs that are installed by charts."""
    folders = sorted(OF_CHARTS.iterdir()) if OF_CHARTS.is_dir() else []
    there = (folder for folder in folders if folder.is_dir() and has_upstream(body, folder))
    return [f"{folder.name}: {fault}" for folder in there for fault in structural_faults(body, folder)]


def has_upstream(body: Node, folder: Path = CRDS) -> bool:
    """Whether a folder has the CRD of the object's kind, with its version if the contract is of that version only."""
    group, _, version = str(body["apiVersion"]).rpartition("/")
    folder = _home(group, str(body["kind"]), folder)
    names = _names(group, str(body["kind"]), folder)
    other = [name for name in names if version in OTHER_VERSIONS.get(name, ())]
    served = (item["name"] for name in other for item in crd(name, folder)["spec"]["versions"])
    return bool(names) and (not other or version in served)


@cache
def upstream_schema(api_version: str, kind: str, folder: Path = CRDS) -> Node:
    """The structural schema of a kind, with what `tools.enforced` adds. Raises LookupError if no CRD has it."""
    family, _, version = api_version.rpartition("/")
    folder = _home(family, kind, folder)
    for name in _names(family, kind, folder):
        known = crd(name, folder)
        for served in known["spec"]["versions"]:
            if served["name"] == version:
                given = served["schema"]["openAPIV3Schema"]
                schema: Node = copy.deepcopy(given)
                require(schema, given)
                enforce(schema, known["metadata"]["name"])
                return schema
    raise LookupError(f"no upstream CRD for {kind} {api_version}")


def _home(family: str, kind: str, folder: Path) -> Path:
    """The folder that has the CRD of a kind, if the main one does not."""
    return MORE if folder == CRDS and MORE.is_dir() and not _names(family, kind, folder) else folder


@cache
def _names(family: str, kind: str, folder: Path) -> tuple[str, ...]:
    names = [name for name in crd_names(folder) if family and name.startswith(f"{family}_")]
    return tuple(name for name in names if crd(name, folder)["spec"]["names"]["kind"] == kind)


def defaulted(schema: Node, value: Any) -> Any:
    """The value with the schema's defaults, wherever the parent of the field is present."""
    if isinstance(value, dict):
        for key, sub in schema.get("properties", {}).items():
            if key not in value and "default" in sub:
                value[key] = copy.deepcopy(sub["default"])
        for key in value:
            value[key] = defaulted(_below(schema, key), value[key])
    elif isinstance(value, list):
        value[:] = [defaulted(schema.get("items", {}), item) for item in value]
    return value


def compared(schema: Node, value: Any, path: str = "$", *, whole: bool = False) -> Iterator[str]:
    """The paths of defaults that the API server adds to an object and that a delivery engine reports as a difference.

    An engine that applies server-side owns an atomic list or map as a whole, and so compares all of it. In other lists
    and maps, it does not own the fields that it did not send. Same rule as
    https://github.com/argoproj/argo-cd/blob/37ee0097cf851bc2dd7665fc081bbce61a7e836e/gitops-engine/pkg/diff/diff.go.
    """
    if isinstance(value, dict):
        whole = whole or schema.get("x-kubernetes-map-type") == "atomic"
        for key, sub in schema.get("properties", {}).items():
            if key not in value and "default" in sub and whole:
                yield f"{path}.{key}"
        for key, item in value.items():
            yield from compared(_below(schema, key), item, f"{path}.{key}", whole=whole)
    elif isinstance(value, list):
        whole = whole or schema.get("x-kubernetes-list-type", "atomic") == "atomic"
        for at, item in enumerate(value):
            yield from compared(schema.get("items", {}), item, f"{path}[{at}]", whole=whole)


def _below(schema: Node, key: str) -> Node:
    rest = schema.get("additionalProperties")
    node: Node = schema.get("properties", {}).get(key) or (rest if isinstance(rest, dict) else {})
    return node


@cache
def _structure() -> Any:
    extend: Any = validators.extend
    kinds = Draft7Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    keywords = {"pattern": _pattern, "format": _format, "x-kubernetes-list-type": _list_type}
    return extend(Draft7Validator, keywords, type_checker=kinds)


def _format(_: Any, name: str, value: Any, schema: Node) -> Iterator[ValidationError]:
    """Checks the two formats that upstream's definitions use."""
    if name == "int32" and schema.get("type") == "integer" and isinstance(value, int) and not -(2**31) <= value < 2**31:
        yield ValidationError(f"{value} does not fit 32 bits")
    if name == "date-time" and isinstance(value, str) and not _is_moment(value):
        yield ValidationError(f"{value!r} is not a date-time")


def _is_moment(text: str) -> bool:
    try:
        return "T" in text and datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _pattern(validator: Any, pattern: str, value: Any, schema: Node) -> Iterator[ValidationError]:
    # In Go, $ matches only at the end of the text; in Python, also before a trailing newline.
    ignore_case = re.IGNORECASE if "(?i)" in pattern else re.NOFLAG
    ends = re.sub(r"(?<!\\)\$(?=[|)]|\Z)", r"\\Z", pattern.replace("(?i)", ""))
    if isinstance(value, str) and not re.search(ends, value, re.ASCII | ignore_case):
        yield ValidationError(f"{value!r} does not match {pattern}")


def _list_type(validator: Any, kind: str, value: Any, schema: Node) -> Iterator[ValidationError]:
    if not isinstance(value, list) or kind == "atomic":
        return
    keys = schema.get("x-kubernetes-list-map-keys", ())
    names = {_name(item, keys) for item in value}
    if len(names) < len(value):
        yield ValidationError(f"an item of this {kind} is there twice")


def _name(item: Any, keys: Iterable[str]) -> str:
    """What identifies an item of a list: the values of its keys, or the whole item."""
    if keys and isinstance(item, dict):
        return repr([item.get(key) for key in keys])
    return repr(item)


def _unknown(schema: Node, value: Any, path: str, implied: frozenset[str] = frozenset()) -> list[str]:
    """Every field that upstream's schema does not have."""
    if schema.get("x-kubernetes-embedded-resource"):
        implied = _IMPLIED
    faults: list[str] = []
    if isinstance(value, list):
        for at, item in enumerate(value):
            faults += _unknown(schema.get("items", {}), item, f"{path}[{at}]")
    elif isinstance(value, dict):
        is_open = schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("additionalProperties")
        for key, item in value.items():
            if not is_open and key not in schema.get("properties", {}) and key not in implied:
                faults.append(f"{path}.{key}: unknown field")
            elif not (implied and key == "metadata"):
                faults += _unknown(_below(schema, key), item, f"{path}.{key}") if _below(schema, key) else []
    return faults


def _broken_rules(schema: Node, value: Any, path: str) -> Iterator[tuple[str, str]]:
    for rule in schema.get("x-kubernetes-validations", ()):
        if "oldSelf" not in rule["rule"] and not holds(rule["rule"], value):
            yield path, rule.get("message", rule["rule"])
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _broken_rules(_below(schema, key), item, f"{path}.{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _broken_rules(schema.get("items", {}), item, f"{path}[{at}]")


def holds(rule: str, value: Any) -> bool:
    """Whether a CEL rule holds for `self`. A rule that cannot be evaluated does not hold, as in the API server."""
    return _compiled(rule).eval(data={"self": value}).value() is True


@cache
def _compiled(rule: str) -> Any:
    return _environment().compile(rule)


@cache
def _environment() -> Any:
    """CEL with the two functions that the CRDs use from Kubernetes' string library."""
    cel = pytest.importorskip("cel_expr_python.cel", reason="cel-expr-python is not installed")
    text, texts = cel.Type.STRING, cel.Type.List(cel.Type.STRING)

    def find(value: str, pattern: str) -> str:
        match = re.search(pattern, value)
        return match[0] if match else ""

    def function(name: str, returns: Any, body: Any) -> Any:
        overload = cel.Overload(f"string_{name}", returns, [text, text], is_member=True, impl=body)
        return cel.FunctionDecl(name, [overload])

    functions = [function("find", text, find), function("split", texts, lambda value, by: value.split(by))]
    return cel.NewEnv(variables={"self": cel.Type.DYN}, functions=functions)
