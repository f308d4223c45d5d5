"""Objects whose images come from the registry of a cluster."""

from collections.abc import Mapping
from typing import Any

from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Manifest
from gitgpu.model.names.kinds import DEVICE_CONFIG, NIC_CLUSTER_POLICY, NVIDIA_DRIVER
from gitgpu.plan.decided.registry import Registry

# The kinds whose images gitgpu chooses. Those of a ScaledJob or a Workspace are the author's, and the images of a chart
# are values of its release.
OWN = ("DaemonSet", "Deployment", DEVICE_CONFIG.kind, "Job", NIC_CLUSTER_POLICY.kind, NVIDIA_DRIVER.kind)
KEYS = ("image", "repository", "initContainerImage", "devicePluginImage", "nodeLabellerImage")


def mirror_manifest(manifest: Manifest, registry: Registry) -> Manifest:
    """The manifest with the copies of its images, and with the pull secret."""
    if not registry.mirror or manifest.body["kind"] not in OWN:
        return manifest
    return manifest._replace(body=_copied(manifest.body, registry))


def _copied(value: Any, registry: Registry) -> Any:
    if isinstance(value, list):
        return [_copied(entry, registry) for entry in value]
    if not isinstance(value, Mapping):
        return value
    body = {}
    for key, inner in value.items():
        is_image = key in KEYS and isinstance(inner, str)
        body[key] = registry.copy_of(inner) if is_image else _copied(inner, registry)
    return body | _pull_secret(body, registry.secret) if registry.secret else body


def _pull_secret(body: Body, secret: str) -> Body:
    """The key for the pull secret: of a pod, of a part of NVIDIA's operators, or of a part of AMD's."""
    if "containers" in body:
        return {"imagePullSecrets": [{"name": secret}]}
    if "repository" in body:
        return {"imagePullSecrets": [secret]}
    if "devicePluginImage" in body or {"enable", "image"} <= body.keys():
        return {"imageRegistrySecret": {"name": secret}}
    return {}
