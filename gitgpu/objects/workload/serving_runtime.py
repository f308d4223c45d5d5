"""The pods of a model that KServe serves with a runtime: the runtime's, with what the InferenceService says.

pkg/controller/v1beta1/inferenceservice/utils/utils.go and components/predictor.go of kserve/kserve at aaac4e294dae.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.objects.workload.merged import Merged, merge_at
from gitgpu.objects.workload.shape import Moves
from gitgpu.objects.workload.template import Body, Template, pod_spec
from gitgpu.source import Pointer

SERVED_BY = "servingRuntime"  # where the spec of the runtime is in a predictor that is completed
OF_CONTAINER = frozenset(("args", "command", "env", "envFrom", "image", "name", "ports", "resources", "volumeMounts"))
_SERVER, _TRANSFORMER = "kserve-container", "transformer-container"
# What a predictor gets of its runtime besides the containers.
OF_POD = ("affinity", "imagePullSecrets", "nodeSelector", "resourceClaims", "schedulerName", "tolerations", "volumes")


class Part(NamedTuple):
    """A container and where it is written."""

    at: Pointer
    container: Body


def served_pods(predictor: Body, place: Pointer) -> Template:
    """The pods of a predictor with its runtime in it. With workers on other nodes, KServe sets the GPUs of all."""
    runtime, runtime_at = mapping_at(predictor, SERVED_BY), (*place, SERVED_BY)
    [own] = pod_spec({**predictor, "containers": []}, place)
    given = {key: runtime[key] for key in OF_POD if key in runtime}
    merged_spec = merge_at(given, own.body["spec"], place, place)
    containers = _containers(predictor, place)
    metadata = mapping_at(own.body, "metadata")
    labels = {**mapping_at(runtime, "labels"), **mapping_at(metadata, "labels")}
    runtime_moves = tuple(((*place, key), (*runtime_at, key)) for key in given)
    return own._replace(
        body={
            "metadata": {**metadata, "labels": labels},
            "spec": {**merged_spec.value, "containers": containers.value},
        },
        partial="workerSpec" in predictor,
        adds_volumes=True,  # for the model
        moves=(*containers.moves, *merged_spec.moves, *runtime_moves, *own.moves),
    )


def _containers(predictor: Body, place: Pointer) -> Merged:
    """The containers in the order of buildPodSpec."""
    containers: list[Body] = []
    moves: Moves = ()
    for base, patch in _pairs(predictor, place):
        at = (*place, "containers", len(containers))
        joined = join(base, patch, at)
        containers.append(joined.value)
        moves = (*moves, *joined.moves)
    return Merged(containers, moves)


def _pairs(predictor: Body, place: Pointer) -> Iterator[tuple[Part | None, Part | None]]:
    """Each container of the runtime with the one that it is merged with, and then the others."""
    runtime = _named((*place, SERVED_BY, "containers"), list_at(predictor, SERVED_BY, "containers"))
    own = _named((*place, "containers"), list_at(predictor, "containers"))
    model = {key: value for key, value in mapping_at(predictor, "model").items() if key in OF_CONTAINER - {"name"}}
    yield runtime.pop(_SERVER, None), Part((*place, "model"), model)
    pair = runtime.pop(_TRANSFORMER, None), own.pop(_TRANSFORMER, None)
    if any(pair):
        yield pair
    yield from ((base, None) for base in runtime.values())
    yield from ((None, patch) for patch in own.values())


def _named(at: Pointer, containers: list[Any]) -> dict[Any, Part]:
    return {
        value.get("name"): Part((*at, index), value)
        for index, value in enumerate(containers)
        if isinstance(value, dict)
    }


def join(base: Part | None, patch: Part | None, at: Pointer) -> Merged:
    """A container with a patch in it. The arguments of the patch follow those of the container."""
    if base is None or patch is None:
        only = base or patch
        assert only
        return Merged(only.container, ((at, only.at),))
    first, last = list_at(base.container, "args"), list_at(patch.container, "args")
    others = {key: value for key, value in patch.container.items() if key != "args"}
    joined = merge_at(base.container, others, at, patch.at)
    arguments = {"args": [*first, *last]} if first or last else {}
    moves = tuple(((*at, "args", len(first) + index), (*patch.at, "args", index)) for index, _ in enumerate(last))
    return Merged({**joined.value, **arguments}, (*moves, *joined.moves, (at, base.at)))
