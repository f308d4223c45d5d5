"""Finds the contract of a kind by its apiVersion and its name.

A kind has gitgpu's own contract (reduced from its CRDs), or the schema of its Kubernetes minor version, read as data.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Protocol

from gitgpu.load.schemas import RELEASES
from gitgpu.load.validate.compiler import Dialect, Dialects
from gitgpu.load.validate.formats import INTEGERS
from gitgpu.load.validate.keywords import Check
from gitgpu.load.validate.releases import CHANGED
from gitgpu.model.names.kinds import RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE
from gitgpu.objects.schema.contract import Contract, Scope, api_group, contract
from gitgpu.objects.schema.release_list import ReleaseList
from gitgpu.objects.schema.variants import OWN, variants_of
from gitgpu.spelling import nearest

KINDS = "_kinds"  # the document that says which built-in kinds are cluster-scoped, and how objects are named
ANY = "_object"  # the contract of a kind without a schema: only its metadata is checked
_CUTOFF = 0.85  # the least similarity of a misspelled kind; two kinds, GitRepository and OCIRepository, have 0.846
_LETTERS = 2  # the most letters that a misspelling adds or drops: PrometheusRule is not a misspelled Prometheus
_NAME = re.compile(r"[a-z0-9._-]+\Z")  # of a document; other texts in a manifest cannot be the name of a file
_DEFINITION = re.compile(r'\n    "([^"\n]+)": \{')  # the first line of each, as json.dumps indents the document
# Kinds whose schemas up to Kubernetes 1.36 require a spec, although the API server accepts the objects without it.
_WITHOUT_SPEC = frozenset({RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE})
_BUILT_IN: Mapping[str, Check] = {
    **INTEGERS,
    **dict.fromkeys(("byte", "double", "date-time"), lambda _: True),
}


class SchemaSource(Protocol):
    """Where schema documents come from; `load.schemas.Schemas` reads them from disk."""

    def contract(self, name: str) -> dict[str, Any] | None:
        """One of our contracts by `<group>_<kind>`."""
        ...

    def contracts(self) -> tuple[str, ...]:
        """The names of all our contracts."""
        ...

    def built_in_names(self, minor: str) -> tuple[str, ...]:
        """The names of all files of the bundled schemas of a Kubernetes minor version."""
        ...

    def built_in_file(self, minor: str, name: str) -> str | None:
        """The text of a file of the bundled schemas of a Kubernetes minor version."""
        ...

    def minors(self) -> tuple[str, ...]:
        """The bundled Kubernetes minor versions, oldest first."""
        ...

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Contracts:
    """Finds contracts. They are compiled once per process, even with several instances."""

    source: SchemaSource
    nearest: dict[str, str] = field(default_factory=dict)

    def find(self, minor: str, api_version: str, kind: str) -> Contract:
        """The contract of a kind in a bundled Kubernetes minor version."""
        ours = self._ours(api_version, kind) if "/" in api_version else None
        return ours or _built_in(self.source, minor, api_version, kind) or _own(self.source, ANY)  # type: ignore[return-value]

    def _ours(self, api_version: str, kind: str) -> Contract | None:
        """Our own contract of a kind: that of its version, if other fields are valid there than in the usual one."""
        group, _, version = api_version.rpartition("/")
        name = f"{group}_{kind.lower()}"
        return _own(self.source, f"{name}_{version}") or _own(self.source, name)

    @property
    def release_lists(self) -> Mapping[str, Any]:
        """The lists of the releases of all projects, as data."""
        return self.source.contract(RELEASES) or {}

    @property
    def metadata(self) -> dict[str, Any]:
        """The schema of the metadata of every object."""
        schema: dict[str, Any] = (self.source.contract(ANY) or {}).get("properties", {}).get("metadata", {})
        return schema

    def projects(self) -> list[str]:
        """The projects whose releases are known."""
        return sorted(name for name in self.release_lists if name[0] != "$")

    @property
    def last_checked(self) -> str:
        """The day on which newer releases were last looked for."""
        return str(self.release_lists["$verified"])

    def releases(self, project: str) -> ReleaseList:
        """The releases of a project that has contracts."""
        row = self.release_lists[project]
        return ReleaseList(row["name"], row["releases"])

    def since(self, minor: str, api_version: str, kind: str) -> str:
        """The first bundled Kubernetes minor version after this one that has a built-in kind; "" if there is none."""
        later = (name for name in self.source.minors() if _minor(name) > _minor(minor))
        return next((name for name in later if _built_in(self.source, name, api_version, kind)), "")

    def similar_kind(self, minor: str, api_version: str, kind: str) -> str:
        """A kind of the same group with nearly this name; "" if there is none."""
        return self._near_own(api_version, kind) or self._near_built_in(minor, api_version, kind)

    def _near_built_in(self, minor: str, api_version: str, kind: str) -> str:
        group, _, version = api_version.rpartition("/")
        ending = "".join(f"-{part}" for part in (group.partition(".")[0], version) if part)
        names = [name for name in self.source.built_in_names(minor) if name.endswith(ending)]
        close = _slipped(kind.lower(), [name.removesuffix(ending) for name in names])
        contract = _built_in(self.source, minor, api_version, close) if close else None
        return str(contract.schema["properties"]["kind"]["enum"][0]) if contract else ""

    def _near_own(self, api_version: str, kind: str) -> str:
        prefix = f"{api_group(api_version)}_"
        names = [name.removeprefix(prefix) for name in self.source.contracts() if name.startswith(prefix)]
        close = _slipped(kind.lower(), names)
        contract = _own(self.source, prefix + close) if close else None
        return str(contract.schema["properties"]["kind"]["const"]) if contract else ""

    def has_group(self, api_version: str) -> bool:
        """Whether our contracts describe kinds of this group."""
        return any(name.startswith(f"{api_group(api_version)}_") for name in self.source.contracts())

    def of_other_groups(self, api_version: str, kind: str) -> list[str]:
        """The apiVersions of our contracts of a kind, if only other groups have it; [] if none has, or its own does."""
        end = f"_{kind.lower()}"
        names = [name for name in self.source.contracts() if name.endswith(end) and name[0] != "_"]
        found = [contract.api_version for contract in map(partial(_own, self.source), names) if contract]
        return found if api_group(api_version) not in map(api_group, found) else []

    def clamp(self, kubernetes: str) -> str:
        """The bundled minor version nearest to a Kubernetes version such as "1.34" or "v1.34.2"."""
        if kubernetes not in self.nearest:
            wanted = _minor(kubernetes)
            self.nearest[kubernetes] = min(self.source.minors(), key=lambda minor: abs(_minor(minor) - wanted))
        return self.nearest[kubernetes]

    def has(self, kubernetes: str) -> bool:
        """Whether exactly this Kubernetes minor version is bundled."""
        return _minor(self.clamp(kubernetes)) == _minor(kubernetes)


@cache
def _own(source: SchemaSource, name: str) -> Contract | None:
    schema = source.contract(name) if _NAME.match(name) else None
    if schema is None:
        return None
    common = contract(Scope(schema["x-gitgpu-scope"]), schema, OWN)
    if len(schema.get(CHANGED, ())) < 2:
        return common
    variants = variants_of(schema)
    newest_first = variants[::-1]
    return common._replace(
        whole=lambda body: common.whole(body) or any(variant.whole(body) for variant in newest_first),
        part=lambda body: common.part(body) or any(variant.part(body) for variant in newest_first),
        variants=variants,
        everywhere=(common.whole, common.part),
    )


@cache
def _built_in(source: SchemaSource, minor: str, api_version: str, kind: str) -> Contract | None:
    group, _, version = api_version.rpartition("/")
    name = "-".join(part for part in (kind.lower(), group.partition(".")[0], version) if part)
    text = source.built_in_file(minor, name) if _NAME.match(name) else None
    schema = json.loads(text) if text else {}
    # The file name has only the first label of the group: apps.example.com is not apps.
    if api_version not in schema.get("properties", {}).get("apiVersion", {}).get("enum", ()):
        return None
    kinds = source.contract(KINDS) or {}
    scope = Scope.CLUSTER if f"{group}/{kind}".lstrip("/") in kinds["cluster"] else Scope.NAMESPACED
    dialects = _shared_dialects(source, minor)
    if (group, kind) in _WITHOUT_SPEC:
        schema = _without_required_spec(schema, _definitions_of(source, minor))
    return contract(scope, schema, dialects)


def _without_required_spec(schema: dict[str, Any], definition: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """A schema in which spec, and the spec in it, can be missing."""
    spec = definition(schema["properties"]["spec"]["$ref"])
    for each in (schema, spec):
        each["required"] = [key for key in each.get("required", ()) if key != "spec"]
    return schema | {"properties": schema["properties"] | {"spec": spec}}


@cache
def _definitions_of(source: SchemaSource, minor: str) -> Callable[[str], dict[str, Any]]:
    return _definitions(lambda: source.built_in_file(minor, "_definitions") or "{}")


@cache
def _shared_dialects(source: SchemaSource, minor: str) -> Dialects:
    resolve = _definitions_of(source, minor)
    return Dialects(Dialect(resolve, _BUILT_IN, compiled={}), Dialect(resolve, _BUILT_IN, partial=True, compiled={}))


def _slipped(kind: str, names: list[str]) -> str:
    """The known kind that this one must be a misspelling of, or "". The lists do not have all kinds of a group."""
    return nearest(kind, [name for name in names if abs(len(name) - len(kind)) <= _LETTERS], _CUTOFF)


def _minor(version: str) -> int:
    match = re.match(r"v?1\.([0-9]+)", version)
    return int(match[1]) if match else 0


def _definitions(read: Callable[[], str]) -> Callable[[str], dict[str, Any]]:
    """Resolves references to the definitions of a Kubernetes version, parsing only those that are needed."""
    decode = json.JSONDecoder().raw_decode

    @cache
    def starts() -> dict[str, int]:
        return {match[1]: match.end() - 1 for match in _DEFINITION.finditer(read())}

    def resolve(reference: str) -> dict[str, Any]:
        name = reference.rpartition("/")[2]
        start = starts().get(name)
        schema: dict[str, Any] = decode(read(), start)[0] if start else json.loads(read())["$defs"][name]
        return schema

    return resolve
