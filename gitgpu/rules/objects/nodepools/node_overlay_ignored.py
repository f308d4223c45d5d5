"""A NodeOverlay, which Karpenter ignores unless an alpha feature gate is on."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_OVERLAY
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_GATE = ("settings", "featureGates", "nodeOverlay")  # a value of Karpenter's chart


def _check(objects: Objects) -> Iterator[Finding]:
    if any(str(release.value(*_GATE)).lower() == "true" for release in releases(objects, "karpenter")):
        return
    for item in objects.of(*NODE_OVERLAY):
        message = "Karpenter may ignore this object: NodeOverlay is alpha and needs a feature gate"
        remedy = f"check that its status has conditions, or run Karpenter yourself with {'.'.join(_GATE)}: true"
        yield Finding(item, ("kind",), message, remedy)


RULE = Rule(
    code="NPL023",
    name="node-overlay-ignored",
    severity=Severity.INFO,
    summary="A NodeOverlay is an alpha resource, which Karpenter may ignore.",
    help="The Karpenter chart for Azure leaves the feature gate NodeOverlay off. AKS announced NodeOverlay as an "
    "alpha resource of node auto-provisioning with Karpenter 1.7.2 (March 2026), but did not say whether the gate is "
    "on. With the gate off the API server accepts the object, and Karpenter ignores its prices and resources.",
    sources=(
        "https://github.com/Azure/AKS/blob/8d1c890900df47080a5a3a0de0ad06da110af845/CHANGELOG.md",
        "https://github.com/Azure/AKS/issues/5359",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/charts/karpenter/values.yaml",
    ),
    check=_check,
)
