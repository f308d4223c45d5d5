"""A NodeOverlay on AKS, where Karpenter does not read it unless told to."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.releases import releases
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_GATE = ("settings", "featureGates", "nodeOverlay")


def _check(objects: Objects) -> Iterator[Finding]:
    if any(str(release.value(*_GATE)).lower() == "true" for release in releases(objects, "karpenter")):
        return
    for item in objects.of("karpenter.sh", "NodeOverlay"):
        message = "uncertain: node auto-provisioning does not read NodeOverlays, nor does Karpenter by default"
        remedy = f"run Karpenter yourself with {'.'.join(_GATE)}: true, or do without the overlay"
        yield Finding(item, ("kind",), message, remedy)


RULE = Rule(
    code="NPL023",
    name="unread-overlay",
    severity=Severity.WARNING,
    summary="A NodeOverlay is written for a Karpenter that most likely does not read it.",
    help="NodeOverlay is behind a feature gate that Azure's chart leaves off, and AKS node auto-provisioning does not "
    "offer it. The API server takes the object; the prices and resources in it never count.",
    sources=(
        "https://github.com/Azure/AKS/issues/5359",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/charts/karpenter/values.yaml",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: t4-shared}
spec:
  requirements: [{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [T4]}]
  capacity: {contoso.com/slots: 4}
""",
    good="""
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: t4-shared}
spec:
  requirements: [{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [T4]}]
  capacity: {contoso.com/slots: 4}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: karpenter, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: kube-system}
  source:
    repoURL: mcr.microsoft.com/aks/karpenter
    chart: karpenter
    targetRevision: 1.14.2
    helm: {valuesObject: {settings: {featureGates: {nodeOverlay: true}}}}
""",
)
