"""GPU health: whether a separate detector watches the GPUs that AKS's detector does not."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import DETECTOR
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.view import View
from gitgpu.emit.kinds.node_problem_detector import NAME
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.workload.pods import pods

_PATH = ("health",)
_IMAGE = "node-problem-detector"


def infer(view: View) -> Iterator[Evidence]:
    """`npd` for gitgpu's detector, or for a node-problem-detector that is configured to look for XID errors."""
    if owned_software(view, DETECTOR):
        return
    for pod in pods(view.objects):
        _, _, namespace, name = pod.item.identity
        images = [str(container.get("image")) for _, container in pod.containers()]
        if not pod.is_daemon or not any(_IMAGE in image for image in images):
            continue
        maps = {str(reach(volume, "configMap", "name")) for volume in pod.spec.get("volumes") or () if volume}
        if name == NAME or any(_looks_for_xid(map_name, namespace, view) for map_name in maps):
            reason = f"DaemonSet {name} detects GPU errors"
            yield Evidence(_PATH, "npd", reason, view.original(pod.item))


def _looks_for_xid(name: str, namespace: str, view: View) -> bool:
    for item in view.objects.by_name(*CONFIG_MAP, name):
        if item.identity.namespace == namespace:
            return "xid" in str(item.body.get("data")).lower()
    return False
