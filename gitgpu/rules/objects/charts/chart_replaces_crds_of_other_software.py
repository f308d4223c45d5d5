"""A chart that replaces CRDs of other software."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        foreign = chart_row(release, objects).get("foreignDefinitions", ())
        for step in ("install", "upgrade"):
            if foreign and reach(release.item.body, "spec", step, "crds") == "CreateReplace":
                message = f"chart {release.chart} replaces the existing CRD {foreign[0]}"
                yield Finding(release.item, ("spec", step, "crds"), message, "set crds: Skip")


RULE = Rule(
    code="KAI060",
    name="chart-replaces-crds-of-other-software",
    severity=Severity.WARNING,
    summary="A HelmRelease replaces CRDs that belong to other software.",
    help="The KAITO chart has a copy of Karpenter's NodeClaim CRD in its crds folder. Helm does not change an "
    "existing CRD, but Flux with CreateReplace does, and Karpenter then runs with the fields of another release.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/charts/kaito/workspace/crds/karpenter.sh_nodeclaims.yaml",
        "https://fluxcd.io/flux/components/helm/helmreleases/",
    ),
    check=_check,
)
