"""Lints the files of a user, with the catalog, CRDs, values and policy of the user."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from gitgpu.adopt.reading.bare_values import bare_values
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.helm_values import Values
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.cluster_releases import by_project
from gitgpu.objects.grouping.notes import unknown_release_notes
from gitgpu.objects.grouping.two_fleets import two_fleets
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.norms import Norms
from gitgpu.objects.safeguards import Safeguards
from gitgpu.policy import Policy, comment_allowances, settle
from gitgpu.rules.norms import norms
from gitgpu.rules.object_rule import diagnose_in_processes
from gitgpu.runs.lint import LintOptions, LintResult, allowances, lint
from gitgpu.runs.lint_azure import azure_files, azure_findings
from gitgpu.write.recorded_clusters import versions_of_files


class LintInputs(NamedTuple):
    """Everything that lint needs. With `version_given`, the command line sets the Kubernetes version of all files.

    `versions` are the releases that the clusters run, each with its project, such as ("keda", "2.19"). `safeguards` are
    those of AKS Automatic clusters.
    """

    policy: Policy
    options: LintOptions
    catalog: Catalog
    crds: Sequence[dict[str, Any]]
    values: Sequence[Values]
    version_given: bool
    versions: tuple[tuple[str, str], ...] = ()
    safeguards: Safeguards | None = None


def lint_files(manifests: Manifests, inputs: LintInputs) -> tuple[tuple[Diagnostic, ...], LintResult]:
    """The findings to report, and the result of lint. If a row of the catalog is invalid, nothing is checked."""
    if inputs.catalog.files.faults:
        return (), LintResult((), 0, 0)
    used = norms(Schemas(), inputs.catalog, inputs.policy.today, inputs.crds)
    versions = by_project(inputs.versions)
    azure = azure_files(manifests)
    used = replace(
        used,
        judge=partial(diagnose_in_processes, inputs.options.jobs),
        jobs=inputs.options.jobs,
        versions=versions,
        safeguards=azure.safeguards(inputs.safeguards),
    )
    locked = inputs.options.locked if inputs.version_given else versions_of_files(manifests.texts.values())
    linted = lint(azure.manifests, inputs.values, used, inputs.options._replace(locked=locked))
    linted = linted._replace(objects=linted.objects + azure.documents)
    found = [*linted.diagnostics, *_unnamed_values_findings(azure.manifests, inputs, used)]
    found += azure_findings(azure, used, inputs.options.kubernetes)
    found += unknown_release_notes(used.contracts, inputs.versions)
    texts = [*manifests.texts.values()]
    texts += [values.text for values in inputs.values]
    written = [*comment_allowances({text.name: text.content for text in texts}), *allowances(manifests)]
    return tuple(settle(found, written, inputs.policy)), linted


def clashing_fleets(runs: Sequence[tuple[Manifests, Policy]]) -> Iterator[tuple[Diagnostic, ...]]:
    """For each run, the objects of its fleets that a fleet in another run writes too.

    Each run has a policy of its own, so paths with different configurations are never checked together otherwise.
    """
    files = {name: file for manifests, _ in runs for name, file in manifests.files.items()}
    texts = {name: text for manifests, _ in runs for name, text in manifests.texts.items()}
    found = [*two_fleets(Manifests(texts, files, {}, ()))]
    for manifests, policy in runs:
        own = [finding for finding in found if finding.span.file in manifests.files]
        written = [*comment_allowances({text.name: text.content for text in manifests.texts.values()})] if own else []
        settled = settle(own, [*written, *allowances(manifests)], policy._replace(judges=lambda _: False))
        yield tuple(finding for finding in settled if finding in own)


def _unnamed_values_findings(manifests: Manifests, inputs: LintInputs, used: Norms) -> Iterator[Diagnostic]:
    """The findings in files named like `values.yaml` with the keys of a known chart, which `--values` does not name.

    Their release and cluster are unknown, and other files may set more values, so each file is checked on its own.
    """
    named = {values.text.name for values in inputs.values}
    folders = {posixpath.dirname(name) for name in manifests.texts if posixpath.basename(name) == "Chart.yaml"}
    candidates = []
    for name, file in manifests.files.items():
        is_other = file.others and not (file.objects or file.faults or file.waiting or file.template)
        folder, base = posixpath.split(name)
        of_chart = any(f"{folder}/".startswith(f"{each}/" if each else "") for each in folders)
        if is_other and "values" in base.lower() and name not in named and not of_chart:
            candidates.append(manifests.texts[name])
    for values in bare_values(candidates, inputs.catalog):
        alone = values._replace(body={**values.body, "whole": False})
        options = inputs.options._replace(closed=False, strict=False)
        yield from lint(Manifests({}, {}, {}, ()), [alone], used, options).diagnostics
