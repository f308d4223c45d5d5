"""What a simulation works on: a fleet, or somebody's own manifests, as the command line names them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from gitgpu import rehearse
from gitgpu.cli.choice import Choice
from gitgpu.cli.linting import newest
from gitgpu.cli.outcome import findings, settled
from gitgpu.cli.piped import read_named
from gitgpu.cli.setting import Chosen, bare, setting
from gitgpu.diagnostic import Diagnostic, Severity, in_order, worst
from gitgpu.front import validate
from gitgpu.load.catalog import CatalogFiles
from gitgpu.load.sheets import Sheets, read_sheets
from gitgpu.model.catalog import Catalog
from gitgpu.rehearse import Asked
from gitgpu.report.findings import Findings
from gitgpu.simulate.outcome import Forecast
from gitgpu.source import Span


class Wanted(NamedTuple):
    """The command line of a simulation."""

    paths: tuple[str, ...]
    workloads: tuple[str, ...]
    pools: tuple[str, ...]
    globs: tuple[str, ...]
    asked: Asked


def of_fleet(wanted: Wanted, beside: Sheets, unread: list[Diagnostic]) -> tuple[list[Forecast], Findings]:
    """The forecasts of a fleet; none where anything is wrong with it."""
    where = setting(wanted.paths, Chosen())
    checked = settled(where.policy)(validate(where.paths, where.catalogs))
    inputs = checked.inputs
    clusters = inputs.clusters if inputs else ()
    picked = Choice(wanted.globs).pick([one.name for one in clusters])
    faults = [*where.faults, *unread, *_wrong(beside), *_nothing(wanted.globs, picked, bool(inputs))]
    told = findings(checked, faults)
    if inputs is None or worst(told.diagnostics) is Severity.ERROR:
        return [], told
    asked = _spelt(wanted.asked, inputs.catalog)
    return list(rehearse.of_fleet(inputs, [one for one in clusters if one.name in picked], beside, asked)), told


def of_pools(wanted: Wanted, beside: Sheets, unread: list[Diagnostic]) -> tuple[list[Forecast], Findings]:
    """The forecasts of somebody's own manifests; none where they cannot be read."""
    where = bare(Chosen())
    texts, faults = read_named(wanted.pools)
    pools, catalog = read_sheets(texts), Catalog(CatalogFiles(where.catalogs))
    catalog.files.read_own()
    faults += [*where.faults, *unread, *_wrong(pools), *_wrong(beside), *catalog.files.faults]
    objects = sum(len(sheet.objects) for sheet in pools.sheets.values())
    if worst(faults) is not Severity.ERROR:
        asked = _spelt(wanted.asked, catalog)._replace(kubernetes=newest(catalog))
        every = list(rehearse.of_manifests(pools, beside, catalog, asked))
        picked = Choice(wanted.globs).pick([one.cluster for one in every])
        faults += _nothing(wanted.globs, picked, True)
        found = [one for one in every if one.cluster in picked]
    else:
        found = []
    sources = {text.name: text.content for text in (*pools.texts.values(), *beside.texts.values())}
    return found, Findings(in_order(faults), len(texts), objects, sources)


def _wrong(sheets: Sheets) -> Iterator[Diagnostic]:
    """What could not be read: text that is no YAML, templates, placeholders."""
    yield from sheets.faults
    for sheet in sheets.sheets.values():
        yield from (one for one in sheet.faults if one.severity is Severity.ERROR)


def _nothing(globs: Sequence[str], picked: Sequence[str], known: bool) -> list[Diagnostic]:
    if picked or not known:
        return []
    asked = " ".join(f"--cluster '{glob}'" for glob in globs)
    message = (
        f"no cluster matches {asked}" if asked else "no NodePool or node pool of AKS here, and so nothing to simulate"
    )
    remedy = "name a directory with the manifests of a cluster's pools"
    return [Diagnostic("INP006", Severity.ERROR, message, remedy, Span("", 0, 0))]


def _spelt(asked: Asked, catalog: Catalog) -> Asked:
    """Sizes and the region by the names that Azure gives them."""
    known = ((catalog.sku(name), price) for name, price in asked.spot.items())
    spot = {sku.name: price for sku, price in known if sku}
    if len(spot) < len(asked.spot):
        strange = next(name for name in asked.spot if catalog.sku(name) is None)
        raise click.BadParameter(f"'{strange}' is no GPU size that the catalog knows", param_hint="--spot-price")
    return asked._replace(spot=spot, region=_region(asked.region, catalog))


def _region(text: str, catalog: Catalog) -> str:
    name = text.lower().replace(" ", "")
    if name and catalog.facts("regions", name) is None:
        near = catalog.near("regions", name)
        hint = f"; did you mean {near}?" if near else ""
        raise click.BadParameter(f"'{text}' is no region that the catalog knows{hint}", param_hint="--region")
    return name
