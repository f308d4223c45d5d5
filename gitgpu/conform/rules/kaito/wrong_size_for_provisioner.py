"""An instanceType that does not fit how KAITO gets its nodes."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import installs, is_off, models, provisioner, rows
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    found = installs(objects)
    if len(found) != 1 or not found[0].whole:
        return
    how = provisioner(found[0], objects)
    own = how == "byo"
    makes = not own and how in rows(objects)[-1]["provisioners"]["known"] and not is_off(found[0])
    for model in models(objects, "Workspace", "InferenceSet"):
        given = model.resource.get("instanceType")
        if own and given:
            message = f"instanceType is {given}, and this KAITO makes no nodes"
            remedy = "remove instanceType: nodes are found by labelSelector"
            yield Finding(model.item, (*model.resource_at, "instanceType"), message, remedy)
        if makes and not given and not model.resource.get("partition"):
            message = "there is no instanceType, and this KAITO makes the nodes"
            yield Finding(model.item, model.resource_at, message, "add the Azure size of the nodes as instanceType")


RULE = Rule(
    code="KAI017",
    name="wrong-size-for-provisioner",
    severity=Severity.ERROR,
    summary="A KAITO workload has an instanceType where KAITO makes no nodes, or has none where it does.",
    help="With nodeProvisioner: byo, and before 0.11 with the gate disableNodeAutoProvisioning, KAITO's "
    "admission wants instanceType empty; otherwise it is required.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/cmd/workspace/main.go",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values: {nodeProvisioner: byo}
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
  values: {nodeProvisioner: byo}
---
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: phi-4, namespace: serving}
resource:
  labelSelector: {matchLabels: {apps: phi-4}}
inference: {preset: {name: phi-4}}
""",
)
