"""Whether Kueue can give a flavor to pods: by its taints and labels, before any quota.

As checkFlavorForPodSets in pkg/scheduler/flavorassigner/flavorassigner.go of kubernetes-sigs/kueue at 8eab68778fc1: of
what the pods require of nodes, only labels that the flavor has count.
"""

from gitgpu.access import list_at, mapping_at, rows
from gitgpu.model.syntax.requirement import Requirement, clash, fixed_labels, intersect, requirement
from gitgpu.objects.queues.flavors import Flavor
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
    return f"the pods exclude its label {key}: {flavor.labels.get(key, '')}" if key else ""


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
