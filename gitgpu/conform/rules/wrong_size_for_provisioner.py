"""An instanceType that does not fit how KAITO gets its nodes."""

from collections.abc import Iterator

from gitgpu.conform.models import installs, models
from gitgpu.conform.objects import Objects
from gitgpu.conform.releases import Release
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    found = installs(objects)
    if len(found) != 1 or not found[0].whole:
        return
    own = _own_nodes(found[0])
    for model in models(objects, "Workspace", "InferenceSet"):
        given = model.resource.get("instanceType")
        if own and given:
            message = f"instanceType is {given}, and this KAITO makes no nodes"
            remedy = "remove instanceType: nodes are found by labelSelector"
            yield Finding(model.item, (*model.resource_at, "instanceType"), message, remedy)
        if not own and not given and not model.resource.get("partition"):
            message = "there is no instanceType, and this KAITO makes the nodes"
            yield Finding(model.item, model.resource_at, message, "add the Azure size of the nodes as instanceType")


def _own_nodes(release: Release) -> bool:
    """Does it only use nodes that are there already?"""
    off = release.value("featureGates", "disableNodeAutoProvisioning")
    return off is True or off == "true" or release.value("nodeProvisioner") == "byo"


RULE = Rule(
    code="KAI017",
    name="wrong-size-for-provisioner",
    severity=Severity.ERROR,
    summary="A KAITO workload has an instanceType where KAITO makes no nodes, or has none where it does.",
    help="With disableNodeAutoProvisioning KAITO's admission wants instanceType empty; otherwise it is required.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/charts/kaito/workspace/values.yaml",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values: {featureGates: {disableNodeAutoProvisioning: true}}
---
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4, namespace: serving}
resource:
  instanceType: Standard_NC24ads_A100_v4
  labelSelector: {matchLabels: {apps: phi-4}}
inference: {preset: {name: phi-4}}
""",
    good="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values: {featureGates: {disableNodeAutoProvisioning: true}}
---
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4, namespace: serving}
resource:
  labelSelector: {matchLabels: {apps: phi-4}}
inference: {preset: {name: phi-4}}
""",
)
