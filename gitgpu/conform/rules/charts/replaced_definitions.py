"""A chart whose definitions take the place of another's."""

from collections.abc import Iterator

from gitgpu.conform.gitops.chart_values import chart_row
from gitgpu.conform.gitops.releases import releases
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        foreign = chart_row(release, objects).get("foreignDefinitions", ())
        for step in ("install", "upgrade"):
            if foreign and reach(release.item.body, "spec", step, "crds") == "CreateReplace":
                message = f"chart {release.chart} would put its own {foreign[0]} in the place of the one that is there"
                yield Finding(release.item, ("spec", step, "crds"), message, "write crds: Skip")


RULE = Rule(
    code="KAI060",
    name="replaced-definitions",
    severity=Severity.WARNING,
    summary="A HelmRelease replaces custom resource definitions that belong to other software.",
    help="KAITO's chart carries a copy of Karpenter's NodeClaim in its crds folder. Helm leaves a definition that is "
    "there alone; Flux with CreateReplace does not, and Karpenter then runs with fields of another release.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/charts/kaito/workspace/crds/karpenter.sh_nodeclaims.yaml",
        "https://fluxcd.io/flux/components/helm/helmreleases/",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  upgrade: {crds: CreateReplace}
""",
    good="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  upgrade: {crds: Skip}
""",
)
