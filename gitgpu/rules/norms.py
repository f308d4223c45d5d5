"""The norms of this release: all contracts, all rules, and the catalog."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gitgpu.model.catalog import Catalog
from gitgpu.objects.norms import Norms
from gitgpu.objects.schema.contracts import KINDS, Contracts, SchemaSource
from gitgpu.objects.schema.crd import custom
from gitgpu.rules.clean_folders import diagnose_once
from gitgpu.rules.object_rule import diagnose_all
from gitgpu.rules.object_rulebook import rules_about_ours, rules_for


def norms(source: SchemaSource, catalog: Catalog, today: str = "", crds: Iterable[dict[str, Any]] = ()) -> Norms:
    """The norms of this release: all contracts, all rules, and the catalog. `today` is an ISO date, or "" if unknown.

    For the kinds in `crds`, their schemas have priority over those of this release.
    """
    kinds = source.contract(KINDS) or {}
    contracts = Contracts(source)
    custom_contracts = custom(crds, contracts.metadata)
    return Norms(contracts, catalog, kinds, rules_for, diagnose_all, today, custom=custom_contracts)


def own_norms(source: SchemaSource, catalog: Catalog) -> Norms:
    """The norms for gitgpu's own output: whether it is valid and works. Fleet rules report unwise choices instead."""
    return replace(norms(source, catalog), rules=rules_about_ours, judge=diagnose_once, ours=True, of_fleet=True)
