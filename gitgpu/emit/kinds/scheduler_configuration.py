"""The profile of AKS's scheduler for GPU pods. AKS reads one object, with one name, in which all profiles are."""

import json
from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import SCHEDULER_CONFIGURATION
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.scheduler import BINPACK

NAME = "upstream"  # the only name that AKS reads
VERSION = "kubescheduler.config.k8s.io/v1"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """In the last layer: if AKS does not serve the kind yet, only this layer fails."""
    if plan.packed:
        text = json.dumps(_configuration(plan.packed), indent=2) + "\n"
        body = {
            "apiVersion": f"{SCHEDULER_CONFIGURATION.group}/v1alpha1",
            "kind": SCHEDULER_CONFIGURATION.kind,
            "metadata": {"name": NAME},
            "spec": {"rawConfig": text},
        }
        yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, plan.mark)


def _configuration(resources: tuple[str, ...]) -> Body:
    """Without default constraints, only pods that ask for it are spread, which would outweigh the GPUs in use."""
    packed = {"type": "MostAllocated", "resources": [{"name": name, "weight": 1} for name in resources]}
    arguments: dict[str, Body] = {
        "NodeResourcesFit": {"scoringStrategy": packed},
        "PodTopologySpread": {"defaultingType": "List"},
    }
    plugins = [
        {"name": name, "args": {"apiVersion": VERSION, "kind": f"{name}Args", **values}}
        for name, values in arguments.items()
    ]
    profiles = [{"schedulerName": BINPACK, "pluginConfig": plugins}]
    return {"apiVersion": VERSION, "kind": "KubeSchedulerConfiguration", "profiles": profiles}


EMITTER = Emitter(SCHEDULER_CONFIGURATION.kind, emit)
