"""A device plugin or DCGM exporter that a taint keeps off the GPU nodes that it selects."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import NVIDIA_GROUP
from gitgpu.model.names.labels import (
    GPU_PRESENT_LABEL,
)
from gitgpu.model.names.prefixes import NFD_PREFIX
from gitgpu.model.sku import Sku
from gitgpu.model.software.other_owner import has_other_owner
from gitgpu.model.syntax.requirement import ABSENT, Requirements, fixed_labels, meets
from gitgpu.objects.node.agent_pool_labels import labels_of
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Identity, Objects
from gitgpu.objects.software.coverage import chooses
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.software.tolerating import tolerate
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import taint_text, untolerated_taints
from gitgpu.source import Pointer

_PARTS = {"device-plugin": "the nodes never advertise GPUs", "dcgm-exporter": "nothing reports their GPUs"}
_MANAGED = "enablemanagedgpuexperience"  # the tag for AKS-managed GPUs; Azure ignores its case
# What Node Feature Discovery and GPU Feature Discovery set on every node with an NVIDIA GPU.
_PRESENT = (GPU_PRESENT_LABEL, f"{NFD_PREFIX}pci-10de.present", f"{NFD_PREFIX}pci-0302_10de.present")
_MAY = ("kubernetes.io", "azure.com", NVIDIA_GROUP)  # domains of labels that AKS or software on the node may set


Taint: TypeAlias = Mapping[str, Any]


class _Nodes(NamedTuple):
    """Nodes, and whether a daemon selects them, regardless of taints; None if that is unknown."""

    title: str
    taints: list[Taint]
    chosen: bool | None


class _Kept(NamedTuple):
    """What a taint keeps off nodes, with the place of its release or DaemonSet and the consequence for each part."""

    owner: Daemon
    taints: list[Taint]
    reason: str
    harms: list[str]


def _check(objects: Objects) -> Iterator[Finding]:
    # The GPU Operator has both parts, and one list of tolerations for them.
    kept: dict[tuple[Identity, Pointer, str], _Kept] = {}
    for part, harm in _PARTS.items():
        for nodes, owner, taint in _nodes_without_daemon(part, objects):
            reason = f"{owner.title} does not tolerate the taint {taint_text(taint)} of {nodes.title}"
            key = (owner.item.identity, owner.place[1], reason)
            kept.setdefault(key, _Kept(owner, nodes.taints, reason, [])).harms.append(harm)
    for owner, taints, reason, harms in kept.values():
        message = f"{reason}, so {' and '.join(harms)}"
        remedy = tolerate((owner,), taints, objects) or f"add a toleration for the taint to {owner.title}"
        yield Finding(*owner.place, message, remedy)


def _nodes_without_daemon(part: str, objects: Objects) -> Iterator[tuple[_Nodes, Daemon, Taint]]:
    """The GPU nodes that no daemon of a part can run on, with the first daemon that selects them, and a taint."""
    by_title: dict[str, list[tuple[_Nodes, Daemon, Sequence[Taint]]]] = {}
    for daemon, pod in _readable(list(daemons(objects, part))):
        for nodes in _selected_nodes(pod, daemon.opt_out, part, objects):
            kept_off = nodes, daemon, untolerated_taints(nodes.taints, pod.tolerations)
            by_title.setdefault(nodes.title, []).append(kept_off)
    for candidates in by_title.values():
        meant = [(nodes, daemon, taints) for nodes, daemon, taints in candidates if nodes.chosen]
        # One daemon that can run there, or may, is enough.
        if meant and all(taints for nodes, _, taints in candidates if nodes.chosen is not False):
            nodes, daemon, taints = meant[0]
            yield nodes, daemon, taints[0]


def _readable(owners: Sequence[Daemon]) -> Sequence[tuple[Daemon, Pod]]:
    """Daemons with their pods; none if it is unknown where one of them runs."""
    readable = [(daemon, daemon.pod) for daemon in owners if daemon.pod and daemon.sure and not daemon.cluster]
    return readable if len(readable) == len(owners) else ()


def _selected_nodes(pod: Pod, opt_out: Mapping[str, str], part: str, objects: Objects) -> Iterator[_Nodes]:
    """The NVIDIA nodes of the known pools, and whether a daemon selects them."""
    if part != "device-plugin":  # STK004 checks device plugins on NodePools
        for pool in gpu_pools(objects):
            if pool.maker == "nvidia" and not pool.managed and not pool.is_of_other_owner:
                yield _Nodes(f"NodePool {pool.name}", list(pool.pool.taints), chooses(pod, pool, objects))
    for own in objects.once("NVIDIA pools of the cluster", lambda: _pools_of_one_cluster(objects)):
        labels = _labels(own, objects)
        opted_out = any(key in labels and labels[key].takes(value) for key, value in opt_out.items())
        selects = _any([_is_met(term, labels) for term in pod.terms()])
        yield _Nodes(f"node pool {own.name}", list(own.taints), False if opted_out else selects)


def _any(answers: Sequence[bool | None]) -> bool | None:
    if True in answers:
        return True
    return None if None in answers else False


def _pools_of_one_cluster(objects: Objects) -> list[AgentPool]:
    """The node pools with NVIDIA GPUs, if all pools are of one cluster."""
    if len(set(map(_owner, agent_pools(objects)))) != 1:
        return []
    return [pool for pool in agent_pools(objects) if _is_nvidia(pool, objects)]


def _is_nvidia(pool: AgentPool, objects: Objects) -> bool:
    # Without AKS's driver, whatever installs one can run these parts too.
    if pool.os_type != "Linux" or not pool.installs_driver or has_other_owner(pool.item.body):
        return False
    # AKS itself runs both parts on these nodes.
    if any(key.lower() == _MANAGED for key in pool.spec.get("tags") or {}):
        return False
    return {_maker(sku) for _, _, sku in pool.sizes(objects)} == {"nvidia"}


def _maker(sku: Sku | None) -> str:
    """The manufacturer of the GPUs of a size; "" if unknown."""
    return sku.manufacturer if sku and sku.counted_gpus else ""


def _owner(pool: AgentPool) -> str:
    return str(reach(pool.spec, "owner", "name") or pool.item.identity)


def _labels(pool: AgentPool, objects: Objects) -> Requirements:
    """The labels that AKS, the pool and the usual software set on its nodes."""
    return {**fixed_labels(dict.fromkeys(_PRESENT, "true")), **labels_of(pool, objects)}


def _is_met(term: Requirements, labels: Requirements) -> bool | None:
    """Whether nodes with these labels meet the term. None if AKS or the software on them decides."""
    unknown = False
    for key, required in term.items():
        if key in labels:
            if not meets(labels[key], required):
                return False
        elif key.partition("/")[0].endswith(_MAY):
            unknown = True
        elif required.operator not in ABSENT:
            return False
    return None if unknown else True


RULE = Rule(
    code="POD036",
    name="gpu-daemonset-without-toleration",
    severity=Severity.WARNING,
    summary="A device plugin or DCGM exporter selects GPU nodes but does not tolerate their taint.",
    help="A DaemonSet creates no pod on a node whose taint it does not tolerate. AKS adds the taint "
    "kubernetes.azure.com/scalesetpriority=spot:NoSchedule to the nodes of a spot pool, but the manifests in common "
    "use tolerate only nvidia.com/gpu.",
    sources=(
        "https://github.com/Azure/AKS/issues/3153",
        "https://github.com/Azure/AKS/issues/4418",
        "https://github.com/MicrosoftDocs/azure-aks-docs/pull/138",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
)
