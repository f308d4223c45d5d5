"""Whether Kueue can give a flavor to pods: by its taints, labels and topology, before any quota.

As checkFlavorForPodSets in pkg/scheduler/flavorassigner/flavorassigner.go of kubernetes-sigs/kueue at 8eab68778fc1: of
what the pods require of nodes, only labels that the flavor has count.
"""

from collections.abc import Mapping

from gitgpu.access import list_at, mapping_at, rows
from gitgpu.model.names.annotations import TOPOLOGY_ANNOTATIONS
from gitgpu.model.syntax.label_text import label_text
from gitgpu.model.syntax.requirement import Requirement, clash, fixed_labels, intersect, requirement
from gitgpu.objects.queues.flavors import Flavor
from gitgpu.objects.queues.quotas import QuotaOwner
from gitgpu.objects.workload.pods import REQUIRED, Pod
from gitgpu.schedule.taint import taint_text, untolerated_taints


def mismatch(pod: Pod, flavor: Flavor) -> str:
    """Why pods cannot get a flavor: a taint that they do not tolerate, or a label that they exclude; "" if they can."""
    taints = untolerated_taints(flavor.taints, [*pod.tolerations, *flavor.tolerations])
    if taints:
        return f"the pods do not tolerate its taint {taint_text(taints[0])}"
    labels = fixed_labels(flavor.labels)
    selected = intersect(
        requirement(key, "In", [str(value)])
        for key, value in mapping_at(pod.spec, "nodeSelector").items()
        if key in flavor.labels
    )
    key = clash(labels, selected)
    terms = _terms(pod, flavor)
    if not key and terms:
        clashes = [clash(labels, term) for term in terms]
        key = clashes[0] if all(clashes) else ""
    return f"the pods exclude its label {label_text(key, flavor.labels.get(key, ''))}" if key else ""


def topology_mismatch(pod: Pod, flavor: Flavor, queue: QuotaOwner, known: Mapping[str, Flavor]) -> str:
    """Why pods cannot get a flavor of a queue because of its topology; "" if they can.

    In a queue whose flavors all have a topology, no pods need an annotation.
    """
    wants = not pod.annotations.keys().isdisjoint(TOPOLOGY_ANNOTATIONS)
    if wants and not flavor.topology:
        return "it has no topology, which an annotation of the pods asks for"
    if wants or not flavor.topology:
        return ""
    others = (known.get(other.name) for other in queue.flavors)
    if any(other and not other.topology for other in others):
        return "it has a topology, which no annotation of the pods asks for"
    return ""


def _terms(pod: Pod, flavor: Flavor) -> list[dict[str, Requirement]]:
    """The alternatives of the required node affinity, with labels of the flavor only; none if one has no such label."""
    terms = []
    for written in list_at(pod.spec, *REQUIRED):
        expressions = [row for row in rows(written, "matchExpressions") if row.get("key") in flavor.labels]
        if not expressions:
            return []
        terms.append(
            intersect(requirement(row["key"], str(row.get("operator")), list_at(row, "values")) for row in expressions)
        )
    return terms
