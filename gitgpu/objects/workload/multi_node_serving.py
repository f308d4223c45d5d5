"""A model that KServe serves on several nodes: its head, and the workers that start and work only with it.

multiNodeProcess in pkg/controller/v1beta1/inferenceservice/components/predictor.go, and createRawDeployment in
reconcilers/deployment/deployment_reconciler.go, of kserve/kserve at aaac4e294dae.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from gitgpu.access import MAPPING, list_at, mapping_at, text_at
from gitgpu.model.names.resources import AMD_GPU, NVIDIA_GPU
from gitgpu.objects.workload.merged import merge_at
from gitgpu.objects.workload.serving_runtime import OF_POD, SERVED_BY, Part, join, served_pods
from gitgpu.objects.workload.template import Body, Template, exactly, pod_spec, whole
from gitgpu.source import Pointer

WORKERS = "workerSpec"
_WORKER = "worker-container"
_BACKEND = ("annotations", "multinode/executor-backend")  # of the runtime
_GPUS = (NVIDIA_GPU, AMD_GPU, "intel.com/gpu", "habana.ai/gaudi")


class _Nodes(NamedTuple):
    """How many nodes a model has, and the GPUs of a worker and of the head."""

    number: int
    worker_gpus: int
    head_gpus: int


def multi_node_pods(predictor: Body, place: Pointer) -> Iterator[Template]:
    """The head and the workers; nothing without workers in both objects, or if KServe refuses the numbers of GPUs."""
    if not isinstance(predictor.get(WORKERS), MAPPING) or not isinstance(predictor.get(SERVED_BY), MAPPING):
        return
    head = served_pods(predictor, place)
    worker = _worker(predictor, place)
    nodes = _nodes(predictor, head, worker) if worker else None
    if worker is None or nodes is None:
        return
    replicas = max(whole(predictor, "minReplicas", 1), 1)
    yield _with_gpus(head, nodes.head_gpus)._replace(partial=False, counted=partial(exactly, replicas))
    yield _with_gpus(worker, nodes.worker_gpus)._replace(counted=partial(exactly, nodes.number - 1))


def _worker(predictor: Body, place: Pointer) -> Template | None:
    """The pods of the workers: those of the runtime, with what the predictor says."""
    base, base_at = mapping_at(predictor, SERVED_BY, WORKERS), (*place, SERVED_BY, WORKERS)
    at = (*place, WORKERS)
    listed = list_at(base, "containers")
    index = next((index for index, each in enumerate(listed) if text_at(each, "name") == _WORKER), None)
    if index is None:
        return None
    written = mapping_at(predictor, WORKERS)
    [own] = pod_spec({**written, "containers": []}, at)
    given = {key: base[key] for key in OF_POD if key in base}
    merged_spec = merge_at(given, own.body["spec"], at, at)
    first = next((each for each in list_at(written, "containers") if isinstance(each, Mapping)), {})
    container_at = (*at, "containers", 0)
    container = join(Part((*base_at, "containers", index), listed[index]), Part(container_at, first), container_at)
    runtime_moves = tuple(((*at, key), (*base_at, key)) for key in given)
    return own._replace(
        body={**own.body, "spec": {**merged_spec.value, "containers": [container.value]}},
        adds_volumes=True,
        moves=(*container.moves, *merged_spec.moves, *runtime_moves, *own.moves),
    )


def _nodes(predictor: Body, head: Template, worker: Template) -> _Nodes | None:
    pipeline, tensor = (_size(predictor, key) for key in ("pipelineParallelSize", "tensorParallelSize"))
    if text_at(mapping_at(predictor, SERVED_BY), *_BACKEND) == "mp":
        return _Nodes(pipeline, tensor, tensor)
    return _by_gpus(pipeline * tensor, _requested(head), _requested(worker))


def _by_gpus(total: int, head: int, worker: int) -> _Nodes | None:
    """computeRayNodeAndGPUs: the workers' GPUs say how many nodes there are, else those of the head."""
    if worker:
        count = -(-total // worker)
        if head >= total:
            count = 1
        head = head or total - worker * (count - 1)
        nodes = _Nodes(1, 0, total) if count == 1 else _Nodes(count, worker, head)
    elif head:
        nodes = _Nodes(max(total - head, 0) + 1, 1, head)
    else:
        return _Nodes(total, 1, 1)
    return nodes if total <= nodes.head_gpus + nodes.worker_gpus * (nodes.number - 1) else None


def _size(predictor: Body, key: str) -> int:
    default = whole(mapping_at(predictor, SERVED_BY, WORKERS), key, 1)
    return max(whole(mapping_at(predictor, WORKERS), key, default), 1)


def _requested(template: Template) -> int:
    """The GPUs that the first container requests. KServe does not read limits here."""
    requests = mapping_at(template.body["spec"]["containers"][0], "resources", "requests")
    amounts = (str(requests[name]) for name in _GPUS if name in requests)
    return next((int(amount) for amount in amounts if amount.isdigit()), 0)


def _with_gpus(template: Template, gpus: int) -> Template:
    """The pods with the GPUs that KServe sets in the first container."""
    spec = template.body["spec"]
    first, *others = spec["containers"]
    resources = mapping_at(first, "resources")
    amounts = {key: dict(mapping_at(resources, key)) for key in ("limits", "requests")}
    name = next((name for name in _GPUS if any(name in each for each in amounts.values())), _GPUS[0])
    given: dict[str, Any] = {key: {**each, name: str(gpus)} for key, each in amounts.items()}
    containers = [{**first, "resources": {**resources, **given}}, *others]
    return template._replace(body={**template.body, "spec": {**spec, "containers": containers}})
