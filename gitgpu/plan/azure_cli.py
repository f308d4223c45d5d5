"""How the Azure CLI creates an AKS node pool: with its own options, with those of its extension, or by Azure's API."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.model.aks_api import is_preview
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.plan.decided.nodes import CliPlan


def cli_plan(properties: Mapping[str, Any], api: str, catalog: Catalog) -> CliPlan:
    """What the properties of a pool need, which is written with this version of the API.

    The extension is for previews. It would also do for a stable field without an option, but then one would depend on a
    preview for no reason.
    """
    used = [row for row in catalog.must("pools", "aks")["options"] if _is_used(properties, row)]
    without = [row for row in used if not row["core"]]
    if without and is_preview(api) and all(row["extension"] for row in without):
        return CliPlan(_newest(used), extension=True)
    return CliPlan(None if without else _newest(used), unsupported=tuple(row["field"] for row in without))


def _is_used(properties: Mapping[str, Any], row: Facts) -> bool:
    """Whether the properties have the field of a row, with its value if the row is about a value."""
    value = reach(properties, *row["field"].removesuffix("[]").split("."))
    return value == row["value"] if "value" in row else value not in (None, [])


def _newest(used: Iterable[Facts]) -> str | None:
    """The version of the core CLI that has all of its options among these; None if any has."""
    versions = (row["core"] for row in used if row["core"])
    return max(versions, key=lambda version: [int(part) for part in version.split(".")], default=None)
