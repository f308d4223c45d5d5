"""What a lint run works with, from the command line and the configuration, and one look with it at some texts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import click

from gitgpu.cli.input.recorded_clusters import versions_of_files
from gitgpu.cli.settings import Settings
from gitgpu.conform import norms
from gitgpu.conform.grouping.judging import LARGE
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Rule, diagnosed
from gitgpu.conform.schema.crd import is_usable
from gitgpu.conform.schema.crd_patterns import refused_patterns
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.jobs import shares, spread, usual
from gitgpu.lint import Asked, Linted, allowances, lint
from gitgpu.load.crds import read_crds
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.schemas import Schemas
from gitgpu.load.values import Values, read_values
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.syntax.version import version
from gitgpu.policy import Policy, commented, settle
from gitgpu.source import Span

WORTHWHILE = 1500  # objects of which the rules take longer than starting a process for each core


class Equipment(NamedTuple):
    """All that a look at texts needs. `version_given`: the command line names the Kubernetes version of all texts."""

    policy: Policy
    asked: Asked
    catalog: Catalog
    crds: Sequence[dict[str, Any]]
    values: Sequence[Values]
    version_given: bool


def equip(where: Settings, named: frozenset[str], options: Mapping[str, Any]) -> tuple[Equipment, list[Diagnostic]]:
    """The equipment, and what of it could not be read; `named` are the files that were asked for by name."""
    config = where.lint
    values, faults = read_values(_pairs(options["values"]) or config.values)
    crds, broken = read_crds(options["crds"] or config.crds)
    usable = [crd for crd in crds if is_usable(crd)]
    broken += [_unusable(crd) for crd in crds if crd not in usable]
    broken += [_refused(crd, *wrong) for crd in usable for wrong in refused_patterns(crd)]
    facts = catalog(where.catalogs)
    known = catalog(()) if facts.files.faults else facts
    faults += [fault for value in values if (fault := _stranger(value.chart, known))]
    asked = Asked(
        options["kubernetes"] or config.kubernetes or newest(known),
        frozenset(kind.strip() for kind in options["skip"].split(",") if kind.strip()) or frozenset(config.skip),
        options["strict"] or config.strict,
        options["ignore_missing"] or config.ignore_missing,
        named,
        options["closed"] or config.closed,
        jobs=options.get("jobs"),
    )
    using = Equipment(where.policy, asked, facts, usable, values, bool(options["kubernetes"]))
    return using, [*faults, *broken, *facts.files.faults]


def look(sheets: Manifests, using: Equipment) -> tuple[tuple[Diagnostic, ...], Linted]:
    """The findings to report, and the result of lint. With a broken row in the catalog, nothing is checked."""
    if using.catalog.files.faults:
        return (), Linted((), 0, 0)
    measure = norms(Schemas(), using.catalog, using.policy.today, using.crds)
    measure = replace(measure, judge=partial(_judged, using.asked.jobs))
    locked = using.asked.locked if using.version_given else versions_of_files(sheets.texts.values())
    asked = using.asked._replace(locked=locked)
    linted = lint(sheets, using.values, measure, asked)
    texts = (*sheets.texts.values(), *(values.text for values in using.values))
    written = [*commented({text.name: text.content for text in texts}), *allowances(sheets)]
    return tuple(settle(linted.diagnostics, written, using.policy)), linted


def _judged(jobs: int | None, rules: Sequence[Rule], objects: Objects) -> list[Diagnostic]:
    """What the rules say of objects: of many, each process asks its share of the rules."""
    enough = len(objects.items) >= LARGE
    number = usual(len(objects.items), WORTHWHILE) if jobs is None else jobs
    parts = shares(len(rules), number if enough else 1)
    found = spread(lambda part: diagnosed(rules[slice(*part)], objects), parts, number if enough else 1)
    return [fault for part in found for fault in part]


def newest(catalog: Catalog) -> str:
    """The newest Kubernetes version that AKS offers to everybody."""
    rows = catalog.rows("kubernetes").items()
    return max((name for name, row in rows if row["aks"]["status"] == "ga"), key=version)


def _unusable(crd: Mapping[str, Any]) -> Diagnostic:
    name = crd["spec"]["names"]["kind"]
    remedy = "export it from a cluster: kubectl get crds -o yaml"
    return Diagnostic(
        "CRD001", Severity.ERROR, f"the schema of the CRD of {name} cannot be read", remedy, Span("", 0, 0)
    )


def _refused(crd: Mapping[str, Any], pattern: str, reason: str) -> Diagnostic:
    message = f"the API server rejects the CRD of {crd['spec']['names']['kind']}: pattern {pattern!r}: {reason}"
    remedy = "write the pattern in RE2's syntax, which has no look-around and no back-references"
    return Diagnostic("CRD001", Severity.ERROR, message, remedy, Span("", 0, 0))


def _stranger(chart: str, catalog: Catalog) -> Diagnostic | None:
    """A chart that no rule knows: its values would be passed over in silence."""
    charts = sorted(row["chart"] for row in catalog.rows("charts").values())
    if chart in charts:
        return None
    remedy = f"the known charts are {', '.join(charts)}"
    return Diagnostic("LNT007", Severity.ERROR, f"unknown chart '{chart}'", remedy, Span("", 0, 0))


def _pairs(given: Sequence[str]) -> list[tuple[str, str]]:
    for text in given:
        if "=" not in text:
            message = f"'{text}' is not CHART=FILE, such as gpu-operator=values.yaml"
            raise click.BadParameter(message, param_hint="--values")
    return [(chart, file) for chart, _, file in (name.partition("=") for name in given)]
