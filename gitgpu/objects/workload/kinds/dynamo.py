"""The graphs of NVIDIA Dynamo.

deploy/operator/api/v1alpha1 of ai-dynamo/dynamo at 015d780ba9c3, and v1beta1 at 0fddc01b3724.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from gitgpu.access import MAPPING, list_at, mapping_at, reach, text_at
from gitgpu.model.names.groups import NVIDIA_V1ALPHA1
from gitgpu.model.names.kinds import DYNAMO_GRAPH_DEPLOYMENT
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.workload.queueing import Gang
from gitgpu.objects.workload.shape import CAPABILITIES, CLAIMS, Groups, Moves, Shape, nest
from gitgpu.objects.workload.structure import AMOUNTS, COUNT, EACH, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, pod_spec, template_at, whole
from gitgpu.source import Pointer

_MAIN, _KINDS = "mainContainer", ("limits", "requests")


def _templates(body: Body) -> Iterator[Template]:
    yield from _components(body)
    for name, service in mapping_at(body, "spec", "services").items():
        place = ("spec", "services", name)
        extra = mapping_at(service, "extraPodSpec")
        others = list_at(extra, "containers")
        resources = {kind: _amounts(mapping_at(service, "resources", kind)) for kind in _KINDS}
        main = {"name": "main", **mapping_at(extra, _MAIN), "resources": resources}
        spec = {**extra, "containers": [*others, main]}
        shares = mapping_at(service, "gpuMemoryService").get("enabled") is True  # claims take the place of GPUs
        for template in pod_spec(spec, (*place, "extraPodSpec"), partial(_pods, service)):
            yield template._replace(
                moves=(*_moves(place, len(others), service), *template.moves), adds_volumes=True, partial=shares
            )


def _components(body: Body) -> Iterator[Template]:
    """The components of version v1beta1, which have pod templates."""
    for index, component in enumerate(list_at(body, "spec", "components")):
        shares = bool(mapping_at(component, "experimental", "gpuMemoryService"))
        for template in template_at(body, ("spec", "components", index, "podTemplate"), partial(_pods, component)):
            yield template._replace(adds_volumes=True, partial=shares)


def _amounts(written: Body) -> dict[str, Any]:
    """What a container requests: the GPUs have a key of their own, and other devices are in `custom`."""
    amounts = {key: written[key] for key in ("cpu", "memory") if key in written} | {**mapping_at(written, "custom")}
    return amounts | ({_device(written): written["gpu"]} if "gpu" in written else {})


def _device(written: Body) -> str:
    return text_at(written, "gpuType") or NVIDIA_GPU


def _moves(service_at: Pointer, number: int, service: Body) -> Moves:
    main = (*service_at, "extraPodSpec", "containers", number)
    moves = []
    for kind in _KINDS:
        place = ("resources", kind)
        device = _device(mapping_at(service, *place))
        moves.append(((*main, *place, device), (*service_at, *place, "gpu")))
    return (*moves, ((*main, "resources"), (*service_at, "resources")), (main, (*service_at, "extraPodSpec", _MAIN)))


def _pods(service: Body) -> Count:
    multinode = reach(service, "multinode")
    nodes = whole(multinode, "nodeCount", 2) if isinstance(multinode, MAPPING) else 1
    replicas = whole(service, "replicas", 1)
    return Count(replicas * nodes, replicas * nodes, nodes)


def _gpus(service: str, _: str, container: Body) -> Body:
    [(device, amount)] = container["resources"]["limits"].items()
    kind = {} if device == NVIDIA_GPU else {"gpuType": device}
    placed: Body = nest(("spec", "services", service, "resources", "limits"), {"gpu": str(amount), **kind})
    return placed


_SHAPE = Shape(
    "nvidia.com/v1beta1",
    lambda name: ("spec", "components", ("name", name), "podTemplate", "spec"),
    Groups(None),
    "main",
    queue_at=lambda name: ("spec", "components", ("name", name), "podTemplate", "metadata", "labels"),
)
_OLDER = Shape(
    NVIDIA_V1ALPHA1,
    lambda name: ("spec", "services", name, "extraPodSpec"),
    Groups(None),
    "main",
    queue_at=lambda name: ("spec", "services", name, "labels"),
    written=_gpus,
    lacks=frozenset((CLAIMS, CAPABILITIES)),
)
_NODES: Structure = {"replicas": COUNT, "multinode": {"nodeCount": COUNT}}
_STRUCTURE: Structure = {
    "services": {EACH: {**_NODES, "resources": AMOUNTS, "extraPodSpec": {"mainContainer": {}, "containers": []}}},
    "components": [{**_NODES, "podTemplate": {}}],
}
KINDS = (
    WorkloadKind(
        *DYNAMO_GRAPH_DEPLOYMENT,
        _templates,
        structure=_STRUCTURE,
        works=Gang.REPLICA,
        shape=_SHAPE,
        others=(_OLDER,),
        adds_images=True,
    ),
)
