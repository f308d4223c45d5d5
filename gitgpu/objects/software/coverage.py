"""Whether a daemon runs on the nodes of a GPU pool: True, False, or None if that is unknown."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from gitgpu.access import reach
from gitgpu.model.names.groups import KARPENTER_GROUP
from gitgpu.model.names.labels import (
    DEPLOY_OPERANDS_LABEL,
    DEVICE_PLUGIN_CONFIG_LABEL,
    MANAGED_BY_LABEL,
    MANAGED_GPU_LABEL,
    OS_LABEL,
)
from gitgpu.model.names.prefixes import AMD_PREFIX, NFD_PREFIX, NVIDIA_PREFIX
from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import ABSENT, Requirement, Requirements, meets, requirement
from gitgpu.objects.gitops.chart_values import OPERATOR
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.node.gpu_pools import GpuPool
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.taint import taint_text, untolerated_taints

Answer: TypeAlias = bool | None
_PRESENT = {
    "nvidia": ("pci-10de.present", "pci-0302_10de.present", "pci-0300_10de.present"),
    "amd": ("amd-vgpu",),  # AMD's own rule for it; in an Azure VM each GPU is a virtual function
}
_SOFTWARE_PREFIXES = (NFD_PREFIX, NVIDIA_PREFIX, AMD_PREFIX)  # labels that software on the node sets
# Domains whose labels Kubernetes, Karpenter or AKS set on nodes.
_PLATFORM_DOMAINS = ("kubernetes.io", "k8s.io", KARPENTER_GROUP, "azure.com")
_CONSTANT_LABELS = {OS_LABEL: "linux"}
_LABELS_OF_USERS = (DEPLOY_OPERANDS_LABEL, DEVICE_PLUGIN_CONFIG_LABEL)  # NVIDIA's software reads them and sets none


def reaches(daemon: Daemon, pool: GpuPool, objects: Objects) -> Answer:
    """Whether the daemon runs on the nodes of the pool."""
    # Twenty rules ask about the same pairs. The answer keeps its pair alive, so that no other pair gets these ids.
    answers: dict[tuple[int, int], tuple[Answer, Daemon, GpuPool]] = objects.once("reaches", dict)
    pair = (id(daemon), id(pool))
    if pair not in answers:
        answers[pair] = (_reaches(daemon, pool, objects), daemon, pool)
    return answers[pair][0]


def _reaches(daemon: Daemon, pool: GpuPool, objects: Objects) -> Answer:
    if is_repelled(daemon, pool):
        return False
    if daemon.pod is None or not daemon.sure or daemon.cluster:
        return None
    if untolerated_taints(pool.pool.taints, daemon.pod.tolerations):
        return False
    is_chosen = chooses(daemon.pod, pool, objects)
    return _all((is_chosen, has_discovery(pool, objects))) if daemon.awaits else is_chosen


def is_repelled(daemon: Daemon, pool: GpuPool) -> bool:
    """Whether labels of the nodes keep the daemon away."""
    return any(has_label(pool, key, value) for key, value in daemon.opt_out.items())


def chooses(pod: Pod, pool: GpuPool, objects: Objects) -> Answer:
    """Whether its node selector and affinity match the nodes of the pool, regardless of taints."""
    return _any(_meets_all(term, pool, objects) for term in pod.terms())


def _meets_all(term: Requirements, pool: GpuPool, objects: Objects) -> Answer:
    return _all(_meets(required, pool, objects) for required in term.values())


def has_discovery(pool: GpuPool, objects: Objects) -> Answer:
    """Whether Node Feature Discovery labels the nodes of the pool."""
    answers: dict[int, tuple[Answer, GpuPool]] = objects.once("discovered", dict)  # as in `reaches`
    if id(pool) not in answers:
        # A worker may select nodes by labels that workers set. Only a worker outside the input can set the first one.
        answers[id(pool)] = (False if objects.closed else None, pool)
        answers[id(pool)] = (_discovered(pool, objects), pool)
    return answers[id(pool)][0]


def _discovered(pool: GpuPool, objects: Objects) -> Answer:
    workers = list(daemons(objects, "feature-discovery"))
    if not workers:
        return False if objects.closed and not _is_left_out(objects) else None
    # Not `reaches`: it would remember an answer that relies on the assumption above.
    return _any(_reaches(worker, pool, objects) for worker in workers)


def _is_left_out(objects: Objects) -> bool:
    """Whether a fleet of gitgpu turns it off in its GPU Operator: then the owner of another one has installed it."""
    return any(
        release.value("nfd", "enabled") is False
        and reach(release.item.body, "metadata", "labels", MANAGED_BY_LABEL) == "gitgpu"
        for release in releases(objects, OPERATOR)
    )


def selects(selector: Mapping[str, str], pool: GpuPool, objects: Objects) -> Answer:
    """Whether a node selector matches the nodes of the pool."""
    return _all(_meets(requirement(key, "In", [value]), pool, objects) for key, value in selector.items())


def obstacle(daemon: Daemon, pool: GpuPool, objects: Objects) -> str:
    """Why the daemon does not run on the nodes of the pool, given that it does not."""
    opt_out = next((f"{key}={value}" for key, value in daemon.opt_out.items() if has_label(pool, key, value)), "")
    if opt_out:
        return f"the node label {opt_out} keeps it off"
    taints = untolerated_taints(pool.pool.taints, daemon.pod.tolerations) if daemon.pod else []
    if taints:
        return f"it does not tolerate the taint {taint_text(taints[0])}"
    if daemon.awaits and has_discovery(pool, objects) is False:
        return f"it waits for Node Feature Discovery, {_blind(pool, objects)}"
    return "its node selector or affinity does not match them"


def _blind(pool: GpuPool, objects: Objects) -> str:
    for worker in daemons(objects, "feature-discovery"):
        taints = untolerated_taints(pool.pool.taints, worker.pod.tolerations) if worker.pod else []
        if taints:
            return f"whose worker does not tolerate the taint {taint_text(taints[0])}"
    return "which does not run there"


def has_label(pool: GpuPool, key: str, value: str) -> bool:
    """Whether all nodes of the pool have this label with this value."""
    label = pool.label(key)
    return label is not None and not label.complement and label.values == {value}


def _meets(required: Requirement, pool: GpuPool, objects: Objects) -> Answer:
    label = pool.label(required.key)
    if label is not None:
        if not meets(label, required):
            return False
        every_value_fits = not label.complement and all(required.takes(value) for value in label.values)
        return True if every_value_fits else None
    if required.key in _CONSTANT_LABELS:
        return required.takes(_CONSTANT_LABELS[required.key])
    sized = [_labels(sku, objects).get(required.key) for sku in pool.skus]
    if sized and None not in sized:
        return _agree(meets(labels_of_size, required) for labels_of_size in sized if labels_of_size)
    return _software(required, pool, objects)


def _labels(sku: Sku, objects: Objects) -> Mapping[str, Requirement]:
    return objects.once_per_run(("labels of size", sku.name), lambda: labels(sku))


def _software(required: Requirement, pool: GpuPool, objects: Objects) -> Answer:
    key = required.key
    if key.startswith(NFD_PREFIX):
        if not has_discovery(pool, objects):
            return has_discovery(pool, objects)
        return True if key.removeprefix(NFD_PREFIX) in _PRESENT.get(pool.maker, ()) else None
    if key == MANAGED_GPU_LABEL and pool.managed:
        return required.takes("enabled")
    if key in _LABELS_OF_USERS or (key == MANAGED_GPU_LABEL and pool.node_class):
        return required.operator in ABSENT
    domain, slash, _ = key.rpartition("/")
    if not slash or key.startswith(_SOFTWARE_PREFIXES) or domain.endswith(_PLATFORM_DOMAINS):
        return None  # AKS or the software on the node may set it
    return required.operator in ABSENT


def _all(answers: Iterable[Answer]) -> Answer:
    listed = list(answers)
    if False in listed:
        return False
    return None if None in listed else True


def _any(answers: Iterable[Answer]) -> Answer:
    listed = list(answers)
    if True in listed:
        return True
    return None if None in listed else False


def _agree(answers: Iterable[bool]) -> Answer:
    distinct = set(answers)
    return distinct.pop() if len(distinct) == 1 else None
