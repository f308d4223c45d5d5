"""The kinds of KServe: pkg/apis/serving of kserve/kserve at 0217bdabaaa2 and 01bfd2383253."""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import MAPPING, list_at, mapping_at, reach
from gitgpu.model.names.annotations import KSERVE_STOP_ANNOTATION
from gitgpu.model.names.kinds import CLUSTER_SERVING_RUNTIME, INFERENCE_SERVICE, LLM_INFERENCE_SERVICE, SERVING_RUNTIME
from gitgpu.objects.workload.multi_node_serving import WORKERS, multi_node_pods
from gitgpu.objects.workload.queueing import ANNOTATIONS, Gang, Suspend
from gitgpu.objects.workload.serving_runtime import OF_CONTAINER, SERVED_BY, served_pods
from gitgpu.objects.workload.shape import Groups, Path, Shape, in_containers
from gitgpu.objects.workload.structure import AMOUNTS, COUNT, METADATA, Structure
from gitgpu.objects.workload.template import (
    Body,
    Count,
    Template,
    WorkloadKind,
    exactly,
    pod_spec,
    whole,
    with_labels_of,
)
from gitgpu.source import Pointer

_FRAMEWORKS = frozenset(
    "huggingface lightgbm model onnx paddle pmml pytorch sklearn tensorflow triton xgboost".split()  # noqa: SIM905
)


def _inference_service(body: Body) -> Iterator[Template]:
    """The pods of each component, and those of canaries. With a model, its runtime adds to them."""
    together = tuple(multi_node_pods(mapping_at(body, "spec", _PREDICTOR), ("spec", _PREDICTOR)))
    yield from (with_labels_of(body, template) for template in together)
    for name in _COMPONENTS[bool(together) :]:
        component = mapping_at(body, "spec", name)
        for template in _component_templates(component, ("spec", name)):
            yield with_labels_of(body, template._replace(counted=partial(_pods, name, component)))
    for place in predictors(body)[1:]:
        for template in _component_templates(mapping_at(body, *place), place):
            yield with_labels_of(body, template._replace(partial=True))  # they take replicas of the predictor
    for place in predictors(body)[bool(together) :]:
        yield from _workers(body, place)


def predictors(body: Body) -> tuple[Pointer, ...]:
    """The places of the predictor and of its canaries."""
    canaries = (("spec", "canary", index, _PREDICTOR) for index, _ in enumerate(list_at(body, "spec", "canary")))
    return (("spec", _PREDICTOR), *canaries)


def _component_templates(component: Body, place: Pointer) -> Iterator[Template]:
    if isinstance(component.get(SERVED_BY), MAPPING):
        yield served_pods(component, place)
        return
    framework = next((key for key in component if key in _FRAMEWORKS), "")
    containers = list_at(component, "containers")
    server = {key: value for key, value in mapping_at(component, framework).items() if key in OF_CONTAINER}
    pods = {**component, "containers": [*containers, server]} if framework else component
    moves = (((*place, "containers", len(containers)), (*place, framework)),) if framework else ()
    for template in pod_spec(pods, place):
        own = (*moves, *template.moves)
        yield template._replace(partial=bool(framework), adds_volumes=bool(framework), moves=own)


def _workers(body: Body, place: Pointer) -> Iterator[Template]:
    """The pods of a model on several nodes, besides the first one. Their runtime and their GPUs decide how many."""
    at = (*place, WORKERS)
    for template in pod_spec(reach(body, *at), at):
        yield with_labels_of(body, template._replace(partial=True, adds_volumes=True))


def _has_workers(body: Body) -> bool:
    """Whether the predictor is one model on several nodes."""
    return isinstance(reach(body, "spec", _PREDICTOR, WORKERS), MAPPING)


def _serving_runtime(body: Body) -> Iterator[Template]:
    """A runtime has no pods itself: those of the InferenceServices that name it are created from it."""
    for at in (("spec",), ("spec", WORKERS)):
        for template in pod_spec(reach(body, *at), at, lambda: exactly(0)):
            yield template._replace(partial=True, adds_volumes=True)


def _pods(name: str, component: Body) -> Count:
    """The pods of a component. By default, Knative scales a predictor without a maximum as it needs."""
    low = whole(component, "minReplicas", 1)
    bounded = name != _PREDICTOR or bool(component.get("maxReplicas"))
    return Count(low, max(whole(component, "maxReplicas", low), low), bounded=bounded)


def _llm_inference_service(body: Body) -> Iterator[Template]:
    """The pods of the server, or of its leaders and workers; with `prefill`, also of another server.

    Configurations of the cluster add to all of them. With workers, each replica is a group of a LeaderWorkerSet.
    """
    for at in (("spec",), ("spec", "prefill")):
        part = mapping_at(body, *at)
        metadata = {key: mapping_at(part, key) for key in ("labels", "annotations")}
        for name in ("template", "worker"):
            for template in pod_spec(part.get(name), (*at, name), partial(_server_count, part, name)):
                written = tuple(((*template.metadata_at, key), (*at, key)) for key in metadata)
                body_of_pods = {**template.body, "metadata": metadata}
                yield template._replace(body=body_of_pods, moves=written, partial=True)


def _server_count(part: Body, name: str) -> Count:
    """The pods of a server: one for each replica, or the leader or the workers of its group."""
    scaling = mapping_at(part, "scaling")
    low = whole(scaling, "minReplicas", whole(part, "replicas", 1))
    high = max(whole(scaling, "maxReplicas", low), low)
    size = max(_group_size(mapping_at(part, "parallelism")) - 1, 0) if name == "worker" else 1
    return Count(low * size, high * size, size)


def _group_size(parallelism: Body) -> int:
    """The pods of a group: GetSize in pkg/apis/serving/v1alpha2 at aaac4e294dae."""
    data = whole(parallelism, "data", 0)
    if data or whole(parallelism, "dataLocal", 0):
        return max(max(data, 1) // max(whole(parallelism, "dataLocal", 1), 1), 1)
    return max(whole(parallelism, "pipeline", 1), 1)


_STOP = Suspend((*ANNOTATIONS, KSERVE_STOP_ANNOTATION), "true")
_PREDICTOR = "predictor"
_COMPONENTS = (_PREDICTOR, "transformer", "explainer")
_MODEL = "model"
_SHAPE = Shape(
    "serving.kserve.io/v1beta1",
    lambda group: ("spec", group),
    Groups(_COMPONENTS, _COMPONENTS[0]),
    _MODEL,
    # A model is not in the list of containers.
    lambda container: (container,) if container in _FRAMEWORKS else in_containers(container),
)
_SERVERS_AT: dict[str, Path] = {
    "template": ("spec", "template"),
    "worker": ("spec", "worker"),
    "prefill": ("spec", "prefill", "template"),
    "prefill-worker": ("spec", "prefill", "worker"),
}
_OF_LLM = Shape(
    "serving.kserve.io/v1alpha2",
    lambda group: _SERVERS_AT.get(group, ("spec", group)),
    Groups(tuple(_SERVERS_AT), "template"),
    "main",
    queue_at=lambda group: (*_SERVERS_AT.get(group, ("spec", group))[:-1], "labels"),
)
_BOUNDS: Structure = {"minReplicas": COUNT, "maxReplicas": COUNT}
_SERVERS: Structure = {framework: {"resources": AMOUNTS} for framework in _FRAMEWORKS}
_COMPONENT: Structure = {**METADATA, **_BOUNDS, **_SERVERS, "containers": []}
_OF_COMPONENTS: Structure = dict.fromkeys(_COMPONENTS, _COMPONENT)
_OF_RUNTIME: Structure = {**METADATA, "containers": []}
_PARALLELISM: Structure = dict.fromkeys(("data", "dataLocal", "pipeline", "tensor"), COUNT)
_SERVER: Structure = {
    **METADATA,
    "replicas": COUNT,
    "scaling": _BOUNDS,
    "parallelism": _PARALLELISM,
    "template": {"containers": []},
    "worker": {"containers": []},
}
KINDS = (
    WorkloadKind(
        *INFERENCE_SERVICE,
        _inference_service,
        suspend=_STOP,
        shape=_SHAPE,
        structure=_OF_COMPONENTS,
        works=Gang.OBJECT,
        together=_has_workers,
        adds_images=True,
    ),
    WorkloadKind(*SERVING_RUNTIME, _serving_runtime, structure=_OF_RUNTIME, adds_images=True),
    WorkloadKind(*CLUSTER_SERVING_RUNTIME, _serving_runtime, structure=_OF_RUNTIME, adds_images=True),
    WorkloadKind(
        *LLM_INFERENCE_SERVICE,
        _llm_inference_service,
        suspend=_STOP,
        structure={**_SERVER, "prefill": _SERVER},
        works=Gang.REPLICA,
        shape=_OF_LLM,
        adds_images=True,
    ),
)
