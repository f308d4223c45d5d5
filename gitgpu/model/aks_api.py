"""Versions of Azure's API that have what is written of a resource of AKS, by `catalog/arm`.

Fields are written in their newest shape. A version from before a field moved does not have that path, so it is never
chosen, and every field has the shape of the version that it is written with.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import MAPPING
from gitgpu.model.catalog import Catalog, Facts

OLDEST_API = "2025-08-01"  # the oldest version in which gitgpu writes resources itself
_OPERATOR_VERSION = re.compile(r"v(?:1api)?(\d{4})(\d\d)(\d\d)(preview)?")


class ApiField(NamedTuple):
    """A field by its path in `catalog/arm`: `[]` follows a list, `{}` a map. `value` is None if any version has it."""

    path: str
    value: Any = None

    @property
    def property(self) -> str:
        """The property that the field is, or is a part of."""
        return self.path.partition(".")[0].rstrip("[]{}")


def least_api(catalog: Catalog, resource: str, fields: Iterable[ApiField]) -> str:
    """The oldest version that has all of these fields and their values: a stable one if there is any.

    `resource` is a row of `catalog/arm`, such as agentPools. Raises KeyError for a field that the row does not have.
    """
    row = catalog.must("arm", resource)
    facts = [field_row for field in fields for field_row in _facts(row, field)]
    oldest = {"stable": OLDEST_API, "preview": catalog.must("pools", "aks")["previewApi"]}
    versions = chain.from_iterable(
        (version for version in row["versions"][channel] if version >= oldest[channel]) for channel in oldest
    )
    return next(str(version) for version in versions if all(map(_has(version), facts)))


def operator_api(version: str) -> str:
    """The version of Azure's API that an object of Azure Service Operator is sent to, from its own version.

    v1api20250801 is 2025-08-01, and v20251002preview is 2025-10-02-preview. Raises ValueError for another form.
    """
    match = _OPERATOR_VERSION.fullmatch(version)
    if match is None:
        raise ValueError(version)
    return "-".join(part for part in match.groups() if part)


def unknown_fields(catalog: Catalog, resource: str, fields: Iterable[ApiField], version: str) -> list[ApiField]:
    """Those of the fields that a version of Azure's API does not have, or not with this value."""
    row = catalog.must("arm", resource)
    has = _has(version)
    return [field for field in fields if not all(map(has, _facts(row, field)))]


def fields_of(catalog: Catalog, resource: str, properties: Mapping[str, Any]) -> list[ApiField]:
    """All fields of these properties. `unknown_fields` raises KeyError for one that no version has."""
    found: list[ApiField] = []
    _collect("", properties, catalog.must("arm", resource)["fields"], found)
    return found


def is_preview(version: str) -> bool:
    """Whether a version of Azure's API is a preview."""
    return version.endswith("-preview")


def _facts(row: Facts, field: ApiField) -> list[Facts]:
    """Which versions have the field and, if they differ in that, its value."""
    field_row = row["fields"][field.path]
    values = row["values"].get(field_row["type"], {})
    return [field_row, values[field.value]] if field.value in values else [field_row]


def _has(version: str) -> Callable[[Facts], bool]:
    """Whether a version has a field or a value. Versions are dates, which sort as text."""
    channel = "preview" if is_preview(version) else "stable"

    def has(facts: Facts) -> bool:
        first = facts[channel]
        if not first or first > version:
            return False
        last = facts["last"].get(channel, version) if "last" in facts else version
        return bool(version <= last) and version not in facts.get("without", ())

    return has


def _collect(path: str, value: Mapping[str, Any], known: Facts, found: list[ApiField]) -> None:
    """Adds the fields of a mapping at a path. The path of an element of a list or map is that of the list or map."""
    for key, inner in value.items():
        below = f"{path}.{key}" if path else key
        if isinstance(inner, list | tuple):
            found.append(ApiField(f"{below}[]"))
            _collect_elements(f"{below}[]", inner, known, found)
        elif not isinstance(inner, MAPPING):
            found.append(ApiField(below, inner))
        elif f"{below}{{}}" in known:
            found.append(ApiField(f"{below}{{}}"))
            _collect_elements(f"{below}{{}}", inner.values(), known, found)
        else:
            found.append(ApiField(below))
            _collect(below, inner, known, found)


def _collect_elements(path: str, elements: Iterable[Any], known: Facts, found: list[ApiField]) -> None:
    for element in elements:
        if isinstance(element, MAPPING):
            _collect(path, element, known, found)
        else:
            found.append(ApiField(path, element))
