"""Checks rows of the user against the schema of their kind. Tests check the rows of gitgpu."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.catalog.folders import known_kinds
from gitgpu.load.explain import explain_faults
from gitgpu.load.explain.fault import Fault
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.read import data_text
from gitgpu.load.validate.compiler import compile_schema
from gitgpu.load.validate.keywords import Check


def row_faults(kind: str, document: Parsed) -> list[Diagnostic]:
    """The faults of a row: its kind (CAT003), or values that the schema rejects (CAT004)."""
    try:
        problems = schema_faults(kind, document.data)
    except FileNotFoundError:
        remedy = "use one of " + ", ".join(known_kinds())
        return [fault("CAT003", f"unknown catalog folder '{kind}'", remedy, document.places.span())]
    return [problem.diagnostic("CAT004", document.places) for problem in problems]


def schema_faults(kind: str, row: Mapping[str, Any]) -> list[Fault]:
    """The faults of a whole row according to the schema of a kind. Raises FileNotFoundError for an unknown kind."""
    schema, is_valid = _schema(kind)
    return [] if is_valid(row) else explain_faults(schema, row)


@cache
def _schema(kind: str) -> tuple[dict[str, Any], Check]:
    """The schema of a kind, read and compiled once for all of its rows."""
    schema = json.loads(data_text(f"schemas/catalog/{kind}.schema.json"))
    return schema, compile_schema(schema)
