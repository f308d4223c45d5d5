"""What the values and patches of a fleet change in the objects of its clusters, and what is wrong with them.

Clusters without either are skipped. A cluster is planned and emitted here in the same way as in `runs/compile.py`.
"""

from collections.abc import Collection, Iterator, Sequence

from gitgpu.adjust.compiled import Compiled, compiled_clusters
from gitgpu.adjust.conformity import conformity
from gitgpu.adjust.missing_charts import missing_charts
from gitgpu.adjust.unused_nulls import unused_nulls
from gitgpu.adjust.values import value_faults
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.inputs import Inputs
from gitgpu.objects.norms import Norms
from gitgpu.patch.targets import Candidate, unmatched_patches
from gitgpu.source import Span


def adjustment_faults(inputs: Inputs, norms: Norms) -> list[Diagnostic]:
    """What is wrong with the values and patches of a fleet that has no other errors."""
    clusters = tuple(compiled_clusters(inputs))
    findings = _without_repeats([*_patch_faults(clusters), *_value_faults(clusters, inputs)])
    reported = {(finding.span, finding.severity) for finding in findings}
    wrong = any(finding.severity is Severity.ERROR for finding in findings)
    breaches = conformity(clusters, inputs, norms, everywhere=not wrong)  # consequences of an error are not reported
    # A patch of several objects is reported once, at its place, although each of the objects has the fault.
    new: dict[tuple[str, Span, str], Diagnostic] = {}
    for finding in breaches:
        if not _is_reported(finding, reported):
            new[finding.code, finding.span, finding.message] = finding
    return _without_repeats([*findings, *new.values()])


def _is_reported(finding: Diagnostic, reported: Collection[tuple[Span, Severity]]) -> bool:
    """Whether there is a finding at the same place that is as severe."""
    as_bad = (Severity.ERROR,) if finding.severity is Severity.ERROR else tuple(Severity)
    return any((finding.span, severity) in reported for severity in as_bad)


def _patch_faults(clusters: Sequence[Compiled]) -> Iterator[Diagnostic]:
    matched: set[Span] = set()
    for cluster in clusters:
        yield from cluster.patched.faults
        matched |= cluster.patched.matched
    yield from unmatched_patches(_candidates(clusters), frozenset(matched))


def _candidates(clusters: Sequence[Compiled]) -> Iterator[Candidate]:
    for cluster in clusters:
        for scope in cluster.scopes:
            for patch in scope.patches:
                yield Candidate(patch, scope, cluster.name, cluster.patched.manifests)


def _value_faults(clusters: Sequence[Compiled], inputs: Inputs) -> Iterator[Diagnostic]:
    yield from missing_charts(clusters, inputs.catalog)
    yield from unused_nulls(clusters)
    for cluster in clusters:
        for release in cluster.releases:
            yield from value_faults(release, cluster.plan, inputs.catalog_for(cluster.plan.cluster))


def _without_repeats(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without warnings about values that have an error too."""
    wrong = {finding.span for finding in findings if finding.severity is Severity.ERROR}
    return [finding for finding in findings if finding.severity is Severity.ERROR or finding.span not in wrong]
