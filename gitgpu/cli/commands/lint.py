"""Check any Kubernetes manifests for GPU-on-AKS mistakes. Works offline."""

from collections.abc import Mapping, Sequence
from os.path import normpath
from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.global_options import named_config
from gitgpu.cli.input.file_filter import file_filter
from gitgpu.cli.input.manifest_texts import Fixing, ManifestTexts
from gitgpu.cli.input.texts import read_searched
from gitgpu.cli.output.outcome import COULD_NOT_RUN, INCOMPLETE, exit_code, write_findings
from gitgpu.cli.settings import FindingOptions, Settings, settings_without_fleet
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.configuration.files import by_config
from gitgpu.load.read import STANDARD_INPUT
from gitgpu.objects.manifest.parsing import begin_parsing
from gitgpu.report.findings import Findings


@click.command("lint", short_help=__doc__)
@click.argument("paths", nargs=-1, metavar="[FILE|DIR|-]...")
@click.option(
    "--strict", is_flag=True, help="Report kinds without a schema and documents that are not Kubernetes objects."
)
@click.option("--crds", multiple=True, metavar="DIR", help="The CRDs of the clusters; repeatable.")
@click.option("--values", multiple=True, metavar="CHART=FILE", help="Helm values of a chart; repeatable.")
@click.option(
    "--kubernetes-version",
    "kubernetes",
    metavar="1.N",
    callback=options.kubernetes,
    help="Kubernetes version of the clusters.  [default: that of the overlays, lint.kubernetesVersion, or the newest]",
)
@click.option("--skip", default="", metavar="KINDS", help="Kinds to skip: Secret,apps/v1/Deployment.")
@click.option(
    "--ignore-missing-schemas",
    "ignore_missing",
    is_flag=True,
    help="With --strict, do not report kinds that have no schema.",
)
@click.option(
    "--whole-cluster",
    "closed",
    is_flag=True,
    help="Treat these manifests as everything on the cluster and report references to missing objects.",
)
@click.option(
    "--filter",
    "filtering",
    is_flag=True,
    help="Lint everything that lint reads without an argument, and report only the findings in FILE and DIR.",
)
@options.fixes
@options.jobs
@options.findings_format
@options.chosen
@options.colour
def COMMAND(paths: tuple[str, ...], output_format: str, colour: str, chosen: FindingOptions, **rest: Any) -> int:
    """Check any Kubernetes manifests for GPU-on-AKS mistakes. Works offline.

    FILE can contain several YAML or JSON documents; a directory is searched for .yaml, .yml and .json; - reads
    standard input. Files of a kustomization are read and checked together. Without an argument, lint uses lint.paths
    of the configuration, or the current directory. The nearest configuration applies to each path. Kinds without a
    schema are counted as skipped.

    With --filter, the arguments only select findings: all files are read, so that an object is checked together with
    objects in other files. It is for files that have changed.

    \b
    gitgpu lint clusters/
    kustomize build apps/ | gitgpu lint -
    gitgpu lint --crds crds/ --values gpu-operator=values.yaml clusters/
    gitgpu lint --filter apps/chat.yaml apps/pool.yaml
    """
    shown, filtering = rest.pop("shown"), rest.pop("filtering")
    if filtering and (not paths or STANDARD_INPUT in paths):
        raise click.UsageError("--filter needs the files and directories whose findings are reported")
    fixing = Fixing(rest.pop("fix") and not shown, shown, output_format)
    groups = by_config(paths) if paths and not named_config() else [paths]
    runs = []
    for group in groups:
        only = fixing._replace(within=file_filter(group)) if filtering else fixing
        runs.append(_lint(group, settings_without_fleet(group, chosen), only, rest))
    combined = _together([findings for findings, _ in runs])
    write_findings(combined, output_format, options.style(colour), chosen.maximum)
    code = max(exit_code(findings, settings.fail_on) for findings, settings in runs)  # each has its own `failOn`
    return 1 if code == COULD_NOT_RUN and _is_partial(combined, rest) else code


def _is_partial(findings: Findings, rest: Mapping[str, Any]) -> bool:
    """Whether something was checked, and all files that could not be read were found in a directory."""
    needed = {normpath(path) for path in (*rest["crds"], *(entry.partition("=")[2] for entry in rest["values"]))}
    unread = [finding for finding in findings.diagnostics if finding.code.startswith(INCOMPLETE)]
    found = (finding.code == "INP002" and normpath(finding.span.file) not in needed for finding in unread)
    return bool(findings.objects or findings.skipped) and all(found)


def _lint(paths: tuple[str, ...], base: Settings, fixing: Fixing, rest: Mapping[str, Any]) -> tuple[Findings, Settings]:
    """The findings in paths with the same configuration, after the fixes if they are written."""
    settings = base.judging(_codes, whole=not paths)
    named = (() if fixing.within else paths) or settings.lint.paths or (".",)
    texts, faults = read_searched(named, fix=fixing.write)
    given = ManifestTexts(texts, faults, named, begin_parsing(texts, rest["jobs"]))
    # Imported while other processes parse: with 2,000 files, this saves a tenth of the time.
    from gitgpu.cli.linting import lint_texts  # noqa: PLC0415

    findings = lint_texts(given, settings, fixing, rest)
    return (fixing.within.of(findings) if fixing.within else findings), settings


def _codes() -> frozenset[str]:
    from gitgpu.cli.linting import codes  # noqa: PLC0415  as above

    return codes()


def _together(runs: Sequence[Findings]) -> Findings:
    """Merges the findings of several configurations into one run."""
    diagnostics: dict[Diagnostic, None] = {}  # a file can be in the paths of two configurations
    sources: dict[str, str] = {}
    for run in runs:
        diagnostics.update(dict.fromkeys(run.diagnostics))
        sources.update(run.sources)
    objects, skipped = sum(run.objects for run in runs), sum(run.skipped for run in runs)
    return Findings(in_order(diagnostics), len(sources), objects, sources, runs[0].rules, skipped)
