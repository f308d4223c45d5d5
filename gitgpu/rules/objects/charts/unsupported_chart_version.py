"""A chart version that is no longer supported."""

import re
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.transitions import Verdict, transition
from gitgpu.model.syntax.version import version
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# A version or range of one minor version: 25.x and 25.3.0 - 26.7.0 may take a version that is supported.
_OF_MINOR = re.compile(r"v?[0-9]+\.[0-9]+(\.[0-9x*]+)?([-+][0-9A-Za-z.+-]+)?\Z", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    rows = objects.catalog.rows("charts").items()
    ended = {row["chart"]: (name, row["ended"]) for name, row in rows if row.get("ended")}
    for release in releases(objects, *ended):
        name, last = ended[release.chart]
        if _OF_MINOR.match(release.version) and version(release.version)[:2] <= version(last):
            message = f"{release.chart} {release.version} is no longer supported"
            remedy = f"upgrade, for example to {_next(name, release.version, last, objects.catalog)}"
            yield Finding(release.item, _place(release), message, remedy)


def _next(name: str, old: str, last: str, catalog: Catalog) -> str:
    """The newest version that is not known to be out of reach."""
    versions = list(catalog.versions(name))
    reached_versions = [new for new in versions if transition(name, (old, new), catalog).verdict is not Verdict.BLOCKED]
    return next((new for new in reversed(reached_versions) if version(new)[:2] > version(last)), versions[-1])


def _place(release: Release) -> Pointer:
    if "helm" in release.pointer:
        return (*release.pointer[:-2], "targetRevision")
    if release.pointer == ("values",):
        return ("version",)
    return ("spec", "chart", "spec", "version")


RULE = Rule(
    code="GIT008",
    name="unsupported-chart-version",
    twin="VER006",
    severity=Severity.WARNING,
    summary="A release installs a chart version that its publisher no longer supports.",
    help="The version gets no fixes and is not tested with current Kubernetes versions and drivers.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/life-cycle-policy.rst",
    ),
    facts=("charts",),
    check=_check,
)
