"""A configuration of the device plugin that is passed as environment variables instead of a file."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.load.access import listed, mapping, reach
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    config_maps = {(config.item.identity.namespace, config.item.identity.name) for config in plugin_configs(objects)}
    for daemon in daemons(objects, "device-plugin"):
        if not daemon.pod:
            continue
        for place, container in daemon.pod.containers():
            for where, name in _variables(container):
                if (daemon.item.identity.namespace, name) in config_maps:
                    message = (
                        f"ConfigMap {name} is passed as environment variables, which the device plugin does not read"
                    )
                    remedy = (
                        "mount the ConfigMap as a volume, and set --config-file or CONFIG_FILE to the path of the file"
                    )
                    yield Finding(daemon.item, (*place, *where), message, remedy)


def _variables(container: Mapping[str, Any]) -> Iterator[tuple[Pointer, str | None]]:
    for index, source in enumerate(listed(container.get("envFrom"))):
        yield ("envFrom", index), reach(mapping(source), "configMapRef", "name")
    for index, source in enumerate(listed(container.get("env"))):
        yield ("env", index), reach(mapping(source), "valueFrom", "configMapKeyRef", "name")


_CONFIG = """
apiVersion: v1
kind: ConfigMap
metadata: {name: sharing, namespace: gpu-resources}
data:
  config.yaml: |
    version: v1
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""
_DAEMON_SET = """---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: plugin}}
  template:
    metadata: {labels: {app: plugin}}
    spec:
      tolerations: [{operator: Exists}]
      containers:
      - name: plugin
        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
        envFrom: [{configMapRef: {name: sharing}}]
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes:
      - {name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}
"""
_BAD = _CONFIG + _DAEMON_SET
_UNREADABLE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  interval: 1h
  chart: {spec: {chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values: {config: {name: sharing}, nodeSelector: gpu}
"""
_MOUNTED = "volumeMounts: [{name: config, mountPath: /config}, "

RULE = Rule(
    code="SHR019",
    name="plugin-config-in-environment",
    severity=Severity.WARNING,
    summary="A configuration of the device plugin is passed to it as environment variables.",
    help="The device plugin reads its configuration only from a file. It ignores these variables, so no GPU is shared.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/615",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/config.go",
    ),
    check=_check,
    bad=_BAD,
    good=_BAD.replace("envFrom: [{configMapRef: {name: sharing}}]", "args: [--config-file=/config/config.yaml]")
    .replace("volumeMounts: [", _MOUNTED)
    .replace("volumes:\n", "volumes:\n      - {name: config, configMap: {name: sharing}}\n"),
    variants=(
        _BAD.replace(
            "envFrom: [{configMapRef: {name: sharing}}]",
            "env: [{name: CONFIG, valueFrom: {configMapKeyRef: {name: sharing, key: config.yaml}}}]",
        ),
    ),
    near_misses=(
        # This ConfigMap is not a configuration of the plugin.
        _BAD.replace("envFrom: [{configMapRef: {name: sharing}}]", "envFrom: [{configMapRef: {name: flags}}]"),
        # The name in envFrom means a ConfigMap in the pod's own namespace.
        _BAD.replace("name: sharing, namespace: gpu-resources", "name: sharing, namespace: other"),
        # With such a nodeSelector, the pod of the plugin cannot be read.
        f"{_CONFIG}---\n{_UNREADABLE}",
    ),
)
