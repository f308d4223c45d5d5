"""A choice that is smaller than minValues asks for."""

from collections.abc import Iterator, Sequence

from gitgpu.check.names import join_names
from gitgpu.conform.node.candidate_sizes import candidates, is_decided
from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.schedule.requirement import OLD_NAMES
from gitgpu.schedule.size import labels

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - key: karpenter.azure.com/sku-name
          operator: In
          values: [Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4]
        - {key: karpenter.azure.com/sku-series, operator: Exists, minValues: 2}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        asked = [one for one in pool.entries if one.meaning and one.meaning.minimum]
        sizes = candidates(pool, objects) if asked and is_decided(pool, objects) else ()
        for entry in asked if sizes else ():
            minimum = entry.meaning.minimum if entry.meaning else None
            there = _distinct(OLD_NAMES.get(entry.key, entry.key), sizes)
            if minimum and there and len(there) < minimum:
                message = (
                    f"the sizes of this NodePool have only {join_names(there)} for {entry.key}, not {minimum} values"
                )
                remedy = f"lower minValues to {len(there)} or less, or let in more sizes"
                yield Finding(pool.item, (*entry.pointer, "minValues"), message, remedy)


def _distinct(key: str, sizes: Sequence[Sku]) -> list[str]:
    """The values of a label over all sizes; none when it is not known of every size."""
    known = [labels(sku).get(key) for sku in sizes]
    found = {value for one in known if one for value in one.values}
    return sorted(found) if all(known) else []


RULE = Rule(
    code="NPS013",
    name="too-few-sizes",
    severity=Severity.ERROR,
    summary="A NodePool's minValues asks for more different values than its sizes have.",
    help="minValues is how many values of a label a launch must be able to choose from. Karpenter counts them over the "
    "sizes that are left by all requirements, and starts nothing when there are fewer.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#min-values",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/operator/options/options.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("Standard_NC48ads_A100_v4", "Standard_NC80adis_H100_v5"),
)
