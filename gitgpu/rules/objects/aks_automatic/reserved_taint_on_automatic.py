"""The taint of AKS's system nodes on other nodes, from which AKS Automatic removes it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MODE_LABEL
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.automatic import is_automatic
from gitgpu.objects.node.node_pools import SPEC, node_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import facts
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    reserved = facts(objects)["reservedTaint"]
    for item, place, key in _taints(objects) if is_automatic(objects) else ():
        if key == reserved:
            message = f"AKS Automatic removes taint {reserved} from these nodes: only system nodes have it"
            yield Finding(item, place, message, "use a taint with a key of your own")


def _taints(objects: Objects) -> Iterator[tuple[Item, Pointer, object]]:
    """Each taint of a pool whose nodes are not of mode system."""
    for pool in node_pools(objects):
        mode = pool.together.get(MODE_LABEL)
        if not mode or mode.complement == ("system" in mode.values):
            for index, taint in enumerate(pool.taints):
                yield pool.item, (*SPEC, "taints", index), taint.get("key")
    for agents in agent_pools(objects):
        if agents.spec.get("mode") == "User":
            for index, text in enumerate(agents.spec.get("nodeTaints") or ()):
                yield agents.item, agents.place("nodeTaints", index), str(text).partition("=")[0]


RULE = Rule(
    code="APL115",
    name="reserved-taint-on-automatic",
    severity=Severity.WARNING,
    summary="Nodes that are not of mode system have taint CriticalAddonsOnly, on an AKS Automatic cluster.",
    help="The deployment safeguards of AKS Automatic reserve this taint for system nodes, and remove it from others. "
    "Pods that do not tolerate it then run there.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/azure-policy/blob/f4a50bacae07ddb096943c597669bcae494a6e29/built-in-policies/policyDefinitions/Kubernetes/ReservedSystemPoolTaints.json",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
