"""Check any Kubernetes manifests for GPU-on-AKS mistakes. Works offline."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.fixes import apply_fixes, keep
from gitgpu.cli.global_options import named_config
from gitgpu.cli.input.linting import Equipment, equip, look
from gitgpu.cli.input.texts import by_name, read_searched
from gitgpu.cli.output.outcome import exit_code, tell
from gitgpu.cli.settings import Chosen, Settings, bare
from gitgpu.conform import object_codes, object_rules
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.lint import CODES
from gitgpu.load.configuration.files import by_config
from gitgpu.load.manifest.manifests import Manifests, read_manifests
from gitgpu.report.findings import Findings
from gitgpu.rule import AnyRule


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
    help="Kubernetes version of the clusters.  [default: that of the overlays, or the newest]",
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
@options.fixes
@options.jobs
@options.findings_format
@options.chosen
@options.colour
def COMMAND(paths: tuple[str, ...], form: str, when: str, chosen: Chosen, **rest: Any) -> int:
    """Check any Kubernetes manifests for GPU-on-AKS mistakes. Works offline.

    FILE can contain several YAML or JSON documents; a directory is searched for .yaml, .yml and .json; - reads
    standard input. Files of a kustomization are read and checked together. Without an argument, lint uses lint.paths
    of the configuration, or the current directory. To each path the nearest configuration applies. Kinds without a
    schema are counted as skipped.

    \b
    gitgpu lint clusters/
    kustomize build apps/ | gitgpu lint -
    gitgpu lint --crds crds/ --values gpu-operator=values.yaml clusters/
    """
    shown = rest.pop("shown")
    fixing = Fixing(rest.pop("fix") and not shown, shown, form)
    groups = by_config(paths) if paths and not named_config() else [paths]
    runs = [_lint(group, bare(chosen, paths=group), fixing, rest) for group in groups]
    found = _together([findings for findings, _ in runs])
    tell(found, form, options.style(when), chosen.most)
    return max(exit_code(findings, where.fail_on) for findings, where in runs)


class Fixing(NamedTuple):
    """Whether to write fixes, or to show them; `form` is the format of the findings beside them."""

    write: bool
    show: bool
    form: str


def _lint(
    paths: tuple[str, ...], found: Settings, fixing: Fixing, rest: Mapping[str, Any]
) -> tuple[Findings, Settings]:
    """What is found in paths with one configuration, after the fixes if they are written."""
    where = found.judging(lambda: object_codes().union(CODES), whole=not paths)
    named = paths or where.lint.paths or (".",)
    texts, faults = read_searched(named, fix=fixing.write)
    using, unread = equip(where, by_name(texts, named), rest)
    manifests = read_manifests(texts, using.options.named, using.options.jobs)
    if fixing.write or fixing.show:
        again = partial(read_manifests, named=using.options.named)
        result = apply_fixes(
            manifests.texts, lambda now: look(again(now.values()), using)[0], {text.name for text in texts}
        )
        faults += keep(result, manifests.texts, fixing.form, write=fixing.write)
        manifests = again(result.texts.values()) if fixing.write else manifests
    return _findings(manifests, using, (*faults, *where.faults, *unread)), where


def _findings(manifests: Manifests, using: Equipment, faults: Iterable[Diagnostic]) -> Findings:
    found, linted = look(manifests, using)
    texts = (*manifests.texts.values(), *(values.text for values in using.values))
    sources = {text.name: text.content for text in texts}
    return Findings(in_order((*found, *faults)), len(sources), linted.objects, sources, _rules, linted.skipped)


def _together(runs: Sequence[Findings]) -> Findings:
    """The findings of several configurations as those of one run."""
    found = [finding for run in runs for finding in run.diagnostics]
    sources = {name: text for run in runs for name, text in run.sources.items()}
    objects, skipped = sum(run.objects for run in runs), sum(run.skipped for run in runs)
    return Findings(in_order(dict.fromkeys(found)), len(sources), objects, sources, _rules, skipped)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in object_rules()}
