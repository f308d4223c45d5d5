"""Something that asks for the specialised GPU image of AKS."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.node.agent_pools import GROUP, agent_pools
from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.node_constraints import required_labels
from gitgpu.conform.workload.pods import partial_pods
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

BAD = """
apiVersion: batch/v1
kind: Job
metadata: {name: add-gpu-pool, namespace: platform}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: az
        image: mcr.microsoft.com/azure-cli:2.87.0
        command: [az, aks, nodepool, add, --name, gpu, --aks-custom-headers, UseGPUDedicatedVHD=true]
        resources: {limits: {memory: 1Gi}}
"""
_VERSION = "kubernetes.azure.com/node-image-version"


def _check(objects: Objects) -> Iterator[Finding]:
    image = objects.catalog.must("pools", "aks")["retiredImage"]
    wanted = re.compile(re.escape(image["header"]), re.IGNORECASE)
    versions = re.compile(image["versions"], re.IGNORECASE)
    message = f"AKS retired its specialised GPU image on {image['since']}"
    remedy = "leave it out: AKS installs the driver on GPU nodes; add a device plugin or the GPU Operator"
    for item, place, key in (*_pools(objects), *_texts(objects)):
        if wanted.search(str(key)):
            yield Finding(item, place, f"{message}, and nothing heeds {image['header']}", remedy)
    for pod in partial_pods(objects):
        for wish in required_labels(pod):
            for place, value in wish.values if wish.key == _VERSION and wish.is_positive else ():
                if versions.search(value):
                    yield Finding(
                        pod.item, place, f"{message}: no node is made from {value}", "select nodes by another label"
                    )


def _pools(objects: Objects) -> Iterator[tuple[Item, Pointer, str]]:
    """The names of what is noted on node pools and clusters of AKS."""
    for pool in agent_pools(objects):
        for group in ("tags", "nodeLabels"):
            yield from ((pool.item, pool.place(group, key), key) for key in pool.spec.get(group) or ())
    for kind in ("ManagedCluster", "ManagedClustersAgentPool"):
        for item in objects.of(GROUP, kind):
            at = ("metadata", "annotations")
            yield from ((item, (*at, key), f"{key}={value}") for key, value in _entries(item, at))


def _texts(objects: Objects) -> Iterator[tuple[Item, Pointer, str]]:
    """What containers are told to run, and what ConfigMaps hold."""
    for pod in partial_pods(objects):
        for place, container in pod.containers():
            for part in ("command", "args"):
                yield from ((pod.item, (*place, part, at), text) for at, text in enumerate(container.get(part) or ()))
    for item in objects.of("", "ConfigMap"):
        yield from ((item, ("data", key), text) for key, text in _entries(item, ("data",)))


def _entries(item: Item, path: Pointer) -> Iterator[tuple[str, str]]:
    found: Mapping[str, Any] = reach(item.body, *path) or {}
    return ((key, str(value)) for key, value in found.items())


RULE = Rule(
    code="DRV081",
    name="wanted-gpu-image",
    severity=Severity.WARNING,
    summary="An object asks for the specialised GPU image that AKS has retired, or for nodes made from it.",
    help="A header of a request, UseGPUDedicatedVHD, once chose a node image with the driver and the device plugin in "
    "it. AKS makes no pool with it any more. It installs the driver on every GPU node by itself; what advertises the "
    "GPUs is yours to add.",
    sources=("https://github.com/Azure/AKS/issues/4472", "https://github.com/Azure/AgentBaker/pull/5552"),
    check=_check,
    bad=BAD,
    good=BAD.replace(", --aks-custom-headers, UseGPUDedicatedVHD=true", ""),
)
