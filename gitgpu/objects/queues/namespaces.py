"""The namespaces that a ClusterQueue selects."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, rows
from gitgpu.model.names.kinds import NAMESPACE
from gitgpu.model.names.labels import NAMESPACE_LABEL
from gitgpu.model.syntax.requirement import Requirement, clash, fixed_labels, intersect, requirement, undefined_key
from gitgpu.objects.objects import Objects

_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")  # the API server refuses any other


def excluding_label(selector: Mapping[str, Any], namespace: str, objects: Objects) -> str:
    """The label that makes a selector exclude a namespace; "" if it selects the namespace, or that is unknown.

    Kubernetes sets the label with the name. Other labels are known only if the Namespace is among the objects.
    """
    wanted = _wanted(selector)
    own = {NAMESPACE_LABEL: namespace}
    spaces = objects.by_name(*NAMESPACE, namespace)
    if len(spaces) == 1 and namespace not in objects.patched_names(*NAMESPACE):
        written = mapping_at(spaces[0].body, "metadata", "labels")
        labels = fixed_labels({**{key: str(value) for key, value in written.items()}, **own})
        return clash(labels, wanted) or undefined_key(labels, wanted, frozenset())
    return clash(fixed_labels(own), wanted)


def _wanted(selector: Mapping[str, Any]) -> dict[str, Requirement]:
    labels = [requirement(key, "In", [str(value)]) for key, value in mapping_at(selector, "matchLabels").items()]
    expressions = [
        requirement(str(row.get("key")), str(row.get("operator")), map(str, list_at(row, "values")))
        for row in rows(selector, "matchExpressions")
        if row.get("operator") in _OPERATORS
    ]
    return intersect([*labels, *expressions])
