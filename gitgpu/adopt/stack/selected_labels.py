"""The labels in a Prometheus's selectors for monitors and alert rules, read from these objects."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.groups import MONITORING_GROUP
from gitgpu.model.names.prefixes import ARGOCD_PREFIX, FLUX_KUSTOMIZE_PREFIX, HELM_PREFIX
from gitgpu.objects.objects import Item

_OWN = ("app.kubernetes.io/", HELM_PREFIX, FLUX_KUSTOMIZE_PREFIX, ARGOCD_PREFIX)


def selected_labels(item: Item, name: str, view: View) -> Iterator[Evidence]:
    """The labels of an object, except those that tools set; `name` is the name of the object in the reason."""
    if item.identity.group != MONITORING_GROUP:
        return
    labels = mapping_at(item.body, "metadata", "labels")
    kept = {key: value for key, value in labels.items() if not key.startswith(_OWN) and key != "app"}
    if kept:
        place = ("metadata", "labels")
        yield Evidence(("metrics", "labels"), kept, f"{name} has these labels", view.original(item), place)
