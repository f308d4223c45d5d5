"""The CEL rules of upstream CRDs by release, for `_cel.json` among the contracts.

Each kind has a schema that keeps rules, and the defaults that the API server fills in before it evaluates them. Rules
that compare with the older object are left out. `tools/rules.yaml` says each rule in our words.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import yaml

from gitgpu.load.validate.releases import CHANGED
from gitgpu.load.validate.subschemas import children
from gitgpu.objects.schema.cel_rules import CODES
from gitgpu.objects.schema.rules_of_schema import RULES
from tools.contract_releases import join_releases

Node: TypeAlias = dict[str, Any]

LIST = Path(__file__).with_name("rules.yaml")
_DEFAULT = "default"
_PARTS = ("items", "additionalProperties")


class Served(NamedTuple):
    """The CRDs of a kind in a release of its project: its own one, and that of the provider for Azure."""

    number: str
    own: Node | None
    of_provider: Node | None = None


def joined_rules(releases: Sequence[Served], version: str) -> Node:
    """The rules of all releases of a kind, oldest first, as one schema; {} if there are none.

    A release without a CRD of the provider gets the rules that only the provider has, as its last release has them: on
    AKS, both apply.
    """
    in_core = frozenset[str]().union(*(texts(rules_of(release.own, version)) for release in releases if release.own))
    changed: list[str] = []
    schemas: list[Node] = []
    last_of_provider: Node = {}
    for release in releases:
        if release.of_provider:
            last_of_provider = rules_of(release.of_provider, version)
        rules = rules_of(release.own, version) if release.own else last_of_provider
        rules = merged(rules, _without(last_of_provider, in_core))
        if not schemas or rules != schemas[-1]:
            changed.append(release.number)
            schemas.append(rules)
    joined = join_releases(schemas, changed)
    return {CHANGED: changed} | joined if any(schemas) else {}


def rules_of(crd: Node, version: str) -> Node:
    """A version of a kind with nothing but its rules and the defaults that they depend on."""
    served = next(item for item in crd["spec"]["versions"] if item["name"] == version)
    schema: Node = served["schema"]["openAPIV3Schema"]
    return _rules(schema | {"properties": {key: part for key, part in schema["properties"].items() if key != "status"}})


def _rules(schema: Node, *, below: bool = False) -> Node:
    """A part with nothing but rules and defaults. A default matters only to a rule above it (`below`)."""
    rules = [_told(rule["rule"]) for rule in schema.get(RULES, ()) if "oldSelf" not in rule["rule"]]
    kept = {key: schema[key] for key in ("properties", *_PARTS) if key in schema}
    done = children(kept, lambda part, _: _rules(part, below=below or bool(rules)))
    fields = {name: part for name, part in done.pop("properties", {}).items() if part}
    rest = {key: part for key, part in done.items() if part and isinstance(part, dict)}
    default = {_DEFAULT: schema[_DEFAULT]} if below and _DEFAULT in schema else {}
    return ({"properties": fields} if fields else {}) | rest | default | ({RULES: rules} if rules else {})


def _told(rule: str) -> Node:
    row = told().get(rule_id(rule), {})
    said = {"message": row["message"]} if row else {}
    return {"rule": rule} | said | ({CODES: row["codes"]} if row.get("codes") else {})


def rule_id(rule: str) -> str:
    """The name of a rule: the first ten digits of the SHA-256 of its text."""
    return sha256(rule.encode()).hexdigest()[:10]


@cache
def told() -> dict[str, Node]:
    """What each rule says in our words, and the codes of our rules that report the same, by the name of the rule."""
    rows = yaml.load(LIST.read_text("utf-8"), yaml.CSafeLoader)
    return {name: row for row in rows for name in row["rules"]}


def merged(first: Node, other: Node) -> Node:
    """The rules of two schemas, with the defaults of the first."""
    result = dict(first)
    for key, value in other.items():
        if key == "properties":
            fields: Node = first.get(key, {})
            result[key] = fields | {name: merged(fields.get(name, {}), part) for name, part in value.items()}
        elif key in _PARTS:
            result[key] = merged(first.get(key, {}), value)
        elif key == RULES:
            result[key] = [*first.get(key, ()), *(rule for rule in value if rule not in first.get(key, ()))]
    return result


def _without(part: Node, unwanted: frozenset[str]) -> Node:
    """The rules of a schema without these, and without defaults."""
    rules = [rule for rule in part.get(RULES, ()) if rule["rule"] not in unwanted]
    kept = {key: value for key, value in part.items() if key not in (RULES, _DEFAULT)}
    done = children(kept, lambda below, _: _without(below, unwanted))
    return done | ({RULES: rules} if rules else {})


def texts(part: Node) -> frozenset[str]:
    """The texts of all rules of a schema."""
    below: Iterable[Node] = [*part.get("properties", {}).values(), *(part[key] for key in _PARTS if key in part)]
    return frozenset(rule["rule"] for rule in part.get(RULES, ())).union(*map(texts, below))
