"""Pods that bring a node and hold it, because KAITO looks for nodes before it makes a pod.

They tolerate what GPU pods tolerate, and say that they want none of the GPUs.
"""

import hashlib
import json
from collections.abc import Iterator

from gitgpu.emit.configured import HARDENED
from gitgpu.emit.emitter import Body, Emitter, on_pools, tolerating
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.models import Holder

WHILE = 1800  # seconds; KAITO asks for nodes every two, but after an error not for a quarter of an hour
ENDS = ["/pause", "-v"]  # says its version, and ends


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """A Deployment for each pool that serves models, a Job for each model that is tuned."""
    for one in plan.serving.holders:
        layer, body = (Layer.WORKLOADS, _deployment(one)) if one.lasting else (Layer.MODELS, _job(one))
        yield Manifest(plan.cluster.name, layer, body, plan.mark, rows=one.rows)


def _deployment(one: Holder) -> Body:
    labels = {"app.kubernetes.io/name": "first-node", "app.kubernetes.io/instance": one.pool}
    pod = {**_pod(one), "containers": [_container(one, "hold")]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": one.name, "namespace": one.namespace, "labels": labels},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def _job(one: Holder) -> Body:
    """The image has no sleep: a sidecar counts as started only after a while, and then the container that ends runs.

    Its name is that of its content too: the pods of a Job cannot be changed, and another task needs another Job.
    """
    late = {"exec": {"command": ENDS}, "initialDelaySeconds": WHILE}
    hold = {**_container(one, "hold"), "restartPolicy": "Always", "startupProbe": late}
    done = {**_container(one, "done"), "command": ENDS}
    pod = {**_pod(one), "restartPolicy": "Never", "initContainers": [hold], "containers": [done]}
    content = hashlib.sha256(json.dumps([pod, one.task], sort_keys=True).encode()).hexdigest()[:5]
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": f"{one.name}-{content}", "namespace": one.namespace},
        "spec": {"template": {"spec": pod}},
    }


def _pod(one: Holder) -> Body:
    return {
        "automountServiceAccountToken": False,
        "affinity": on_pools(one.reach.pools),
        **tolerating(one.reach.tolerations),
        "securityContext": {"runAsNonRoot": True, "runAsUser": 65535, "seccompProfile": {"type": "RuntimeDefault"}},
    }


def _container(one: Holder, name: str) -> Body:
    return {
        "name": name,
        "image": one.image,
        "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
        "resources": {"requests": {"cpu": "10m", "memory": "16Mi"}, "limits": {"memory": "16Mi"}},
        "securityContext": HARDENED,
    }


EMITTER = Emitter("node holder", emit)
