"""Builds the same fleet with two catalogs, and compares the results."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from gitgpu.cli.catalog.diff.older_catalog import OlderCatalog
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.settings import Settings
from gitgpu.compare.facts import row_changes, used_changes
from gitgpu.compare.newer_drivers import newer_drivers, nodes_in
from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.documents import Document
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.report.catalog.diff import CatalogDiff
from gitgpu.report.comparison.planned import Planned
from gitgpu.rules.inputs.catalog_notes import old_facts
from gitgpu.runs.baseline import baseline_of
from gitgpu.runs.build import build
from gitgpu.runs.plan import plan_catalogs
from gitgpu.runs.validate import read_fleet


class Compared(NamedTuple):
    """The difference; empty if there are faults. Then `description` names the catalog that causes them."""

    diff: CatalogDiff
    description: str = ""
    faults: tuple[Diagnostic, ...] = ()


def compare_builds(
    settings: Settings, older: OlderCatalog, choice: ClusterSelection, nodes: Sequence[Document]
) -> Compared:
    """The fleet built with the older catalog and with the current one; `nodes` are documents of running nodes."""
    options = settings.fleet
    older_fleet = read_fleet(settings.paths, options._replace(catalogs=older.folders))
    newer_fleet = read_fleet(settings.paths, options)
    fleets = (older_fleet, newer_fleet)
    first, second = (build(fleet, choice.pick(fleet.cluster_names), settings.policy) for fleet in fleets)
    before, after = (built.checked.inputs for built in (first, second))
    if after is not None and not second.errors:
        choice.require([cluster.name for cluster in after.clusters])
    diff = CatalogDiff((), 0, Planned((), older.description))
    if after is not None:
        rows, others = used_changes(row_changes(CatalogFiles(older.folders), CatalogFiles(settings.catalogs)), after)
        running = chain.from_iterable(nodes_in(*document) for document in nodes)
        notes = (*old_facts(after), *newer_drivers(running, after))
        diff = CatalogDiff(rows, others, diff.plan, notes)
    if before is None or first.errors:
        return Compared(diff, older.description, first.errors)
    if after is None or second.errors:
        return Compared(diff, "the newer catalog", second.errors)
    plan, unread = plan_catalogs(baseline_of(first, older.description), second, before.catalog, after)
    return Compared(diff._replace(plan=plan), faults=unread)
