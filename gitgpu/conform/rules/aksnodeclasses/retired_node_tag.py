"""A tag of an AKSNodeClass that AKS no longer supports."""

from collections.abc import Iterator

from gitgpu.conform.node.node_classes import node_classes
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4}
spec:
  tags: {SkipGPUDriverInstall: "true"}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    retired = {one["name"].lower(): one["since"] for one in objects.catalog.must("pools", "aks")["retiredTags"]}
    for item, spec in node_classes(objects):
        for key in spec.get("tags") or {}:
            if since := retired.get(key.lower()):
                message = f"AKS supports the tag {key} no more since {since}"
                remedy = "remove it, and write gpu: {mode: None} to bring the driver yourself"
                yield Finding(item, ("spec", "tags", key), message, remedy, at_key=True)


RULE = Rule(
    code="ANC007",
    name="retired-node-tag",
    severity=Severity.WARNING,
    summary="An AKSNodeClass asks by a tag that the GPU driver be left out.",
    help="AKS has retired the tag; gpu.mode took its place. Karpenter does not read the tag: it goes on choosing sizes "
    "as if AKS were to install the driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/skip-gpu-driver-install-retirement.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace('SkipGPUDriverInstall: "true"', "team: vision"),
)
