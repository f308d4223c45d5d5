"""What a lint run needs, from the command line and the configuration: options, catalog, CRDs and values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.cli.input.kubernetes import newest
from gitgpu.cli.input.pairs import pair
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.helm_values import read_values
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.objects.crds import read_crds
from gitgpu.objects.safeguards import Safeguards
from gitgpu.objects.schema.crd import is_usable
from gitgpu.objects.schema.crd_patterns import refused_patterns
from gitgpu.runs.lint import LintOptions
from gitgpu.runs.lint_files import LintInputs
from gitgpu.source import Span

_VALUES_FORM = "CHART=FILE, such as gpu-operator=values.yaml"


class Overrides(NamedTuple):
    """What the command line sets; empty, None or false if the configuration decides."""

    kubernetes: str | None = None
    versions: tuple[tuple[str, str], ...] = ()
    crds: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    skip: str = ""
    automatic: bool = False
    strict: bool = False
    ignore_missing: bool = False
    closed: bool = False
    jobs: int | None = 1


NOTHING = Overrides()


def read_inputs(
    settings: Settings, named: frozenset[str], overrides: Overrides = NOTHING
) -> tuple[LintInputs, list[Diagnostic]]:
    """What lint needs, and the faults of files that could not be read. `named` are files passed explicitly."""
    config = settings.lint
    named_values = [pair(entry, "--values", _VALUES_FORM) for entry in overrides.values]
    values, faults = read_values(named_values or config.values)
    crds, broken = _usable_crds(overrides.crds or config.crds)
    configured = catalog(settings.catalogs)
    # With a broken row, nothing is checked. Names and versions are still looked up, in gitgpu's own rows.
    readable = catalog(()) if configured.files.faults else configured
    faults += filter(None, (_unknown_chart(value.chart, readable) for value in values))
    lint_options = LintOptions(
        kubernetes=overrides.kubernetes or config.kubernetes or newest(readable),
        skip=frozenset(kind.strip() for kind in overrides.skip.split(",") if kind.strip()) or frozenset(config.skip),
        strict=overrides.strict or config.strict,
        ignore_missing=overrides.ignore_missing or config.ignore_missing,
        named=named,
        closed=overrides.closed or config.closed,
        jobs=overrides.jobs,
    )
    inputs = LintInputs(
        settings.policy,
        lint_options,
        configured,
        crds,
        values,
        version_given=bool(overrides.kubernetes),
        versions=overrides.versions or config.versions,
        safeguards=Safeguards(config.excluded) if overrides.automatic or config.automatic else None,
    )
    return inputs, [*faults, *broken, *configured.files.faults]


def _usable_crds(paths: Sequence[str]) -> tuple[list[dict[str, Any]], list[Diagnostic]]:
    """The CRDs with usable schemas, and the faults of all CRDs."""
    crds, faults = read_crds(paths)
    usable = [crd for crd in crds if is_usable(crd)]
    faults += [_schema_fault(crd) for crd in crds if crd not in usable]
    for crd in usable:
        faults += [_pattern_fault(crd, *wrong) for wrong in refused_patterns(crd)]
    return usable, faults


def _schema_fault(crd: Mapping[str, Any]) -> Diagnostic:
    name = crd["spec"]["names"]["kind"]
    remedy = "export it from a cluster: kubectl get crds -o yaml"
    return Diagnostic("CRD001", Severity.ERROR, f"the schema of the CRD of {name} cannot be read", remedy, Span(""))


def _pattern_fault(crd: Mapping[str, Any], pattern: str, reason: str) -> Diagnostic:
    message = f"the API server rejects the CRD of {crd['spec']['names']['kind']}: pattern {pattern!r}: {reason}"
    remedy = "write the pattern in RE2's syntax, which has no look-around and no back-references"
    return Diagnostic("CRD001", Severity.ERROR, message, remedy, Span(""))


def _unknown_chart(chart: str, catalog: Catalog) -> Diagnostic | None:
    """The fault of an unknown chart: no rule would check its values."""
    charts = sorted(row["chart"] for row in catalog.rows("charts").values())
    if chart in charts:
        return None
    remedy = f"use one of {', '.join(charts)}"
    return Diagnostic("LNT007", Severity.ERROR, f"unknown chart '{chart}'", remedy, Span(""))
