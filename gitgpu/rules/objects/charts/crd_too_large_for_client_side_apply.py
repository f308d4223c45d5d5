"""A chart with a CRD that Argo CD cannot apply on the client side."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.gitops.applications import applications
from gitgpu.objects.gitops.releases import Release, releases_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_SUFFICIENT = {"ServerSideApply=true", "Replace=true"}  # with these, no annotation contains the whole object
_NO_DEFINITIONS = "crds.install"  # the value of charts whose CRDs are templates


def _check(objects: Objects) -> Iterator[Finding]:
    large = _large(objects)
    for item, spec in applications(objects):
        place = ("spec",) if item.identity.kind == APPLICATION.kind else ("spec", "template", "spec")
        options = set(reach(spec, "syncPolicy", "syncOptions") or ())
        for release in releases_of(item, spec, place):
            # Values from elsewhere may leave the CRDs out.
            if release.chart not in large or options & _SUFFICIENT or not release.whole:
                continue
            size, value = large[release.chart]
            # skipCrds skips the crds folder. CRDs with a value of crds.install are templates, which it does not skip.
            excluded = release.value(*value.split(".")) is False or (value != _NO_DEFINITIONS and _skips(release))
            if not excluded:
                message = f"a CRD of {release.chart} is {size} bytes, too large for an annotation"
                remedy = f"add ServerSideApply=true to {'.'.join(place)}.syncPolicy.syncOptions"
                yield Finding(item, (*release.pointer[:-2], "chart"), message, remedy)


def _large(objects: Objects) -> dict[str, tuple[int, str]]:
    """The charts with a CRD that is too large: its size in bytes, and the value that excludes it."""
    rows = objects.catalog.rows("charts").values()
    installed = {
        row["chart"]: (row["largeDefinitions"], _NO_DEFINITIONS) for row in rows if row.get("largeDefinitions")
    }
    others = objects.catalog.must("delivery", "argocd").get("oversized") or {}
    return {**installed, **{chart: (fact["bytes"], fact["value"]) for chart, fact in others.items()}}


def _skips(release: Release) -> bool:
    """Whether Argo CD skips the crds folder of the chart."""
    return reach(release.item.body, *release.pointer[:-1], "skipCrds") is True


RULE = Rule(
    code="GIT009",
    name="crd-too-large-for-client-side-apply",
    severity=Severity.ERROR,
    summary="Argo CD installs a chart with a CRD that is too large for an annotation, without server-side apply.",
    help="Argo CD stores the whole CRD in an annotation, and the API server limits annotations to 256 KiB.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/docs/user-guide/sync-options.md#server-side-apply",
        "https://github.com/argoproj/argo-cd/issues/8128",
        "https://github.com/kedacore/keda/blob/v2.20.2/config/crd/bases/keda.sh_scaledjobs.yaml",
    ),
    facts=("delivery/argocd",),
    check=_check,
)
