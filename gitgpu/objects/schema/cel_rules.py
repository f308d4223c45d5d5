"""The CEL rules of upstream CRDs, by kind and release. `tools/contract_rules.py` derives the document."""

from functools import cache
from typing import Any, NamedTuple

from gitgpu.load.validate.releases import CHANGED, schema_of_release
from gitgpu.objects.schema.contracts import SchemaSource

DOCUMENT = "_cel"  # among the contracts: for each of them with rules, a schema with rules and defaults only

CODES = "x-gitgpu-codes"  # of a rule: our rules that report the same


class RuleVariant(NamedTuple):
    """The rules of a kind since a release, until the next one that changes them, with the defaults they depend on."""

    since: str
    schema: dict[str, Any]


@cache
def rule_variants(source: SchemaSource, name: str) -> tuple[RuleVariant, ...]:
    """The rules of the contract `<group>_<kind>`, oldest first; () if it has none."""
    row = (source.contract(DOCUMENT) or {}).get(name, {})
    changed = row.get(CHANGED, ())
    return tuple(RuleVariant(number, schema_of_release(row, at, changed)) for at, number in enumerate(changed))
