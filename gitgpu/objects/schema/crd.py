"""Contracts from the CRDs of a cluster: structure after defaulting, as the API server checks it, then CEL."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.load.validate.compiler import Dialect, Dialects
from gitgpu.load.validate.formats import FORMATS
from gitgpu.load.validate.linear_regex import has_re2
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.contract import Contract, Scope, contract
from gitgpu.objects.schema.crd_patterns import bound_patterns, bounded_patterns, without_refused_patterns
from gitgpu.objects.schema.crd_validity import is_schema
from gitgpu.objects.schema.rules_of_schema import Node, Rules, with_defaults
from gitgpu.objects.schema.structural import structural_schema

_REMEDY = "change it so that it meets the rule of the CRD"


class Custom(NamedTuple):
    """The contract in a CRD: the structure as a JSON Schema, and the schema itself for defaults and CEL rules.

    `hurried` are patterns that are checked only for short texts, because RE2 is not installed.
    """

    structure: Contract
    schema: Node
    hurried: frozenset[str] = frozenset()

    @property
    def scope(self) -> Scope:
        """The scope of the kind."""
        return self.structure.scope

    @property
    def api_version(self) -> str:
        """The version that the CRD serves under this contract."""
        return self.structure.api_version

    def faults(self, body: Mapping[str, Any], *, patch: bool) -> list[Fault]:
        """Why the API server would reject an object. CEL rules are skipped for patches: they need complete objects."""
        if patch:
            return self.structure.faults(body, patch=True)
        stored = with_defaults(self.schema, without_null(body))
        return self.structure.faults(stored)

    def broken_rules(self, body: Mapping[str, Any], engine: Engine) -> Iterator[Fault]:
        """The CEL rules that a well-formed object violates."""
        for pointer, rule in Rules(self.schema, engine).judge(without_null(body)).broken:
            yield Fault(pointer, rule_text(rule), _REMEDY)


# Contracts in CRDs, by apiVersion and kind. A directory can have several CRDs of one kind.
Definitions: TypeAlias = Mapping[tuple[str, str], tuple[Custom, ...]]


def custom(crds: Iterable[Node], metadata: Node) -> dict[tuple[str, str], Custom]:
    """The contracts of all served versions of these CRDs, by apiVersion and kind. `metadata` is its schema."""
    contracts: dict[tuple[str, str], Custom] = {}
    for crd in crds:
        spec = crd["spec"]
        kind, group, scope = spec["names"]["kind"], spec["group"], Scope(spec["scope"])
        for version in spec["versions"]:
            schema = (version.get("schema") or {}).get("openAPIV3Schema")
            if version.get("served") and isinstance(schema, dict):
                api_version = f"{group}/{version['name']}"
                structure = _structure(schema, (api_version, kind), scope, metadata)
                contracts[api_version, kind] = Custom(structure, schema, bounded_patterns(structure.schema))
    return contracts


def is_usable(crd: Node) -> bool:
    """Whether its schemas can be read at all. Whether they are correct is up to the API server."""
    holders = [version.get("schema") for version in crd["spec"]["versions"]]  # also of versions that are not served
    written_holders = [holder for holder in holders if holder is not None]
    return all(isinstance(holder, dict) and is_schema(holder.get("openAPIV3Schema", {})) for holder in written_holders)


def _structure(schema: Node, name: tuple[str, str], scope: Scope, metadata: Node) -> Contract:
    closed = (without_refused_patterns if has_re2() else bound_patterns)(structural_schema(schema))
    properties = closed.get("properties", {}) | {
        "apiVersion": {"const": name[0]},
        "kind": {"const": name[1]},
        "metadata": metadata,
        "status": {},
    }
    required = sorted({"apiVersion", "kind", "metadata", *closed.get("required", ())} - {"status"})
    whole = closed | {"properties": properties, "required": required}
    return contract(scope, whole, Dialects(Dialect(formats=FORMATS), Dialect(formats=FORMATS, partial=True)))


def rule_text(rule: Node) -> str:
    """What an object that violates a rule does wrong."""
    return rule.get("message") or f"breaks the CRD's rule {rule['rule']}"
