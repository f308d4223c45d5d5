"""Pods that bring up a node and hold it, because KAITO looks for nodes before it creates a pod.

They tolerate what GPU pods tolerate, and declare that they need none of the GPUs.
"""

import hashlib
import json
from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, on_pools, tolerating
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.plugin_config import HARDENED
from gitgpu.model.names.labels import APP_INSTANCE_LABEL, APP_NAME_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.models import Holder

WHILE = 1800  # seconds; KAITO looks for nodes every two seconds, but waits a quarter of an hour after an error
ENDS = ["/pause", "-v"]  # prints its version and exits


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A Deployment for each pool that serves models, and a Job for each model that is tuned."""
    for holder in plan.serving.holders:
        layer, body = (Layer.WORKLOADS, _deployment(holder)) if holder.lasting else (Layer.MODELS, _job(holder))
        yield Manifest(plan.cluster.name, layer, body, plan.mark, rows=holder.rows)


def _deployment(holder: Holder) -> Body:
    labels = {APP_NAME_LABEL: "first-node", APP_INSTANCE_LABEL: holder.pool}
    pod = {**_pod(holder), "containers": [_container(holder, "hold")]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": holder.name, "namespace": holder.namespace, "labels": labels},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def _job(holder: Holder) -> Body:
    """A Job that holds a node for a while, and then ends."""
    # The image has no `sleep`. The delayed probe of the sidecar holds the node; then the container that exits starts.
    late = {"exec": {"command": ENDS}, "initialDelaySeconds": WHILE}
    hold = {**_container(holder, "hold"), "restartPolicy": "Always", "startupProbe": late}
    done = {**_container(holder, "done"), "command": ENDS}
    pod = {**_pod(holder), "restartPolicy": "Never", "initContainers": [hold], "containers": [done]}
    # The pods of a Job cannot be changed, so another task needs a Job with a different name.
    content = hashlib.sha256(json.dumps([pod, holder.task], sort_keys=True).encode()).hexdigest()[:5]
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": f"{holder.name}-{content}", "namespace": holder.namespace},
        "spec": {"template": {"spec": pod}},
    }


def _pod(holder: Holder) -> Body:
    return {
        "automountServiceAccountToken": False,
        "affinity": on_pools(holder.placement.pools),
        **tolerating(holder.placement.tolerations),
        # The user of the image as of 3.5: https://github.com/kubernetes/kubernetes/pull/97963.
        "securityContext": {"runAsNonRoot": True, "runAsUser": 65535, "seccompProfile": {"type": "RuntimeDefault"}},
    }


def _container(holder: Holder, name: str) -> Body:
    return {
        "name": name,
        "image": holder.image,
        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
        "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"memory": "16Mi"}},
        "securityContext": HARDENED,
    }


EMITTER = Emitter("node holder", emit)
