"""Pods as rules read them: requests, tolerations, node constraints."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.model.syntax.quantity import quantity
from gitgpu.model.syntax.requirement import Requirement, intersect, requirement
from gitgpu.objects.indexes import Labelled, index_by_label
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.completed import complete
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.objects.workload.moved_places import with_moves
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.objects.workload.template import Count, Counted, Template
from gitgpu.source import Pointer

_POD_LEVEL = ("cpu", "memory", "hugepages-")  # resources that a pod can request as a whole
REQUIRED = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")


class Pod(NamedTuple):
    """The pods of one template of a workload: the object, the spec of the pods with its place, and their labels.

    `counted` says how many there are. They are `partial` if something adds to them that is not in the object.
    """

    item: Item
    pointer: Pointer
    spec: Mapping[str, Any]
    labels: Mapping[str, str]
    counted: Counted = Count
    partial: bool = False
    annotations: Mapping[str, str] = MappingProxyType({})
    adds_volumes: bool = False
    added: frozenset[str] = frozenset()  # volumes that the controller adds

    @property
    def tolerations(self) -> list[Mapping[str, Any]]:
        """The tolerations of the pods."""
        return self.spec.get("tolerations") or []

    @property
    def is_daemon(self) -> bool:
        """Whether every node gets one."""
        return self.item.identity.kind == "DaemonSet"

    def containers(self) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
        """Every container and its place, init containers first."""
        for group in ("initContainers", "containers"):
            for index, container in enumerate(self.spec.get(group) or ()):
                if container:  # Kubernetes' own schemas let null through
                    yield (*self.pointer, group, index), container

    def devices(self) -> Iterator[tuple[Pointer, str, str]]:
        """Each extended resource that a container requests: its place, its name, the amount as written."""
        for place, container in self.containers():
            limits, requests = (reach(container, "resources", kind) or {} for kind in ("limits", "requests"))
            # A device has the same amount in both, so it counts once.
            for kind, amounts, other in (("limits", limits, {}), ("requests", requests, limits)):
                for name, amount in amounts.items():
                    if "/" in name and not name.startswith(KUBERNETES_PREFIX) and name not in other:
                        yield (*place, "resources", kind, name), name, str(amount)

    def requests(self) -> dict[str, Decimal]:
        """What a pod requests, added up as in k8s.io/component-helpers resource.PodRequests."""
        running: dict[str, Decimal] = {}
        init_peaks: dict[str, Decimal] = {}
        for place, container in self.containers():
            for name, amount in _resource_requests(container).items():
                if place[-2] == "containers" or container.get("restartPolicy") == "Always":
                    running[name] = running.get(name, Decimal(0)) + amount
                else:
                    # An init container runs next to the sidecars that were started before it.
                    init_peaks[name] = max(init_peaks.get(name, Decimal(0)), running.get(name, Decimal(0)) + amount)
        totals: dict[str, Decimal] = {}
        for name in {**running, **init_peaks}:
            totals[name] = max(running.get(name, Decimal(0)), init_peaks.get(name, Decimal(0)))
        totals |= _pod_level_requests(self.spec, totals)
        for name, amount in (self.spec.get("overhead") or {}).items():
            totals[name] = totals.get(name, Decimal(0)) + _amount(amount)
        return totals

    def terms(self) -> list[dict[str, Requirement]]:
        """What the pods require of a node's labels: alternatives, each a conjunction by key. Empty terms match nothing.

        A term with matchFields, or one that cannot be read, is omitted.
        """
        selector = [requirement(key, "In", [value]) for key, value in (self.spec.get("nodeSelector") or {}).items()]
        written = reach(self.spec, *REQUIRED)
        if written is None:
            return [intersect(selector)]
        terms = (_term(selector, entry) for entry in written if entry)
        return [term for term in terms if term is not None]


def pods(objects: Objects) -> tuple[Pod, ...]:
    """The pods of every complete workload with a pod template."""
    return objects.once("pods", lambda: tuple(pod for pod in partial_pods(objects) if not pod.partial))


def described_pods(objects: Objects) -> tuple[Pod, ...]:
    """The same pods and those that another object completes: for faults in values that are always as written."""
    return objects.once("described pods", lambda: tuple(pod for pod in partial_pods(objects) if not pod.item.is_patch))


def labelled_pods(objects: Objects) -> Labelled[Pod]:
    """The same pods, indexed by their labels."""
    return objects.once("pods by label", lambda: index_by_label(pods(objects), lambda pod: pod.labels))


def partial_pods(objects: Objects) -> tuple[Pod, ...]:
    """The same pods and those in patches, which are incomplete: for faults that do not depend on the missing part."""
    return objects.once("partial pods", lambda: tuple(_pods(objects)))


def _pods(objects: Objects) -> Iterator[Pod]:
    for group, kind in WORKLOADS:
        for item in (*objects.of(group, kind), *objects.patches(group, kind)):
            whole = complete(item, objects)
            for template in pod_templates(whole):
                if template.body.get("spec"):
                    yield pod_of(whole, template)


def pod_of(item: Item, template: Template) -> Pod:
    """The pods of a template of an object."""
    return Pod(
        with_moves(item, template.moves),
        template.spec_at,
        template.body["spec"],
        template.labels,
        template.counted,
        item.is_patch or template.partial,
        mapping_at(template.body, "metadata", "annotations"),
        template.adds_volumes,
        template.volumes,
    )


def words_of(container: Mapping[str, Any]) -> list[str]:
    """The words of a container's command line: its command and its arguments."""
    return [str(word) for word in (*list_at(container, "command"), *list_at(container, "args"))]


def _term(selector: list[Requirement], written: Mapping[str, Any]) -> dict[str, Requirement] | None:
    """A term with the requirements of the node selector; None if it is omitted."""
    if written.get("matchFields") or not written.get("matchExpressions"):
        return None
    try:
        expressions = list(map(_requirement, filter(None, written["matchExpressions"])))
    except (KeyError, ValueError):
        return None  # POD023 reports it
    return intersect([*selector, *expressions])


def _requirement(expression: Mapping[str, Any]) -> Requirement:
    return requirement(expression["key"], expression["operator"], expression.get("values") or ())


def _resource_requests(entry: Mapping[str, Any]) -> dict[str, Decimal]:
    """The requests of a container. A limit counts as the request if there is none."""
    limits, requests = (reach(entry, "resources", kind) or {} for kind in ("limits", "requests"))
    return {name: _amount(amount) for name, amount in {**limits, **requests}.items()}


def _pod_level_requests(spec: Mapping[str, Any], container_requests: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """The requests of the pod as a whole, which replace those of its containers.

    A limit becomes a request only if neither the pod nor a container requests the resource: defaultPodRequests in
    pkg/apis/core/v1/defaults.go of kubernetes/kubernetes v1.36.2. Other resources than these have no effect there.
    """
    limits, requests = (reach(spec, "resources", kind) or {} for kind in ("limits", "requests"))
    kept_names = {name for name in ("cpu", "memory") if name in container_requests and name not in requests}
    both = {name: amount for name, amount in {**limits, **requests}.items() if name not in kept_names}
    return {name: _amount(amount) for name, amount in both.items() if name.startswith(_POD_LEVEL)}


def _amount(written: Any) -> Decimal:
    try:
        return quantity(written)
    except ValueError:
        return Decimal(0)  # CNF006 reports it
