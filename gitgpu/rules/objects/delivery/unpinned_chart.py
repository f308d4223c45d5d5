"""A chart whose version can change without a commit."""

import re
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import HELM_RELEASE, HELM_REPOSITORY, OCI_REPOSITORY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

# A complete semantic version, with a v that Helm accepts in front.
_EXACT = re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?\Z", re.ASCII)
_REMEDY = "use an exact version, such as 1.2.3"


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*HELM_RELEASE):
        chart = reach(item.body, "spec", "chart", "spec") or {}
        # Flux ignores the version of a chart from a Git repository or a bucket.
        is_in_repository = reach(chart, "sourceRef", "kind") == HELM_REPOSITORY.kind
        if is_in_repository and not _EXACT.match(chart.get("version") or ""):
            message = f"the chart version is {chart.get('version') or 'not set'}, so Flux installs any new release"
            yield Finding(item, ("spec", "chart", "spec", "version"), message, _REMEDY)
    for item in objects.of(*OCI_REPOSITORY):
        reference = reach(item.body, "spec", "ref") or {}
        # Flux uses the digest first, then semver, then the tag; without any, the tag latest.
        if not reference.get("digest") and (reference.get("semver") or not _EXACT.match(reference.get("tag") or "")):
            shown = reference.get("semver") or reference.get("tag") or "the latest tag"
            message = f"the artifact reference is {shown}, so Flux installs any new push"
            yield Finding(item, ("spec", "ref"), message, "use a digest, or an exact version as the tag")


RULE = Rule(
    code="CNF014",
    name="unpinned-chart",
    severity=Severity.WARNING,
    summary="A HelmRelease has a range of chart versions, or an OCIRepository a tag that can move.",
    help="A driver or operator that upgrades without a commit restarts GPU nodes at an unplanned time.",
    sources=(
        "https://fluxcd.io/flux/components/helm/helmreleases/#chart-template",
        "https://fluxcd.io/flux/components/source/ocirepositories/#reference",
    ),
    check=_check,
)
