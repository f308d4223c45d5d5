"""A node-problem-detector for nodes whose GPUs the AKS detector does not check: it reads the node's kernel log.

It sets only the condition that the AKS detector would set, so one alert covers both.
"""

import hashlib
import json
from collections.abc import Iterator

from gitgpu.emit.emitter import NODE_NAME, Body, Emitter, config_map, daemon_set
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import RBAC_GROUP
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.health import Condition, Detector

NAME = "gpu-problem-detector"
LABELS = {APP_NAME_LABEL: NAME}
FOLDER, FILE = "/gitgpu", "gpus.json"
KMSG = "/dev/kmsg"
LOOKBACK = "8760h"  # back to the start of the node and its log, so that a restarted detector misses nothing
ROLE = "system:node-problem-detector"  # a role that Kubernetes includes


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The DaemonSets, their configuration, and their permission to set conditions of nodes."""
    if plan.care.health and plan.care.health.detector:
        detector = plan.care.health.detector
        text = json.dumps(_config(detector), indent=2) + "\n"
        config = f"{NAME}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"  # read only at the start
        bodies = [
            *_access(),
            config_map(config, NAMESPACE, {FILE: text}),
            *(daemon_set(NAME, NAMESPACE, LABELS, place, _pod(detector, config)) for place in detector.placements),
        ]
        for body in bodies:
            rows = detector.rows if body["kind"] == "DaemonSet" else ()
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=rows)


def _access() -> Iterator[Body]:
    rbac = RBAC_GROUP
    yield {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": NAME, "namespace": NAMESPACE}}
    yield {
        "apiVersion": f"{rbac}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": NAME},
        "roleRef": {"apiGroup": rbac, "kind": "ClusterRole", "name": ROLE},
        "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": NAMESPACE}],
    }


def _config(detector: Detector) -> Body:
    return {
        "plugin": "kmsg",
        "logPath": KMSG,
        "lookback": LOOKBACK,
        "bufferSize": 10,  # lines of the log that patterns see, as in upstream's config/kernel-monitor.json
        "source": NAME,
        "conditions": [_healthy(condition) for condition in detector.conditions],
        "rules": [_rule(condition) for condition in detector.conditions],
    }


def _healthy(condition: Condition) -> Body:
    return {
        "type": condition.types[0],
        "reason": f"No{condition.types[0]}",
        # Another text gives the ConfigMap another name, which restarts the DaemonSet on every cluster.
        "message": "the kernel log tells of none",
    }


def _rule(condition: Condition) -> Body:
    """A permanent problem sets a condition, whose message is the line of the log."""
    return {
        "type": "permanent",
        "condition": condition.types[0],
        "reason": condition.types[0],
        "pattern": condition.pattern,
    }


def _pod(detector: Detector, config: str) -> Body:
    return {
        "serviceAccountName": NAME,
        "containers": [_container(detector)],
        "volumes": [
            {"name": "kmsg", "hostPath": {"path": KMSG, "type": "CharDevice"}},
            {"name": "config", "configMap": {"name": config}},
        ],
    }


def _container(detector: Detector) -> Body:
    """The log of the kernel is a device of the host, which only privileged containers may open.

    There is no probe: the health endpoint of the detector always answers, and only its own pod can reach it, unless the
    profiles next to it are served to every pod too.
    """
    return {
        "name": NAME,
        "image": detector.image,
        "command": ["/node-problem-detector"],
        "args": ["--logtostderr", f"--config.system-log-monitor={FOLDER}/{FILE}"],
        "env": [NODE_NAME],
        "resources": {"requests": {"cpu": "10m", "memory": detector.memory}, "limits": {"memory": detector.memory}},
        "securityContext": {"privileged": True},
        "volumeMounts": [
            {"name": "kmsg", "mountPath": KMSG, "readOnly": True},
            {"name": "config", "mountPath": FOLDER, "readOnly": True},
        ],
    }


EMITTER = Emitter("node-problem-detector", emit)
