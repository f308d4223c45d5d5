"""KAITO's workloads as rules read them: Workspaces, InferenceSets and RAGEngines."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.groups import KAITO_GROUP
from gitgpu.model.names.kinds import INFERENCE_SET, RAG_ENGINE, WORKSPACE
from gitgpu.model.syntax.version import version
from gitgpu.objects.gitops.chart_values import chart_row, effective_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer

NODE_CLASSES = ("karpenterProviders", "azure", "nodeClasses")  # of the chart's values
_CHART = "kaito-workspace"
_RESOURCE: Mapping[str, Pointer] = {
    WORKSPACE.kind: ("resource",),
    INFERENCE_SET.kind: ("spec", "template", "resource"),
    RAG_ENGINE.kind: ("spec", "compute"),
}
_INFERENCE: Mapping[str, Pointer] = {
    WORKSPACE.kind: ("inference",),
    INFERENCE_SET.kind: ("spec", "template", "inference"),
}
_SELECTOR: Mapping[str, Pointer] = {
    WORKSPACE.kind: ("resource", "labelSelector"),
    INFERENCE_SET.kind: ("spec", "labelSelector"),
    RAG_ENGINE.kind: ("spec", "compute", "labelSelector"),
}


class Model(NamedTuple):
    """One KAITO workload: its object, and the places of the parts that all kinds have."""

    item: Item
    resource_at: Pointer
    inference_at: Pointer
    selector_at: Pointer

    @property
    def kind(self) -> str:
        """The object's kind."""
        return self.item.identity.kind

    @property
    def resource(self) -> Mapping[str, Any]:
        """Its settings for nodes."""
        return reach(self.item.body, *self.resource_at) or {}

    @property
    def inference(self) -> Mapping[str, Any] | None:
        """What it serves; None if it serves nothing."""
        return reach(self.item.body, *self.inference_at) if self.inference_at else None

    @property
    def tuning(self) -> Mapping[str, Any] | None:
        """What a Workspace tunes; None if it tunes nothing."""
        return reach(self.item.body, "tuning") if self.kind == WORKSPACE.kind else None

    @property
    def selector(self) -> Mapping[str, Any]:
        """The label selector for its nodes."""
        return reach(self.item.body, *self.selector_at) or {}

    @property
    def size(self) -> str:
        """The instanceType; empty if there is none, or it is a placeholder."""
        name = self.resource.get("instanceType") or ""
        is_placeholder = any(mark in name for mark in "<{$")
        return "" if is_placeholder else name

    def presets(self) -> Iterator[tuple[Pointer, str]]:
        """The presets that it names, and their places."""
        for pointer, part in ((self.inference_at, self.inference), (("tuning",), self.tuning)):
            name = reach(part, "preset", "name")
            if name:
                yield (*pointer, "preset", "name"), name


def models(objects: Objects, *kinds: str) -> Iterator[Model]:
    """Every complete workload of these kinds (without kinds, of all)."""
    for kind in kinds or tuple(_RESOURCE):
        for item in objects.of(KAITO_GROUP, kind):
            yield Model(item, _RESOURCE[kind], _INFERENCE.get(kind, ()), _SELECTOR[kind])


def rows(objects: Objects) -> list[Mapping[str, Any]]:
    """The catalog's rows on KAITO releases, the newest last."""
    return sorted(objects.catalog.rows("kaito").values(), key=lambda row: _order(row["name"]))


def newest(objects: Objects) -> Mapping[str, Any]:
    """The catalog's row on the newest KAITO release."""
    return rows(objects)[-1]


def installs(objects: Objects) -> list[Release]:
    """The Helm releases of KAITO's own chart."""
    return [release for release in releases(objects) if chart_row(release, objects).get("name") == _CHART]


GATE = ("featureGates", "disableNodeAutoProvisioning")


def decides(release: Release, objects: Objects) -> bool:
    """Whether nodeProvisioner alone determines how this KAITO gets nodes. In older releases, a feature gate does."""
    named = release.version
    since = newest(objects)["provisioners"]["since"]
    # 0.7 means any patch of it.
    return not named[:1].isdigit() or version(named) >= version(since)[: len(version(named))]


def provisioner(release: Release, objects: Objects) -> str:
    """How a KAITO release gets nodes: byo if it uses existing nodes."""
    if decides(release, objects):
        return str(effective_value(release, objects, "nodeProvisioner"))
    return "byo" if is_off(release) else "azure-gpu-provisioner"


def is_off(release: Release) -> bool:
    """Whether the feature gate turns node provisioning off."""
    return str(release.value(*GATE)).lower() == "true"


def _order(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
