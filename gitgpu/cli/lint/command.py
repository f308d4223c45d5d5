"""Check any Kubernetes manifests for GPU-on-AKS mistakes. Works offline."""

import re
from collections.abc import Sequence
from os.path import normpath
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.global_options import named_config
from gitgpu.cli.input.texts import read_searched
from gitgpu.cli.input.versions import read_versions
from gitgpu.cli.lint.arguments import Arguments
from gitgpu.cli.lint.file_filter import FileFilter, file_filter, note_others
from gitgpu.cli.lint.manifest_texts import ManifestTexts
from gitgpu.cli.output.outcome import COULD_NOT_RUN, INCOMPLETE, exit_code, write_findings
from gitgpu.cli.output.progress import Line, progress
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import Settings, settings_without_fleet
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.configuration.files import by_config
from gitgpu.load.read import STANDARD_INPUT
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.manifest.parsing import begin_parsing
from gitgpu.report.findings import Findings


def _kubernetes(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """A Kubernetes version, with or without v."""
    if text is None or re.fullmatch(r"v?1\.[0-9]{1,3}(\.[0-9]{1,3})?", text, re.ASCII):
        return text
    raise click.BadParameter(f"'{text}' is not a version such as 1.35")


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
    callback=_kubernetes,
    help="Kubernetes version of the clusters.  "
    "[default: the version in the overlays, lint.kubernetesVersion, or the newest]",
)
@click.option(
    "--versions",
    metavar="PROJECT=VERSION",
    default="",
    callback=read_versions,
    help="Releases that the clusters run: karpenter=1.15,flux=2.10.  "
    "[default: lint.versions, those in the manifests, or any in use]",
)
@click.option("--automatic", is_flag=True, help="The clusters are AKS Automatic clusters.  [default: lint.automatic]")
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
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
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
    paths = arguments.paths
    if arguments.filtering and (not paths or STANDARD_INPUT in paths):
        raise click.UsageError("--filter needs the files and directories whose findings are reported")
    groups = by_config(paths) if paths and not named_config() else [paths]
    with progress("linting") as line:
        runs = _with_clashes([_lint(group, arguments, line) for group in groups])
    combined = _together([run.reported for run in runs])
    if arguments.filtering:
        found = {finding for run in runs for finding in run.found.diagnostics}
        note_others(paths, found.difference(combined.diagnostics))
    write_findings(combined, arguments.output_format, arguments.style, arguments.chosen.maximum, has_fix=True)
    code = max(exit_code(run.reported, run.settings.fail_on) for run in runs)  # each has its own `failOn`
    return 1 if code == COULD_NOT_RUN and _is_partial(combined, arguments) else code


def _is_partial(findings: Findings, arguments: Arguments) -> bool:
    """Whether something was checked, and all files that could not be read were found in a directory."""
    values = (entry.partition("=")[2] for entry in arguments.values)
    needed = {normpath(path) for path in (*arguments.crds, *values)}
    unread_findings = [finding for finding in findings.diagnostics if finding.code.startswith(INCOMPLETE)]
    found = (finding.code == "INP002" and normpath(finding.span.file) not in needed for finding in unread_findings)
    return bool(findings.objects or findings.skipped) and all(found)


class _Run(NamedTuple):
    """A run with one configuration: what it found, and what of it is reported."""

    found: Findings
    reported: Findings
    settings: Settings
    manifests: Manifests
    within: FileFilter | None


def _lint(paths: tuple[str, ...], arguments: Arguments, line: Line) -> _Run:
    """The findings in paths with the same configuration, after the fixes if they are written."""
    within = file_filter(paths) if arguments.filtering else None
    settings = settings_without_fleet(paths, arguments.chosen).judging(_codes, whole=not paths)
    named = (() if within else paths) or settings.lint.paths or (".",)
    texts, faults = read_searched(named, fix=arguments.fixes.write)
    parsing = begin_parsing(texts, arguments.jobs, line.of("reading", "file"))
    given = ManifestTexts(texts, faults, named, parsing, within, line.of("linting", "object"))
    # Imported while other processes parse: with 2,000 files, this saves a tenth of the time.
    from gitgpu.cli.lint.findings import lint_texts  # noqa: PLC0415

    found, manifests = lint_texts(given, settings, arguments)
    return _Run(found, within.of(found) if within else found, settings, manifests, within)


def _with_clashes(runs: Sequence[_Run]) -> list[_Run]:
    """The runs with what only several of them show: two fleets that write the same object of Flux or Argo CD."""
    if len(runs) == 1:
        return [*runs]
    from gitgpu.runs.lint_files import clashing_fleets  # noqa: PLC0415  as above

    clashes = clashing_fleets([(run.manifests, run.settings.policy) for run in runs])
    return [_with(run, more) for run, more in zip(runs, clashes, strict=True)]


def _with(run: _Run, more: tuple[Diagnostic, ...]) -> _Run:
    found = run.found._replace(diagnostics=in_order({*run.found.diagnostics, *more}))
    return run._replace(found=found, reported=run.within.of(found) if run.within else found)


def _codes() -> frozenset[str]:
    from gitgpu.cli.lint.findings import codes  # noqa: PLC0415  as above

    return codes()


def _together(runs: Sequence[Findings]) -> Findings:
    """Merges the findings of several configurations into one run."""
    diagnostics: dict[Diagnostic, None] = {}  # a file can be in the paths of two configurations
    sources: dict[str, str] = {}
    for run in runs:
        diagnostics.update(dict.fromkeys(run.diagnostics))
        sources.update(run.sources)
    counts = {
        frozenset(run.sources): (run.objects, run.skipped) for run in runs
    }  # --filter reads the same files for each
    objects, skipped = (sum(numbers) for numbers in zip(*counts.values(), strict=True))
    return Findings(in_order(diagnostics), len(sources), objects, sources, runs[0].rules, skipped)
