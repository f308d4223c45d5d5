"""GPU software that runs on every node that it can, installed by a chart or by the user's own DaemonSet."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.model.names.kinds import DEVICE_CONFIG, GPU_CLUSTER
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.model.syntax.image import part_name, short_name
from gitgpu.objects.gitops.chart_values import (
    OPERATOR,
    chart_row,
    effective_dotted_value,
    effective_value,
    operators,
    policies,
    title,
)
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.software.operands import is_operand
from gitgpu.objects.software.other_plugins import other_plugins
from gitgpu.objects.workload.pods import REQUIRED, Pod, pods, words_of
from gitgpu.source import Pointer

_IMAGES = {"k8s-device-plugin": "device-plugin", "dcgm-exporter": "dcgm-exporter"}
_AMD = {"k8s-device-plugin": "amd-device-plugin"}  # AMD's image has the same name
_DRA_IMAGES = frozenset({"dra-driver-nvidia-gpu", "k8s-dra-driver-gpu"})
_ALLOCATES_GPUS = re.compile(r"(?<![\w-])gpu-kubelet-plugin(?![\w-])")  # other programs of the image have other tasks
_NO_OPERANDS = {DEPLOY_OPERANDS_LABEL: "false"}  # a label of nodes without software of the GPU Operator
_NFD = "node-feature-discovery"
# A pod that mounts this directory of the node can register devices with the kubelet.
_SOCKETS = "/var/lib/kubelet/device-plugins"
_DISCOVERY = "feature-discovery"
OTHER_PLUGIN = "other-device-plugin"  # one that registers the GPUs under a different name


class Daemon(NamedTuple):
    """One part of the GPU software. `pod` has the conditions for its nodes; None if its scheduling cannot be read.

    `place` is where to turn it off: an object or a values file, and the place in it. `opt_out` are node labels that
    keep it away; with `awaits`, Node Feature Discovery has to label the node first. With `everywhere`, nothing
    restricts its nodes; with `marked`, it selects a label that people set on GPU nodes. Without `sure`, values outside
    the input may change all of this. `cluster` is "" for the cluster of the objects themselves. `release` has the
    release that installs it, and the dotted path of its scheduling settings there; None if they are not in values.
    """

    provides: str
    title: str
    item: Item
    place: tuple[Item, Pointer]
    pod: Pod | None
    opt_out: Mapping[str, str] = {}
    awaits: bool = False
    everywhere: bool = False
    sure: bool = True
    cluster: str = ""
    release: tuple[Release, str] | None = None
    marked: bool = False


def daemons(objects: Objects, *provides: str) -> Iterator[Daemon]:
    """The daemons that provide one of these parts."""
    all_daemons = objects.once(
        "daemons", lambda: (*_chart_daemons(objects), *_set_daemons(objects), *_other_daemons(objects))
    )
    return (daemon for daemon in all_daemons if daemon.provides in provides)


def _chart_daemons(objects: Objects) -> Iterator[Daemon]:
    # A cluster has one ClusterPolicy that counts: the GPU Operator ignores the others.
    acting = next((operator.item for operator in operators(objects) if _deploys(operator, objects)), None)
    for release in releases(objects):
        for part in chart_row(release, objects).get("daemons") or ():
            ignored = release.chart == OPERATOR and part["provides"] != _DISCOVERY and release.item is not acting
            if not ignored and _runs(release, part, objects):
                yield _daemon(release, part, objects)
    for policy in policies(objects):
        if policy.item is not acting:
            continue
        for part in chart_row(policy, objects)["daemons"]:
            if part["provides"] != _DISCOVERY and _runs(policy, part, objects):
                yield _daemon(policy, part, objects)


def _other_daemons(objects: Objects) -> Iterator[Daemon]:
    """Device plugins of other projects. Their labels select GPU nodes, so without pools they may meet any plugin."""
    for plugin in other_plugins(objects):
        provides = "device-plugin" if plugin.counts_gpus else OTHER_PLUGIN
        item = plugin.pod.item
        yield Daemon(
            provides,
            plugin.title,
            item,
            plugin.place,
            plugin.pod,
            everywhere=not plugin.pod.spec.get("nodeSelector"),
            sure=plugin.sure,
            cluster=plugin.cluster,
            marked=True,
        )


def _deploys(release: Release, objects: Objects) -> bool:
    return effective_value(release, objects, "clusterPolicy", "deployCR") is not False


def _runs(release: Release, part: Mapping[str, Any], objects: Objects) -> bool:
    return all(effective_dotted_value(release, objects, path) is True for path in part["enabled"])


def _daemon(release: Release, part: Mapping[str, Any], objects: Objects) -> Daemon:
    path = part["enabled"][-1].split(",")[-1].split(".") if part["enabled"] else ()
    where = part["scheduling"]
    below = where.split(".") if where else ()
    selects = any(release.value(*below, key) for key in ("affinity", "nodeSelector"))
    return Daemon(
        provides=part["provides"],
        title=title(release),
        item=release.item,
        place=release.locate(*path),
        pod=_pod(release, part, objects),
        opt_out=part["optOut"],
        awaits=part.get("awaits") is not None,
        everywhere=where is not None and not selects,
        sure=release.whole,
        cluster=release.cluster,
        release=None if where is None else (release, where),
    )


def _pod(release: Release, part: Mapping[str, Any], objects: Objects) -> Pod | None:
    where = part["scheduling"]
    path = where.split(".") if where else ()
    scheduling = mapping_at(effective_value(release, objects, *path)) if where is not None else {}
    tolerations = [*list_at(scheduling, "tolerations"), *part["tolerations"]]
    spec = {
        "tolerations": tolerations,
        "nodeSelector": scheduling.get("nodeSelector"),
        "affinity": scheduling.get("affinity"),
    }
    return Pod(release.item, release.pointer, spec, {}) if _readable(spec) else None


def _readable(spec: Mapping[str, Any]) -> bool:
    """Whether values that no schema has checked have the shape of a pod's scheduling settings."""
    selector = spec["nodeSelector"] or {}
    if not isinstance(selector, dict) or not all(isinstance(value, str) for value in selector.values()):
        return False
    if not all(isinstance(toleration, dict) for toleration in spec["tolerations"]):
        return False
    inner: Any = spec
    for part in REQUIRED:
        if not isinstance(inner, dict):
            return inner is None
        inner = inner.get(part)
    if inner is None:
        return True
    return isinstance(inner, list) and all(_term(term) for term in inner)


def _term(written: Any) -> bool:
    if not isinstance(written, dict):
        return False
    expressions = written.get("matchExpressions") or []
    return isinstance(expressions, list) and all(map(_is_expression, expressions))


def _is_expression(written: Any) -> bool:
    if not isinstance(written, dict):
        return False
    is_named = isinstance(written.get("key"), str) and isinstance(written.get("operator"), str)
    return is_named and isinstance(written.get("values") or [], list)


def _set_daemons(objects: Objects) -> Iterator[Daemon]:
    yield from map(_amd_daemon, objects.of(*DEVICE_CONFIG))
    yield from chain.from_iterable(map(_cluster_daemons, objects.of(*GPU_CLUSTER)))
    daemon_sets = (pod for pod in pods(objects) if pod.is_daemon)
    yield from filter(None, map(_set_daemon, daemon_sets))


def _set_daemon(pod: Pod) -> Daemon | None:
    """The daemon that a DaemonSet runs, by its first container with a known part."""
    for place, container in pod.containers():
        if provides := _provides(container, pod):
            title = f"DaemonSet {pod.item.identity.name}"
            selects = pod.spec.get("nodeSelector") or reach(pod.spec, *REQUIRED)
            image = (pod.item, (*place, "image"))
            opt_out = _NO_OPERANDS if is_operand(pod.item.body) else {}
            return Daemon(provides, title, pod.item, image, pod, opt_out, everywhere=not selects)
    return None


def _amd_daemon(item: Item) -> Daemon:
    """The device plugin that AMD's operator installs for a DeviceConfig, unless it is disabled."""
    part = reach(item.body, "spec", "devicePlugin") or {}
    runs = part.get("enableDevicePlugin") is not False
    selector = reach(item.body, "spec", "selector") or {}
    spec = {"nodeSelector": selector, "tolerations": part.get("devicePluginTolerations")}
    pod = Pod(item, ("spec",), spec, {})
    title = f"DeviceConfig {item.identity.name}"
    return Daemon("amd-device-plugin" if runs else "", title, item, (item, ("spec",)), pod, everywhere=not selector)


def _cluster_daemons(item: Item) -> Iterator[Daemon]:
    """The DRA driver and the exporter that the GPU Operator installs for a GPUCluster."""
    spec = mapping_at(item.body, "spec")
    pod = Pod(item, ("spec",), {"tolerations": list_at(spec, "daemonsets", "tolerations")}, {})
    exports = "dcgmExporter" in spec and reach(spec, "dcgmExporter", "enabled") is not False
    for provides, key in (("dra-gpus", "draDriver"), *([("dcgm-exporter", "dcgmExporter")] if exports else ())):
        title, place = f"GPUCluster {item.identity.name}", (item, ("spec", key))
        yield Daemon(provides, title, item, place, pod, opt_out=_NO_OPERANDS, awaits=True, everywhere=True)


def masters(objects: Objects) -> Iterator[tuple[Pod, Pointer]]:
    """The master pods of the user's own Node Feature Discovery, and the place of that container."""
    for pod in pods(objects):
        for place, container in pod.containers():
            if _runs_of_nfd(container, "nfd-master"):
                yield pod, place
                break


def _runs_of_nfd(container: Mapping[str, Any], part: str) -> bool:
    """Whether the container runs this part of Node Feature Discovery: one image has all parts, with other commands."""
    if _NFD not in str(container.get("image") or ""):
        return False
    return any(word.endswith(part) for word in words_of(container))


def _provides(container: Mapping[str, Any], pod: Pod) -> str:
    image = str(container.get("image") or "")
    name = short_name(image)
    if name in _DRA_IMAGES:
        return "dra-gpus" if any(map(_ALLOCATES_GPUS.search, words_of(container))) else ""
    of_maker = _AMD if "rocm" in image else _IMAGES
    provides = of_maker.get(part_name(image, of_maker), "")
    if name == _NFD and _runs_of_nfd(container, "nfd-worker"):
        return _DISCOVERY
    if provides.endswith("device-plugin") and not _has_sockets(pod):
        return ""  # GPU Feature Discovery and the MPS daemon are in the same image
    return provides


def _has_sockets(pod: Pod) -> bool:
    paths = (reach(volume, "hostPath", "path") for volume in pod.spec.get("volumes") or ())
    return any(str(path).startswith(_SOCKETS) for path in paths)
