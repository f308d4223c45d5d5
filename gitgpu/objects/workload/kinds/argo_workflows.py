"""The kinds of Argo Workflows: a pod for each run of a template with containers.

workflow/controller/workflowpod.go and pkg/apis/workflow/v1alpha1 of argoproj/argo-workflows at f016ad89eb26.
"""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import MAPPING, list_at, mapping_at, rows, text_at
from gitgpu.model.names.kinds import CLUSTER_WORKFLOW_TEMPLATE, CRON_WORKFLOW, WORKFLOW, WORKFLOW_TEMPLATE
from gitgpu.objects.workload.argo_calls import Call, calls_of, runs_of, runs_of_inline
from gitgpu.objects.workload.assembled import Part, assemble, elements, first_of
from gitgpu.objects.workload.queueing import Suspend
from gitgpu.objects.workload.shape import Groups, Moves, Path, Shape, in_containers
from gitgpu.objects.workload.structure import METADATA, Structure
from gitgpu.objects.workload.template import Body, Count, Counted, Template, WorkloadKind, exactly
from gitgpu.source import Pointer

_PLACED = ("affinity", "nodeSelector", "tolerations")  # from the template, the one that calls it, or the workflow
_OWN = ("automountServiceAccountToken", "resourceClaims", "schedulerName", "securityContext", "serviceAccountName")


def _workflow(body: Body, at: Pointer = ("spec",)) -> Iterator[Template]:
    spec = mapping_at(body, *at)
    written = elements((*at, "templates"), spec.get("templates"))
    calls = [call for part in written for call in calls_of(part)]
    for part in written:
        callers = [call for call in calls if call.name and call.name == part[1].get("name")]
        yield from _pod(spec, at, part, callers, partial(runs_of, spec, calls, text_at(part[1], "name")))
    for call in calls:
        if not call.name:
            yield from _pod(spec, at, call.inline, [call], partial(runs_of_inline, spec, calls, call))


def _pod(spec: Body, at: Pointer, part: Part, callers: list[Call], counted: Counted) -> Iterator[Template]:
    place, template = part
    containers = _containers(place, template)
    if not containers:
        return
    sources = [part, *(call.caller for call in callers[:1]), (at, spec)]
    fields = [
        *(field for key in _PLACED for field in first_of(key, sources)),
        *(field for key in _OWN for field in first_of(key, (part, (at, spec)))),
        *(("resources", where) for _, where in first_of("podResources", (part, (at, spec)))),
        *first_of("priorityClassName", [part]),
        ("restartPolicy", (place, "Never")),
    ]
    initial = _plain((*place, "initContainers"), template.get("initContainers"))
    lists = (("containers", containers), ("initContainers", initial), ("volumes", _volumes(spec, at, part, containers)))
    pod = assemble(place, fields, lists)
    metadata, written = _metadata(spec, at, part)
    differs = len({str([call.caller[1].get(key) for key in _PLACED]) for call in callers}) > 1
    patched = bool(spec.get("podSpecPatch") or template.get("podSpecPatch") or spec.get("templateDefaults"))
    body = {"metadata": metadata, "spec": pod.spec}
    yield Template(place, body, place, counted, pod.partial or differs or patched, (*written, *pod.moves))


def _containers(place: Pointer, template: Body) -> list[Part]:
    """The containers of a template, which has a container, a script or a set of containers, and its sidecars."""
    together = mapping_at(template, "containerSet")
    mounts = list_at(together, "volumeMounts")
    found: list[Part] = []
    for key in ("container", "script"):
        if isinstance(template.get(key), MAPPING):
            main = {name: value for name, value in template[key].items() if name != "source"}
            found.append(((*place, key), {**main, "name": "main"}))
    for at, container in elements((*place, "containerSet", "containers"), together.get("containers")):
        own = {name: value for name, value in container.items() if name != "dependencies"}
        mounted = {"volumeMounts": [*list_at(own, "volumeMounts"), *mounts]} if mounts else {}
        found.append((at, {"name": "main", **own, **mounted}))
    if not found:
        return []
    return [*found, *_plain((*place, "sidecars"), template.get("sidecars"))]


def _plain(place: Pointer, written: object) -> list[Part]:
    """The containers of a list, without the field that Argo adds to those of Kubernetes."""
    return [
        (at, {name: value for name, value in container.items() if name != "mirrorVolumeMounts"})
        for at, container in elements(place, written)
    ]


def _volumes(spec: Body, at: Pointer, part: Part, containers: list[Part]) -> list[Part]:
    """The volumes of the template and of the workflow, and its claims, that a container mounts."""
    place, template = part
    initial = rows(template, "initContainers")
    every = [*initial, *(container for _, container in containers)]
    mounted = {text_at(mount, "name") for container in every for mount in rows(container, "volumeMounts")}
    found = elements((*place, "volumes"), template.get("volumes")) + elements((*at, "volumes"), spec.get("volumes"))
    for where, claim in elements((*at, "volumeClaimTemplates"), spec.get("volumeClaimTemplates")):
        source = {"volumeClaimTemplate": {"spec": mapping_at(claim, "spec")}}
        found.append((where, {"name": text_at(claim, "metadata", "name"), "ephemeral": source}))
    return [(where, volume) for where, volume in found if text_at(volume, "name") in mounted]


def _metadata(spec: Body, at: Pointer, part: Part) -> tuple[dict[str, Body], Moves]:
    """The metadata of the pods, and where it is written: in the template, or for all pods of the workflow."""
    place, template = part
    found: dict[str, Body] = {}
    moves = []
    for key in ("labels", "annotations"):
        every, own = mapping_at(spec, "podMetadata", key), mapping_at(template, "metadata", key)
        found[key] = {**every, **own}
        virtual, shared_place = (*place[:-1], "metadata", key), (*at, "podMetadata", key)
        moves += [((*virtual, name), (*shared_place, name)) for name in every if name not in own]
        moves.append((virtual, (*place, "metadata", key)))
    return found, tuple(moves)


def _cron_workflow(body: Body) -> Iterator[Template]:
    for template in _workflow(body, ("spec", "workflowSpec")):
        yield template._replace(counted=partial(_between_runs, template))


def _between_runs(template: Template) -> Count:
    return template.counted()._replace(low=0)


def _definition(body: Body) -> Iterator[Template]:
    """The workflows that refer to a template run its pods, and add to them."""
    for template in _workflow(body):
        yield template._replace(counted=partial(exactly, 0), partial=True)


def _shape(*at: str) -> Shape:
    def spec_at(group: str) -> Path:
        return *at, "templates", ("name", group)

    def queue_at(group: str) -> Path:
        return *spec_at(group), "metadata", "labels"

    return Shape("argoproj.io/v1alpha1", spec_at, Groups(None), "container", _container_at, queue_at=queue_at)


def _container_at(name: str) -> Path:
    """The container of a template is `container`, `script`, or one of a set."""
    return (name,) if name in ("container", "script") else ("containerSet", *in_containers(name))


_TEMPLATES: list[Structure] = [
    {
        **{key: {} for key in ("container", "dag", "metadata", "nodeSelector", "script")},
        **{key: [] for key in ("initContainers", "sidecars", "steps", "tolerations", "volumes")},
        "containerSet": {"containers": [{}]},
    }
]
_STRUCTURE: Structure = {"templates": _TEMPLATES, "podMetadata": METADATA, "nodeSelector": {}, "tolerations": []}
KINDS = (
    WorkloadKind(
        *WORKFLOW, _workflow, ends=True, suspend=Suspend(), shape=_shape("spec"), structure=_STRUCTURE, adds_images=True
    ),
    WorkloadKind(
        *CRON_WORKFLOW,
        _cron_workflow,
        ends=True,
        suspend=Suspend(),
        shape=_shape("spec", "workflowSpec"),
        structure={"workflowSpec": _STRUCTURE},
        adds_images=True,
    ),
    WorkloadKind(
        *WORKFLOW_TEMPLATE, _definition, ends=True, shape=_shape("spec"), structure=_STRUCTURE, adds_images=True
    ),
    WorkloadKind(*CLUSTER_WORKFLOW_TEMPLATE, _definition, ends=True, structure=_STRUCTURE, adds_images=True),
)
