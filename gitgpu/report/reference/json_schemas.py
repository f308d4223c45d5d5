"""JSON Schemas of what `-o json` prints: all in one document, or those of one command."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from gitgpu.load.read import data_text

Schema = dict[str, Any]
_REFERENCE = "#/definitions/"
EVERYTHING = "report"
DOCUMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        EVERYTHING: (),
        "catalog": ("catalogRefresh", "catalogDiff"),
        "findings": ("findings",),
        "plan": ("plan",),
        "import": ("import",),
        "change": ("specChange",),
        "outdated": ("outdated",),
        "advisories": ("advisoryList",),
        "simulation": ("simulation",),
        "diagnosis": ("diagnosis",),
        "sku": ("skuList", "sku", "skuComparison"),
        "rule": ("ruleList", "rule", "fault"),
        "explain": ("explanation", "fieldList", "effectiveObject"),
        "images": ("imageList",),
        "version": ("version",),
    }
)


def document_schema(name: str) -> Schema:
    """The schema (draft-07) of one of `DOCUMENTS`, without external references."""
    everything = _everything()
    if name == EVERYTHING:
        return everything
    branches = DOCUMENTS[name]
    needed = _needed(branches, everything["definitions"])
    return {
        "$schema": everything["$schema"],
        "$id": everything["$id"].replace(f"/{EVERYTHING}.schema", f"/{name}.schema"),
        "title": f"gitgpu {name}",
        "description": " ".join(everything["definitions"][branch]["description"] for branch in branches),
        "oneOf": [{"$ref": f"{_REFERENCE}{branch}"} for branch in branches],
        "definitions": {key: part for key, part in everything["definitions"].items() if key in needed},
    }


@cache
def _everything() -> Schema:
    schema: Schema = json.loads(data_text("schemas/report.schema.json"))
    return schema


def _needed(branches: tuple[str, ...], definitions: Mapping[str, Any]) -> set[str]:
    """These definitions, and all that they refer to, directly or indirectly."""
    needed: set[str] = set()
    waiting = list(branches)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting.extend(_references(definitions[name]))
    return needed


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for below in part:
            yield from _references(below)
    if not isinstance(part, dict):
        return
    for below in part.values():
        yield from _references(below)
    reference = part.get("$ref", "")
    if isinstance(reference, str) and reference.startswith(_REFERENCE):
        yield reference.removeprefix(_REFERENCE)
