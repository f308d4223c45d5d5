"""The namespaces that a term of a pod affinity selects."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import NAMESPACE
from gitgpu.model.names.labels import NAMESPACE_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.pods import Pod
from gitgpu.simulate.pod.label_selectors import Labelled, selector


class Namespaces(NamedTuple):
    """Names of namespaces (none means all), and those of them whose labels are not in the input."""

    names: frozenset[str] | None
    unknown: tuple[str, ...] = ()


def selected_namespaces(term: Mapping[str, Any], pod: Pod, objects: Objects) -> Namespaces:
    """The namespaces of a term. One with unknown labels counts as selected."""
    written = term.get("namespaceSelector")
    listed = frozenset(map(str, term.get("namespaces") or ()))
    if written is None:
        return Namespaces(listed or frozenset([pod.item.identity.namespace]))
    chosen = selector(written, None)
    if not chosen.entries:  # an empty selector selects all namespaces
        return Namespaces(None)
    labels = _labels(objects)
    by_name = all(key == NAMESPACE_LABEL for key, _, _ in chosen.entries)
    # Kustomize may set the namespace of an object that names none.
    unknown = sorted(name for name, texts in labels.items() if not name or (texts is None and not by_name))
    named = {name: {**(texts or {}), NAMESPACE_LABEL: name} for name, texts in labels.items() if name not in unknown}
    selected = (name for name, texts in named.items() if chosen.selects(Labelled(name, tuple(texts.items()))))
    return Namespaces(listed.union(selected, unknown), tuple(name for name in unknown if name not in listed))


def _labels(objects: Objects) -> Mapping[str, Mapping[str, str] | None]:
    """The labels of all namespaces of the input; None if it has only objects in the namespace."""
    return objects.once("labels of namespaces", lambda: _read_labels(objects))


def _read_labels(objects: Objects) -> dict[str, Mapping[str, str] | None]:
    namespaced_items = (item for item in objects.items if item.scope is not Scope.CLUSTER)
    labels: dict[str, Mapping[str, str] | None] = {item.identity.namespace: None for item in namespaced_items}
    for item in objects.of(*NAMESPACE):
        labels[item.identity.name] = reach(item.body, "metadata", "labels") or {}
    return labels
