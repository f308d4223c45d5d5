"""A requirement on a label of another cloud, with which Karpenter cannot choose a size in AKS."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.node_labels import GPU_NAME, NAMES
from gitgpu.objects.node.foreign_labels import azure_label, azure_value
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        # With another requirement that chooses the size, it only announces a label that pods select.
        chosen = not {*NAMES, GPU_NAME}.isdisjoint(pool.together)
        for entry in pool.entries:
            label = azure_label(entry.key, objects)
            announced = chosen and entry.operator == "In" and len(entry.values) == 1
            if label and not announced:
                message = f"{entry.key} is a label of another cloud, so Karpenter cannot choose a size in AKS with it"
                instead = azure_value(label, next(iter(entry.values), ""), objects)
                yield Finding(pool.item, (*entry.pointer, "key"), message, f"require {instead} instead")


FOREIGN = "{key: karpenter.k8s.aws/instance-gpu-name, operator: In, values: [a100]}"
ANY = "{key: karpenter.azure.com/sku-gpu-manufacturer, operator: In, values: [nvidia]}"
OWN = f"{{key: {GPU_NAME}, operator: In, values: [A100]}}"
BAD = f"""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: a100}}
spec:
  limits: {{nvidia.com/gpu: 8}}
  template:
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: default}}
      requirements:
      - {ANY}
      - {FOREIGN}
      taints: [{{key: nvidia.com/gpu, effect: NoSchedule}}]
"""

RULE = Rule(
    code="NPL092",
    name="label-of-other-cloud",
    severity=Severity.WARNING,
    summary="A NodePool for AKS requires a label that only nodes of another cloud have.",
    help="No size in AKS has such a label. Karpenter ignores a requirement on a label that a size does not have, so "
    "the NodePool starts any of its other sizes.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/issues/880",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace(FOREIGN, OWN),
    variants=(
        BAD.replace(FOREIGN, "{key: cloud.google.com/gke-accelerator, operator: Exists}"),
        BAD.replace(FOREIGN, "{key: karpenter.k8s.aws/instance-accelerator-count, operator: Exists}"),
        BAD.replace(FOREIGN, "{key: karpenter.k8s.gcp/instance-gpu-count, operator: Exists}"),
    ),
    near_misses=(
        # No label of Karpenter on AWS.
        BAD.replace(FOREIGN, "{key: karpenter.k8s.aws/accelerator-count, operator: Exists}"),
        # It is a label for pods, and another requirement chooses the size.
        BAD.replace(ANY, OWN),
        BAD.replace("karpenter.azure.com, kind: AKSNodeClass", "karpenter.k8s.aws, kind: EC2NodeClass").replace(
            ANY, "{key: kubernetes.io/arch, operator: In, values: [amd64]}"
        ),
    ),
)
