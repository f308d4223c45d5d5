"""Node classes with which KAITO does not start."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, listed, mapping
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import NODE_CLASSES, installs
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values:
    nodeProvisioner: karpenter
    karpenterProviders: {azure: {nodeClasses: [{name: gpu, spec: {imageFamily: Ubuntu}}]}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for release in installs(objects):
        if release.value("nodeProvisioner") != "karpenter" or release.value(*NODE_CLASSES) is None:
            continue
        classes = [mapping(one) for one in listed(release.value(*NODE_CLASSES))]
        names = [str(one.get("name") or "") for one in classes]
        defaults = [name for name, one in zip(names, classes, strict=True) if one.get("default") is True]
        twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
        place = release.place(*NODE_CLASSES)
        if len(defaults) != 1:
            message = f"KAITO wants one default among its node classes, and there are {len(defaults)}"
            yield Finding(release.item, place, message, "write default: true on exactly one")
        if twice is not None or "" in names:
            message = f"there are two node classes {twice}" if twice else "a node class has no name"
            yield Finding(release.item, place, message, "give each a name of its own")


RULE = Rule(
    code="KAI090",
    name="broken-kaito-classes",
    severity=Severity.ERROR,
    summary="The node classes in the values of KAITO's chart have no default, several, or names that clash.",
    help="With nodeProvisioner: karpenter KAITO reads them as it starts, and ends with an error.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/pkg/nodeprovision/manager/factory.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/values.yaml",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("{name: gpu, spec", "{name: gpu, default: true, spec"),
)
