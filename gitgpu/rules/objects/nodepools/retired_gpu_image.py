"""An object that requests the retired specialised GPU image of AKS."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.names.groups import CONTAINER_SERVICE_GROUP
from gitgpu.model.names.kinds import CONFIG_MAP, MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.names.labels import NODE_IMAGE_LABEL
from gitgpu.model.software.retired_image import retired_image_text
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.pods import partial_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    image = objects.catalog.must("pools", "aks")["retiredImage"]
    header, versions = objects.once_per_run("retired image", lambda: _patterns(image))
    message = retired_image_text(objects.catalog)
    remedy = "remove it: AKS installs the driver on GPU nodes; add a device plugin or the GPU Operator"
    for item, place, key in (*_pools(objects), *_texts(objects)):
        if header.search(str(key)):
            yield Finding(item, place, f"{message}, and ignores {image['header']}", remedy)
    for pod in partial_pods(objects):
        for required in required_labels(pod):
            # A pod that keeps away from the image still runs.
            if required.key != NODE_IMAGE_LABEL or not required.is_positive:
                continue
            for place, value in required.values:
                if versions.search(value):
                    text = f"{message}: no node has the image {value}"
                    yield Finding(pod.item, place, text, "select nodes by another label")


def _patterns(image: Facts) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(re.escape(image["header"]), re.IGNORECASE), re.compile(image["versions"], re.IGNORECASE)


def _pools(objects: Objects) -> Iterator[tuple[Item, Pointer, str]]:
    """The keys of tags, labels and annotations of AKS node pools and clusters, and the values of annotations."""
    for pool in agent_pools(objects):
        for group in ("tags", "nodeLabels"):
            yield from ((pool.item, pool.place(group, key), key) for key in pool.spec.get(group) or ())
    for kind in (MANAGED_CLUSTER.kind, MANAGED_CLUSTERS_AGENT_POOL.kind):
        for item in objects.of(CONTAINER_SERVICE_GROUP, kind):
            at = ("metadata", "annotations")
            yield from ((item, (*at, key), f"{key}={value}") for key, value in _entries(item, at))


def _texts(objects: Objects) -> Iterator[tuple[Item, Pointer, str]]:
    """Commands and arguments of containers, and the data of ConfigMaps."""
    for pod in partial_pods(objects):
        for place, container in pod.containers():
            for part in ("command", "args"):
                yield from (
                    (pod.item, (*place, part, index), text) for index, text in enumerate(container.get(part) or ())
                )
    for item in objects.of(*CONFIG_MAP):
        yield from ((item, ("data", key), text) for key, text in _entries(item, ("data",)))


def _entries(item: Item, path: Pointer) -> Iterator[tuple[str, str]]:
    entries: Mapping[str, Any] = reach(item.body, *path) or {}
    return ((key, str(value)) for key, value in entries.items())


RULE = Rule(
    code="DRV081",
    name="retired-gpu-image",
    twin="DRV080",
    severity=Severity.WARNING,
    summary="An object requests the specialised GPU image that AKS has retired, or selects nodes that have it.",
    help="The request header UseGPUDedicatedVHD once selected a node image with the driver and the device plugin. AKS "
    "no longer creates pools with it. AKS installs the driver on every GPU node, and you install the device plugin.",
    sources=("https://github.com/Azure/AKS/issues/4472", "https://github.com/Azure/AgentBaker/pull/5552"),
    facts=("pools/aks",),
    check=_check,
)
