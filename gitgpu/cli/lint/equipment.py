"""What a lint run needs, from the command line and the configuration: options, catalog, CRDs and values. Runs it."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.adopt.reading.bare_values import bare_values
from gitgpu.cli.input.kubernetes import newest
from gitgpu.cli.input.pairs import pair
from gitgpu.cli.lint.arguments import Arguments
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.jobs import processes, shares, spread
from gitgpu.load.schemas import Schemas
from gitgpu.load.values import Values, read_values
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.objects.crds import read_crds
from gitgpu.objects.grouping.parallel import MIN_LARGE
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Objects
from gitgpu.objects.schema.crd import is_usable
from gitgpu.objects.schema.crd_patterns import refused_patterns
from gitgpu.policy import Policy, comment_allowances, settle
from gitgpu.rules.norms import norms
from gitgpu.rules.object_rule import Rule, diagnose_all
from gitgpu.runs.lint import LintOptions, LintResult, allowances, lint
from gitgpu.source import Span
from gitgpu.write.recorded_clusters import versions_of_files

MIN_PARALLEL = 1500  # the number of objects that take longer to check than a process for each core takes to start
_VALUES_FORM = "CHART=FILE, such as gpu-operator=values.yaml"


class Equipment(NamedTuple):
    """Everything that lint needs. With `version_given`, the command line sets the Kubernetes version of all files."""

    policy: Policy
    options: LintOptions
    catalog: Catalog
    crds: Sequence[dict[str, Any]]
    values: Sequence[Values]
    version_given: bool


def equip(settings: Settings, named: frozenset[str], arguments: Arguments) -> tuple[Equipment, list[Diagnostic]]:
    """What lint needs, and the faults of files that could not be read. `named` are files passed explicitly."""
    config = settings.lint
    named_values = [pair(entry, "--values", _VALUES_FORM) for entry in arguments.values]
    values, faults = read_values(named_values or config.values)
    crds, broken = _usable_crds(arguments.crds or config.crds)
    configured = catalog(settings.catalogs)
    # With a broken row, nothing is checked. Names and versions are still looked up, in gitgpu's own rows.
    readable = catalog(()) if configured.files.faults else configured
    faults += filter(None, (_unknown_chart(value.chart, readable) for value in values))
    lint_options = LintOptions(
        kubernetes=arguments.kubernetes or config.kubernetes or newest(readable),
        skip=frozenset(kind.strip() for kind in arguments.skip.split(",") if kind.strip()) or frozenset(config.skip),
        strict=arguments.strict or config.strict,
        ignore_missing=arguments.ignore_missing or config.ignore_missing,
        named=named,
        closed=arguments.closed or config.closed,
        jobs=arguments.jobs,
    )
    using = Equipment(settings.policy, lint_options, configured, crds, values, bool(arguments.kubernetes))
    return using, [*faults, *broken, *configured.files.faults]


def _usable_crds(paths: Sequence[str]) -> tuple[list[dict[str, Any]], list[Diagnostic]]:
    """The CRDs with usable schemas, and the faults of all CRDs."""
    crds, faults = read_crds(paths)
    usable = [crd for crd in crds if is_usable(crd)]
    faults += [_unusable(crd) for crd in crds if crd not in usable]
    for crd in usable:
        faults += [_refused(crd, *wrong) for wrong in refused_patterns(crd)]
    return usable, faults


def look(manifests: Manifests, using: Equipment) -> tuple[tuple[Diagnostic, ...], LintResult]:
    """The findings to report, and the result of lint. If a row of the catalog is invalid, nothing is checked."""
    if using.catalog.files.faults:
        return (), LintResult((), 0, 0)
    used = norms(Schemas(), using.catalog, using.policy.today, using.crds)
    used = replace(used, judge=partial(_check, using.options.jobs))
    locked = using.options.locked if using.version_given else versions_of_files(manifests.texts.values())
    linted = lint(manifests, using.values, used, using.options._replace(locked=locked))
    found = [*linted.diagnostics, *_of_unnamed_values(manifests, using, used)]
    texts = [*manifests.texts.values()]
    texts += [values.text for values in using.values]
    written = [*comment_allowances({text.name: text.content for text in texts}), *allowances(manifests)]
    return tuple(settle(found, written, using.policy)), linted


def _of_unnamed_values(manifests: Manifests, using: Equipment, used: Norms) -> Iterator[Diagnostic]:
    """The findings in files named like `values.yaml` with the keys of a known chart, which `--values` does not name.

    Their release and cluster are unknown, and other files may set more values, so each file is checked on its own.
    """
    named = {values.text.name for values in using.values}
    folders = {posixpath.dirname(name) for name in manifests.texts if posixpath.basename(name) == "Chart.yaml"}
    candidates = []
    for name, file in manifests.files.items():
        is_other = file.others and not (file.objects or file.faults or file.waiting or file.template)
        folder, base = posixpath.split(name)
        if is_other and "values" in base.lower() and name not in named and folder not in folders:
            candidates.append(manifests.texts[name])
    for values in bare_values(candidates, using.catalog):
        alone = values._replace(body={**values.body, "whole": False})
        options = using.options._replace(closed=False, strict=False)
        yield from lint(Manifests({}, {}, {}, ()), [alone], used, options).diagnostics


def _check(jobs: int | None, rules: Sequence[Rule], objects: Objects) -> list[Diagnostic]:
    """The findings of these rules. If there are many objects, each process runs its share of the rules."""
    number = processes(jobs, len(objects.items), MIN_PARALLEL) if len(objects.items) >= MIN_LARGE else 1
    parts = shares(len(rules), number)
    by_part = spread(lambda part: diagnose_all(rules[slice(*part)], objects), parts, number)
    return list(chain.from_iterable(by_part))


def _unusable(crd: Mapping[str, Any]) -> Diagnostic:
    name = crd["spec"]["names"]["kind"]
    remedy = "export it from a cluster: kubectl get crds -o yaml"
    return Diagnostic("CRD001", Severity.ERROR, f"the schema of the CRD of {name} cannot be read", remedy, Span(""))


def _refused(crd: Mapping[str, Any], pattern: str, reason: str) -> Diagnostic:
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
