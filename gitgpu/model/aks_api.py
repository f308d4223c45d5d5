"""Versions of Azure's API that have what is written of a resource of AKS, by `catalog/arm`.

Fields are written in their newest shape. A version from before a field moved does not have that path, so it is never
chosen, and every field has the shape of the version that it is written with.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import MAPPING
from gitgpu.model.catalog import Catalog, Facts

OPERATOR_API = (
    "2025-08-01"  # that of Azure Service Operator 2.16, whose objects gitgpu writes; nothing older is written
)


class ApiField(NamedTuple):
    """A field by its path in `catalog/arm`: `[]` follows a list, `{}` a map. `value` is None if any version has it."""

    path: str
    value: Any = None


def least_api(catalog: Catalog, resource: str, properties: Mapping[str, Any]) -> str:
    """The oldest version that has all of these properties and their values: a stable one if there is any.

    `resource` is a row of `catalog/arm`, such as agentPools. Raises KeyError for a property that the row does not have.
    """
    row = catalog.must("arm", resource)
    return _least(catalog, row, _within("", properties, row))


def least_api_of(catalog: Catalog, resource: str, fields: Iterable[ApiField]) -> str:
    """The oldest version that has all of these fields."""
    return _least(catalog, catalog.must("arm", resource), fields)


def is_preview(version: str) -> bool:
    """Whether a version of Azure's API is a preview."""
    return version.endswith("-preview")


def _least(catalog: Catalog, row: Facts, fields: Iterable[ApiField]) -> str:
    facts = []
    for path, value in fields:
        of_field = row["fields"][path]
        values = row["values"].get(of_field["type"], {})
        facts += [of_field, values[value]] if value in values else [of_field]
    oldest = {"stable": OPERATOR_API, "preview": catalog.must("pools", "aks")["previewApi"]}
    versions = chain.from_iterable(
        (version for version in row["versions"][channel] if version >= oldest[channel]) for channel in oldest
    )
    return next(str(version) for version in versions if all(_has(of_field, version) for of_field in facts))


def _has(facts: Facts, version: str) -> bool:
    """Whether a version has a field or a value. Versions are dates, which sort as text."""
    channel = "preview" if is_preview(version) else "stable"
    first, last = facts[channel], facts.get("last", {}).get(channel, version)
    return bool(first) and first <= version <= last and version not in facts.get("without", ())


def _within(path: str, value: Any, row: Facts) -> Iterator[ApiField]:
    """The fields of a value at a path. The path of an element of a list or map is that of the list or map."""
    if not isinstance(value, MAPPING):
        yield ApiField(path, value)
        return
    for key, inner in value.items():
        yield from _field(f"{path}.{key}" if path else key, inner, row)


def _field(path: str, value: Any, row: Facts) -> Iterator[ApiField]:
    if isinstance(value, list | tuple):
        yield ApiField(f"{path}[]")
        yield from chain.from_iterable(_within(f"{path}[]", element, row) for element in value)
    elif isinstance(value, MAPPING) and f"{path}{{}}" in row["fields"]:
        yield ApiField(f"{path}{{}}")
        yield from chain.from_iterable(_within(f"{path}{{}}", element, row) for element in value.values())
    else:
        if isinstance(value, MAPPING):
            yield ApiField(path)
        yield from _within(path, value, row)
