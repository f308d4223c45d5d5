"""A size that Azure has retired, named by an object other than a NodePool or a node pool of AKS."""

from collections.abc import Iterator

from gitgpu.check.dates import retired, retirement
from gitgpu.conform.objects import Item, Objects, listed, mapping, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.node_constraints import required_labels
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.schedule.size import NAMES
from gitgpu.source import Pointer

_REQUIREMENTS = ("spec", "requirements")


def _check(objects: Objects) -> Iterator[Finding]:
    for item, place, names in (*_claims(objects), *_pods(objects), *_flavors(objects)):
        skus = [objects.catalog.sku(name) for name in names]
        gone = [sku for sku in skus if sku and (sku.gone or retired(sku, objects.today))]
        if gone and len(gone) == len(names):
            yield Finding(item, place, _message(gone[0]), f"write {_other(gone[0])}")


def _message(sku: Sku) -> str:
    return f"Azure never offered {sku.name}" if sku.lifecycle.status == "never-offered" else retirement(sku)


def _other(sku: Sku) -> str:
    return sku.lifecycle.replacement or "a size that `gitgpu sku list` shows as active"


def _claims(objects: Objects) -> Iterator[tuple[Item, Pointer, list[str]]]:
    for item in objects.of("karpenter.sh", "NodeClaim"):
        for at, one in enumerate(reach(item.body, *_REQUIREMENTS) or ()):
            if mapping(one).get("key") in NAMES and one.get("operator") == "In":
                yield item, (*_REQUIREMENTS, at, "values", 0), [str(name) for name in listed(one.get("values"))]


def _pods(objects: Objects) -> Iterator[tuple[Item, Pointer, list[str]]]:
    for pod in pods(objects):
        found = list(required_labels(pod))
        single = len({wish.term for wish in found} - {None}) <= 1  # one of several terms is enough
        for wish in found if single else ():
            if wish.key in NAMES and wish.operator == "In" and wish.values:
                yield pod.item, wish.values[0][0], [name for _, name in wish.values]


def _flavors(objects: Objects) -> Iterator[tuple[Item, Pointer, list[str]]]:
    for item in objects.of("kueue.x-k8s.io", "ResourceFlavor"):
        for key, name in (reach(item.body, "spec", "nodeLabels") or {}).items():
            if key in NAMES:
                yield item, ("spec", "nodeLabels", key), [str(name)]


_BAD = """
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: v100}
spec:
  nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
  requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [Standard_NC6s_v3]}]
"""

RULE = Rule(
    code="NPS020",
    name="retired-size-named",
    severity=Severity.ERROR,
    summary="A NodeClaim, pod or ResourceFlavor names only sizes that Azure does not offer.",
    help="No machine of such a size can be had: the NodeClaim fails, and the pods wait for nodes that do not come.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    check=_check,
    bad=_BAD,
    good=_BAD.replace("Standard_NC6s_v3", "Standard_NC40ads_H100_v5"),
)
