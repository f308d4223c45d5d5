"""Whether the pod of a DaemonSet reaches a node."""

from gitgpu.access import mapping_at, rows
from gitgpu.model.syntax.requirement import clash, fixed_labels, undefined_key
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.taint import taint_text, untolerated_taints


def why_kept_off(pod: Pod, node: Item) -> str:
    """Why a DaemonSet has no pod on a node; "" if nothing keeps it off."""
    taints = rows(node.body, "spec", "taints")
    lasting_taints = [taint for taint in taints if not str(taint.get("key")).startswith("node.kubernetes.io/")]
    if untolerated := untolerated_taints(lasting_taints, pod.tolerations):
        return f"does not tolerate the taint {taint_text(untolerated[0])}"
    labels = fixed_labels({str(key): str(value) for key, value in mapping_at(node.body, "metadata", "labels").items()})
    terms = pod.terms()
    if any(not clash(labels, term) and not undefined_key(labels, term, frozenset()) for term in terms):
        return ""
    wanted = sorted({str(key) for term in terms for key in term})
    return f"does not select it: it requires {', '.join(wanted)}"
