"""Why a node of the cluster has no GPUs: the device plugin does not reach it, or its pod there does not run."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import Evidence, subject_of
from gitgpu.diagnose.nodes.configs import MIG_STATE_LABEL, missing_config, missing_layout
from gitgpu.diagnose.nodes.reaching import why_kept_off
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.containers import init_container
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import DAEMON_SET, POD
from gitgpu.model.names.labels import MIG_CONFIG_LABEL, NODE_IMAGE_LABEL
from gitgpu.model.software.advisories import Verdict, advisories, match
from gitgpu.model.symptoms import rules_of
from gitgpu.objects.objects import Item
from gitgpu.objects.software.advised import node_subject
from gitgpu.objects.software.daemons import daemons

# Parts of the names of what prepares a node before a device plugin can run there.
_PREPARING = ("nvidia-driver", "nvidia-container-toolkit", "nvidia-operator-validator", "nvidia-mig-manager")
_FAILED_MIG, _CHANGING_MIG = "failed", ("pending", "rebooting")


class Obstacle(NamedTuple):
    """Why the software of a node does not provide its GPUs."""

    message: str
    remedy: str
    evidence: tuple[Evidence, ...]
    commands: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


def obstacle(node: Item, provides: str, registered: int, state: State) -> Obstacle:
    """What keeps the GPUs of a node from being used, as far as the dump says.

    `registered` is how many GPUs the capacity of the node has: allocatable has none of them.
    """
    return (
        obstacle_of_image(node, state)
        or _missing_config(node, state)
        or _failed_layout(node)
        or _failed_pod(node, state)
        or _waiting_plugin(node, state)
        or _unhealthy_gpus(node, registered)
        or _missing_plugin(node, provides, state)
        or _idle_plugin(node, state)
        or Obstacle(
            "no device plugin has registered its GPUs, and the dump does not say why",
            "look at the device plugin and the driver on the node",
            (),
            (f"kubectl get pods -A -o wide --field-selector spec.nodeName={node.identity.name}",),
        )
    )


def _unhealthy_gpus(node: Item, registered: int) -> Obstacle | None:
    """GPUs that were registered: allocatable has only those whose device plugin runs and reports them as healthy."""
    if not registered:
        return None
    name = node.identity.name
    gpus = "its GPU" if registered == 1 else f"all {registered} GPUs"
    return Obstacle(
        f"the device plugin reports {gpus} as unhealthy, or has stopped",
        "look for XID errors in the log of the device plugin, and replace the node if the GPUs have failed",
        (Evidence(f"Node {name}", f"capacity has {registered} GPUs"),),
        (f"kubectl get pods -A -o wide --field-selector spec.nodeName={name}",),
    )


def obstacle_of_image(node: Item, state: State) -> Obstacle | None:
    """An advisory about the versions of the node that costs it its GPUs."""
    combination = node_subject(node, state.objects).combination
    for advisory in advisories(state.objects.catalog):
        if advisory.no_gpus and match(advisory, combination, state.objects.today).verdict is Verdict.YES:
            image = mapping_at(node.body, "metadata", "labels").get(NODE_IMAGE_LABEL, "")
            return Obstacle(
                f"the driver does not work on its node image: {advisory.effect}",
                advisory.remedy,
                (Evidence(f"Node {node.identity.name}", f"label {NODE_IMAGE_LABEL}={image}"),),
                rules=(advisory.id,),
            )
    return None


def _missing_config(node: Item, state: State) -> Obstacle | None:
    """A configuration of the device plugin, or a MIG layout, that the node selects and its ConfigMap lacks."""
    missing = missing_config(node, state) or missing_layout(node, state)
    return Obstacle(missing.message, missing.remedy, missing.evidence, rules=missing.rules) if missing else None


def _failed_layout(node: Item) -> Obstacle | None:
    labels = mapping_at(node.body, "metadata", "labels")
    layout, state = labels.get(MIG_CONFIG_LABEL, ""), labels.get(MIG_STATE_LABEL)
    if state in _CHANGING_MIG:
        return Obstacle(
            f"the MIG manager has not finished the layout {layout}".rstrip(),
            "look at the log of the MIG manager on this node; it waits for pods that use the GPUs",
            (Evidence(f"Node {node.identity.name}", f"label {MIG_STATE_LABEL}={state}"),),
        )
    return failed_layout(node)


def failed_layout(node: Item) -> Obstacle | None:
    """A MIG layout that the MIG manager could not apply."""
    labels = mapping_at(node.body, "metadata", "labels")
    if labels.get(MIG_STATE_LABEL) != _FAILED_MIG:
        return None
    return Obstacle(
        f"the MIG manager could not apply the layout {labels.get(MIG_CONFIG_LABEL, '')}".rstrip(),
        "choose a layout that the GPU has, and look at the log of the MIG manager on this node",
        (Evidence(f"Node {node.identity.name}", f"label {MIG_STATE_LABEL}={_FAILED_MIG}"),),
    )


def _failed_pod(node: Item, state: State) -> Obstacle | None:
    """A pod of the GPU software on the node that does not run."""
    for pod in _pods_on(node, state):
        name = pod.identity.name
        if not _is_plugin(pod) and not any(part in name for part in _PREPARING):
            continue
        if trouble := _trouble(pod):
            space, owner = pod.identity.namespace, name.rpartition("-")[0] or name
            pulls = trouble.startswith(("ImagePull", "ErrImagePull"))
            return Obstacle(
                f"pod {owner} of the GPU software does not run there: {trouble.partition(':')[0]}",
                "correct the image, or its pull secret" if pulls else "correct what its log says",
                (Evidence(f"Pod {space}/{name}", trouble),),
                (
                    f"kubectl describe pod -n {space} {name}"
                    if pulls
                    else f"kubectl logs -n {space} {name} --all-containers --previous",
                ),
            )
    return None


def _is_plugin(pod: Item) -> bool:
    return any("device-plugin" in text_at(row, "image") for row in rows(pod.body, "spec", "containers"))


def _waiting_plugin(node: Item, state: State) -> Obstacle | None:
    """The pod of the device plugin for a node, which does not fit there."""
    for pod in filter(_is_plugin, state.objects.of(*POD)):
        scheduled = condition(pod, "PodScheduled")
        if scheduled and scheduled.status == "False" and daemon_node(pod) == node.identity.name:
            space, name = pod.identity.namespace, pod.identity.name
            return Obstacle(
                "the pod of the device plugin is not scheduled on the node",
                "correct what kube-scheduler says; the priority class system-node-critical lets it displace other pods",
                (Evidence(f"Pod {space}/{name}", str(scheduled)),),
                (f"kubectl describe pod -n {space} {name}",),
            )
    return None


def daemon_node(pod: Item) -> str:
    """The node that the DaemonSet controller has chosen for a pod; "" for other pods."""
    terms = list_at(
        pod.body,
        "spec",
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
    )
    fields = (field for term in terms for field in rows(mapping_at(term), "matchFields"))
    names = (list_at(field, "values") for field in fields if field.get("key") == "metadata.name")
    return next((str(name) for values in names for name in values), "")


def _idle_plugin(node: Item, state: State) -> Obstacle | None:
    """A device plugin that waits for the driver in an init container, or runs and offers no GPU."""
    for pod in filter(_is_plugin, _pods_on(node, state)):
        space, name = pod.identity.namespace, pod.identity.name
        waits = init_container(pod)
        known = state.objects.catalog.must("symptoms", "driver-validation" if waits else "device-plugin-no-devices")
        if not waits and text_at(pod.body, "status", "phase") != "Running":
            continue
        shown = f"its init container {waits} runs" if waits else "runs"
        what = (
            f"waits for the driver or the toolkit, in its init container {waits}" if waits else "runs and offers no GPU"
        )
        return Obstacle(
            f"the device plugin on the node {what}",
            str(known["remedy"]),
            (Evidence(f"Pod {space}/{name}", shown),),
            (f"kubectl logs -n {space} {name} --all-containers",),
        )
    return None


def _pods_on(node: Item, state: State) -> Iterator[Item]:
    for pod in state.objects.of(*POD):
        if reach(pod.body, "spec", "nodeName") == node.identity.name:
            yield pod


def _trouble(pod: Item) -> str:
    """Why a pod on a node does not run; "" if it does, or if the dump does not say."""
    for key in ("initContainerStatuses", "containerStatuses"):
        for container in rows(pod.body, "status", key):
            waiting = mapping_at(container, "state", "waiting")
            reason, message = text_at(waiting, "reason"), text_at(waiting, "message")
            if reason and reason not in ("PodInitializing", "ContainerCreating"):
                return f"{reason}: container {text_at(container, 'name')}: {message}".rstrip(": ")
    return ""


def _missing_plugin(node: Item, provides: str, state: State) -> Obstacle | None:
    """The device plugins of the cluster, if none reaches the node."""
    plugins = list(daemons(state.objects, provides))
    if not plugins:
        if not state.has_kind(DAEMON_SET.kind):
            return None
        return Obstacle(
            "no DaemonSet of the cluster is a device plugin",
            "install the device plugin of the GPU, or the GPU Operator, on these nodes",
            (),
            rules=rules_of("resource-not-registered", state.objects.catalog),
        )
    found: list[Evidence] = []
    for plugin in plugins:
        why = why_kept_off(plugin.pod, node) if plugin.pod else ""
        if not why:
            return None
        found.append(Evidence(f"DaemonSet {subject_of(plugin.item).title}", why))
    name = found[0].object
    message = f"the device plugin ({name}) does not reach the node: it {found[0].text}"
    taint = found[0].text.partition("the taint ")[2]
    remedy = (
        f"add a toleration for {taint} to the {name}"
        if taint
        else f"set the labels that it requires on the nodes of the pool, or correct the node selector of the {name}"
    )
    return Obstacle(message, remedy, tuple(found), rules=rules_of("resource-not-registered", state.objects.catalog))
