"""The CRDs among the manifests: which known releases they are from, or that they are newer than all of them.

Few CRDs name their release, so the names of their fields and the values of their enumerations are compared with those
of each release that contracts know.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeAlias

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.load.validate.compiler import Resolve, local_references
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.crds import is_whole
from gitgpu.objects.schema.contract import Contract
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.crd import Custom, Definitions, custom, is_usable
from gitgpu.objects.schema.crd_validity import is_schema

Names: TypeAlias = frozenset[tuple[str, ...]]  # the paths of fields, and with `=`, the values of an enumeration
_OWN = ("apiVersion", "kind", "metadata", "status")
_MAX_DEPTH = 40  # of a schema that contains itself


def defined_releases(crds: Iterable[Mapping[str, Any]], contracts: Contracts) -> Versions:
    """The known releases of each project that have exactly these CRDs. Projects without such a release are omitted."""
    found: dict[str, frozenset[str]] = {}
    for crd in crds:
        spec = mapping_at(crd, "spec")
        kind = text_at(spec, "names", "kind")
        for version in rows(spec, "versions"):
            api_version = f"{text_at(spec, 'group')}/{text_at(version, 'name')}"
            contract = contracts.find("", api_version, kind)
            schema = mapping_at(version, "schema", "openAPIV3Schema")
            if contract.variants and contract.api_version == api_version and is_schema(schema):
                releases = frozenset(_with_names(contract, _names_in(schema), contracts))
                found[contract.project] = found.get(contract.project, releases) & releases
    return tuple((project, tuple(sorted(numbers))) for project, numbers in sorted(found.items()) if numbers)


def newer_definitions(crds: Iterable[dict[str, Any]], contracts: Contracts) -> Definitions:
    """The contracts in CRDs that are newer than those of gitgpu.

    They serve a version without a contract, or have names that no known release has.
    """
    newer: dict[tuple[str, str], tuple[Custom, ...]] = {}
    usable = (crd for crd in crds if is_whole(crd.get("spec")) and is_usable(crd))
    for crd in usable:
        for name, definition in custom([crd], contracts.metadata).items():
            contract = contracts.find("", *name)
            if contract.api_version != name[0] or _names_in(definition.schema) - _known_names(contract):
                newer[name] = (*newer.get(name, ()), definition)
    return newer


def _known_names(contract: Contract) -> Names:
    """The names in the contracts of all releases."""
    schemas = [variant.schema() for variant in contract.variants] or [contract.schema]
    return frozenset(chain.from_iterable(map(_names_in, schemas)))


def _with_names(contract: Contract, names: Names, contracts: Contracts) -> Iterator[str]:
    """The releases whose contract has these names."""
    releases = contracts.releases(contract.project)
    starts = [variant.since for variant in contract.variants]
    same = [names == _names_in(variant.schema()) for variant in contract.variants]
    having = releases.since(starts[0])
    yield from (number for number in releases.dates if number in having and same[releases.range_of(number, starts)])


def _names_in(schema: Mapping[str, Any]) -> Names:
    resolve = local_references(schema)
    return frozenset(name for name in _walk(schema, (), resolve) if name[0] not in _OWN)


def _walk(part: Any, path: tuple[str, ...], resolve: Resolve) -> Iterator[tuple[str, ...]]:
    if "$ref" in part:
        part = resolve(part["$ref"])
    if len(path) > _MAX_DEPTH:
        return
    if path and "enum" in part:
        yield from ((*path, "=", str(value)) for value in part["enum"])
    for name, field in (part.get("properties") or {}).items():
        yield (*path, name)
        yield from _walk(field, (*path, name), resolve)
    for key, name in (("items", "[]"), ("additionalProperties", "{}")):
        below = part.get(key)
        if isinstance(below, Mapping):
            yield from _walk(below, (*path, name), resolve)
