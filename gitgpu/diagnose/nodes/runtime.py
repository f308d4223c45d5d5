"""A container toolkit that may have stopped containerd on a node: catalog/runtimes, and the advisory about it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.access import rows, text_at
from gitgpu.diagnose.cause import Evidence, subject_of
from gitgpu.diagnose.nodes.reaching import why_kept_off
from gitgpu.diagnose.reading.state import State
from gitgpu.model.catalog import Facts
from gitgpu.model.software.advisories import exact_version
from gitgpu.model.syntax.reference import reference
from gitgpu.model.syntax.version import version
from gitgpu.objects.objects import Item
from gitgpu.objects.software.advised import node_subject
from gitgpu.objects.workload.pods import pods

_TOOLKIT = "/container-toolkit"  # the end of the name of its image
ADVISORY, RULE = "ADV006", "DRV082"


class StoppedRuntime(NamedTuple):
    """What may have stopped containerd, and what to do about it."""

    evidence: Evidence
    remedy: str


def stopped_runtime(node: Item, state: State) -> StoppedRuntime | None:
    """The toolkit on a node whose containerd refuses the configuration that such a toolkit writes."""
    facts = state.objects.catalog.must("runtimes", "containerd")
    containerd = node_subject(node, state.objects).combination.containerd
    if not containerd or version(containerd) < version(facts["refusesNewerDropIns"]):
        return None
    for pod in pods(state.objects):
        if not pod.is_daemon or why_kept_off(pod, node):
            continue
        for _, container in pod.containers():
            if tag := _unsafe_tag(container, facts["toolkit"]):
                setting = f"{facts['toolkit']['env']}={facts['toolkit']['value']}"
                title = f"DaemonSet {subject_of(pod.item).title}"
                text = f"container toolkit {tag} without {setting}, with containerd {containerd} on the node"
                remedy = f"set {setting} in toolkit.env of the GPU Operator, and replace the node"
                return StoppedRuntime(Evidence(title, text), remedy)
    return None


def _unsafe_tag(container: Mapping[str, Any], toolkit: Facts) -> str:
    """The version of a toolkit that reads containerd's migrated configuration; "" for any other container."""
    image = reference(text_at(container, "image"))
    tag = exact_version(image.tag)
    if not image.repository.endswith(_TOOLKIT) or not tag or version(tag) < version(toolkit["version"]):
        return ""
    names = [text_at(entry, "name") for entry in rows(container, "env")]
    return "" if toolkit["env"] in names else tag
