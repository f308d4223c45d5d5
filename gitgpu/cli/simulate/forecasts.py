"""The forecasts for a fleet, or for manifests named on the command line."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from gitgpu.cli.fleets.findings import findings, validate_fleet
from gitgpu.cli.input.kubernetes import newest
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.input.texts import by_name, read_searched
from gitgpu.cli.settings import fleet_settings, settings_without_fleet
from gitgpu.cli.simulate.arguments import Arguments
from gitgpu.counting import Count, counting
from gitgpu.diagnostic import Diagnostic, Severity, in_order, worst
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.software.cluster_releases import by_project
from gitgpu.objects.crds import read_crds
from gitgpu.objects.grouping.notes import unknown_release_notes
from gitgpu.objects.grouping.unsubstituted import unsubstituted_faults
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.report.findings import Findings
from gitgpu.runs import simulate
from gitgpu.runs.simulate import Assumptions
from gitgpu.runs.validate import refuse_allowances
from gitgpu.simulate.forecast import Forecast
from gitgpu.source import Span
from gitgpu.spelling import join_names

# Errors about the only input, notes if there is other input: templates in a directory, and files without objects.
_TEMPLATE, _PLACEHOLDER, _NO_OBJECT = "LNT001", "LNT002", "LNT003"


class Answer(NamedTuple):
    """The forecasts; if there are none, `reported` says why. `unread` are errors and notes about skipped manifests.

    `fleet` is the name of the fleet, "" for manifests; `paths` are the files and directories with its pools.
    """

    forecasts: list[Forecast]
    reported: Findings
    unread: Findings
    fleet: str = ""
    paths: tuple[str, ...] = ()
    catalog: Catalog | None = None

    @property
    def partial(self) -> bool:
        """Whether a manifest that should have been readable is missing."""
        return worst(self.unread.diagnostics) is Severity.ERROR


class Workloads(NamedTuple):
    """The manifests of `--workloads`, and the faults of those that could not be read."""

    manifests: Manifests
    missing: list[Diagnostic]


def of_fleet(arguments: Arguments, assumptions: Assumptions, read: Workloads, count: Count) -> Answer:
    """The forecasts for a fleet; none if it has errors. `count` gets the number of clusters that are simulated."""
    workloads, missing = read
    settings = fleet_settings(arguments.paths)
    checked = validate_fleet(settings)
    inputs = checked.inputs
    names = [cluster.name for cluster in inputs.clusters] if inputs else []
    picked = arguments.choice.pick(names)
    faults = [*settings.faults, *missing]
    unread = _unread((workloads, arguments.workloads))
    blocking = [] if _has_objects(workloads) else _errors(unread)
    reported = findings(checked, [*faults, *blocking])
    if worst(reported.diagnostics) is Severity.ERROR:
        return Answer([], findings(checked, [*faults, *(blocking or unread.diagnostics)]), unread)
    if inputs is None or not picked:
        faults += [*(blocking or unread.diagnostics), _no_cluster(arguments.choice.globs, names)]
        return Answer([], findings(checked, faults), unread)
    assumptions = _with_catalog_names(assumptions, inputs.catalog)
    try:
        clusters = counting(inputs.clusters_named(picked), count)
        forecasts = list(simulate.of_fleet(inputs, clusters, workloads, assumptions))
    except Exception as error:  # noqa: BLE001  of what an allowed error lets through
        return Answer([], findings(checked, [*faults, *refuse_allowances(checked, error)]), unread)
    return Answer(forecasts, reported, unread, inputs.fleet.name, settings.paths, inputs.catalog)


def of_pools(arguments: Arguments, assumptions: Assumptions, read: Workloads, count: Count) -> Answer:
    """The forecasts for manifests without a fleet; none if they cannot be read."""
    workloads, missing = read
    settings = settings_without_fleet(arguments.pools)
    texts, faults = read_searched(arguments.pools)
    pools, facts = read_manifests(texts, by_name(texts, arguments.pools)), catalog(settings.catalogs)
    crds, broken = read_crds(arguments.crds)
    faults += [*settings.faults, *missing, *facts.files.faults, *broken]
    unread = _unread((pools, arguments.pools), (workloads, arguments.workloads))
    blocking = [] if _has_objects(pools) and _has_objects(workloads) else _errors(unread)
    matching: list[Forecast] = []
    if worst([*faults, *blocking]) is not Severity.ERROR:
        assumptions = _with_catalog_names(assumptions, facts)
        named = arguments.versions or settings.lint.versions
        notes = unknown_release_notes(Contracts(Schemas()), named)
        unread = unread._replace(diagnostics=in_order([*unread.diagnostics, *notes]))
        assumptions = assumptions._replace(kubernetes=newest(facts), crds=tuple(crds), versions=by_project(named))
        forecasts = list(simulate.of_manifests(pools, workloads, facts, assumptions, count))
        names = [forecast.cluster for forecast in forecasts]
        picked = arguments.choice.pick(names)
        matching = [forecast for forecast in forecasts if forecast.cluster in picked]
        if not picked:
            faults.append(_no_cluster(arguments.choice.globs, names))
    reported = in_order([*faults, *(blocking or unread.diagnostics)])
    return Answer(matching, unread._replace(diagnostics=reported), unread, "", arguments.pools, facts)


def _unread(*inputs: tuple[Manifests, Sequence[str]]) -> Findings:
    """What could not be read: invalid YAML, templates, placeholders, other text, missing files of a kustomization.

    Each input has the paths that the user passed.
    """
    reported: list[Diagnostic] = []
    texts: dict[str, str] = {}
    objects = 0
    for manifests, paths in inputs:
        texts.update((text.name, text.content) for text in manifests.texts.values())
        reported += (*manifests.faults, *unsubstituted_faults(manifests), *_without_objects(manifests, paths))
        for file in manifests.files.values():
            reported += file.faults
            objects += len(file.objects)
    notes = (_TEMPLATE, _PLACEHOLDER, _NO_OBJECT)
    faults = [fault for fault in reported if fault.severity is Severity.ERROR or fault.code in notes]
    return Findings(in_order(faults), len(texts), objects, texts)


def _without_objects(manifests: Manifests, paths: Sequence[str]) -> Iterator[Diagnostic]:
    """A note about each file that was passed itself and is empty or has only other text, such as a table of kubectl."""
    for name in by_name(tuple(manifests.texts.values()), paths):
        file = manifests.files[name]
        is_blank = not manifests.texts[name].content.strip()
        if is_blank or (file.others and not file.objects and not file.faults):
            remedy = "pass the manifests, such as the output of `kubectl get -o yaml`"
            yield Diagnostic(_NO_OBJECT, Severity.INFO, "contains no Kubernetes object", remedy, Span(name, 1, 1))


def _errors(unread: Findings) -> list[Diagnostic]:
    """What could not be read, if nothing could: then a note about templates is also an error."""
    return [fault._replace(severity=Severity.ERROR) for fault in unread.diagnostics]


def _has_objects(read: Manifests) -> bool:
    """Whether there is an object among the files, or no file was passed at all."""
    return not read.texts or any(file.objects for file in read.files.values())


def _no_cluster(globs: Sequence[str], names: Sequence[str]) -> Diagnostic:
    selection = " ".join(f"--cluster '{glob}'" for glob in globs)
    message = (
        f"no cluster matches {selection}" if selection else "nothing to simulate: no NodePool or AKS node pool found"
    )
    remedy = "pass a directory with the NodePools of a cluster"
    if names:
        remedy = f"use the name of a cluster: {join_names(names)}"
    return Diagnostic("INP006", Severity.ERROR, message, remedy, Span(""))


def _with_catalog_names(assumptions: Assumptions, catalog: Catalog) -> Assumptions:
    """Replaces sizes and the region by the names that Azure gives them."""
    priced = ((catalog.sku(name), price) for name, price in assumptions.spot.items())
    spot = {sku.name: price for sku, price in priced if sku}
    if len(spot) < len(assumptions.spot):
        unknown = next(name for name in assumptions.spot if catalog.sku(name) is None)
        problem = catalog.unknown_size(unknown)
        raise click.BadParameter(f"'{unknown}' {problem.message}; {problem.remedy}", param_hint="--spot-price")
    return assumptions._replace(spot=spot, region=known_region(assumptions.region, catalog))
