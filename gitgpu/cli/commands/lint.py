"""Check any Kubernetes manifests for GPU-on-AKS mistakes. Works offline."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.fixes import apply_fixes, keep
from gitgpu.cli.input_texts import by_name, read_searched
from gitgpu.cli.linting import Equipment, equip, look
from gitgpu.cli.outcome import exit_code, tell
from gitgpu.cli.settings import Chosen, bare
from gitgpu.conform import object_codes, object_rules
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.lint import CODES
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
    of the configuration, or the current directory. Kinds without a schema are counted as skipped.

    \b
    gitgpu lint clusters/
    kustomize build apps/ | gitgpu lint -
    gitgpu lint --crds crds/ --values gpu-operator=values.yaml clusters/
    """
    shown = rest.pop("shown")
    fix = rest.pop("fix") and not shown
    where = bare(chosen, paths=paths).judging(lambda: object_codes().union(CODES), whole=not paths)
    named = paths or where.lint.paths or (".",)
    texts, faults = read_searched(named, fix=fix)
    using, unread = equip(where, by_name(texts, named), rest)
    sheets = read_manifests(texts, using.asked.named)
    if fix or shown:
        again = partial(read_manifests, named=using.asked.named)
        result = apply_fixes(
            sheets.texts, lambda now: look(again(now.values()), using)[0], {text.name for text in texts}
        )
        faults += keep(result, sheets.texts, form, write=fix)
        sheets = again(result.texts.values()) if fix else sheets
    found = _findings(sheets, using, (*faults, *where.faults, *unread))
    tell(found, form, options.style(when), chosen.most)
    return exit_code(found, where.fail_on)


def _findings(sheets: Manifests, using: Equipment, faults: Iterable[Diagnostic]) -> Findings:
    told, linted = look(sheets, using)
    texts = (*sheets.texts.values(), *(values.text for values in using.values))
    sources = {text.name: text.content for text in texts}
    return Findings(in_order((*told, *faults)), len(sources), linted.objects, sources, _rules, linted.skipped)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in object_rules()}
