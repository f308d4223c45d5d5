"""A taint of a node pool that AKS refuses."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.syntax import is_label_value, is_qualified_name
from gitgpu.diagnostic import Change, Repair, Severity

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        seen: set[tuple[str, str]] = set()
        for at, text in enumerate(pool.spec.get("nodeTaints") or ()):
            place = pool.place("nodeTaints", at)
            fault = _fault(text)
            if fault:
                mended = _mended(text)
                repair = Repair(Change.VALUE, place, mended) if mended else None
                remedy = f"write {mended}" if mended else "write key=value:effect, such as sku=gpu:NoSchedule"
                yield Finding(pool.item, place, fault, remedy, repair=repair)
            name, _, effect = text.rpartition(":")
            taint = (name.partition("=")[0], effect)
            if not fault and taint in seen:
                message = f"the pool already has a taint {taint[0]} with effect {effect}"
                yield Finding(pool.item, place, message, "keep one: key and effect name a taint, its value does not")
            seen.add(taint)


def _fault(text: str) -> str:
    name, colon, effect = text.rpartition(":")
    key, _, value = name.partition("=")
    if not colon:
        return f"the taint '{text}' has no effect"
    if effect not in _EFFECTS:
        return f"'{effect}' is no effect of a taint"
    if not is_qualified_name(key) or not is_label_value(value):
        return f"'{name}' is no key and value of a taint"
    return ""


def _mended(text: str) -> str:
    name, _, effect = text.rpartition(":")
    right = next((one for one in _EFFECTS if one.lower() == effect.lower()), "")
    mended = f"{name}:{right}"
    return mended if right and not _fault(mended) else ""


RULE = Rule(
    code="APL007",
    name="bad-pool-taint",
    severity=Severity.ERROR,
    summary="A taint of a node pool is not written as key=value:effect, or the pool has it twice.",
    help="In a pool of AKS a taint is one text; nodes with a taint that cannot be read are never made.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-node-taints.md",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  count: 1
  nodeTaints: ["sku=gpu", "nvidia.com/gpu=present:noschedule"]
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC40ads_H100_v5
  mode: User
  count: 1
  nodeTaints: ["sku=gpu:NoSchedule", "nvidia.com/gpu=present:NoSchedule"]
""",
)
