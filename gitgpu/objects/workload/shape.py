"""Where the pods of a kind are written, for patches: a path to the spec of a group of pods, and one to a container."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.source import Pointer

# A key, or the element of a list that has a value under a key.
Step: TypeAlias = str | tuple[str, str]
Path: TypeAlias = tuple[Step, ...]
# Places in the pods as rules read them, and where these are written.
Moves: TypeAlias = tuple[tuple[Pointer, Pointer], ...]
Body: TypeAlias = Mapping[str, Any]


def in_containers(name: str) -> Path:
    """The place of a container in a pod spec."""
    return "containers", ("name", name)


def of_object(_: str) -> Path:
    """The place of the labels of an object."""
    return "metadata", "labels"


class Groups(NamedTuple):
    """The groups of pods of a kind: their names, None if the object names them, and the one that is meant by default.

    There is no default if `default` is "".
    """

    names: tuple[str, ...] | None
    default: str = ""


class Shape(NamedTuple):
    """How a patch reaches the pods of a kind.

    `spec_at` is the path to the pod spec of a group ("" if there are no groups), `container_at` that of a container
    below it. `container` is the container that gets the GPUs by default, "" for one with the name of the object.
    `scales` says whether the kind has the subresource `scale`, and `queue_at` is the path to the labels that name the
    queue of a group.

    Kinds whose pods have no list of containers say with `written` where the settings of the GPU container are, by the
    group and the name of the container. `lacks` are settings that have no place in the object, and `pods_at` is where
    its pods are read, if that is not the place of their spec.
    """

    api_version: str
    spec_at: Callable[[str], Path]
    groups: Groups | None = None
    container: str = ""
    container_at: Callable[[str], Path] = in_containers
    scales: bool = False
    queue_at: Callable[[str], Path] = of_object
    written: Callable[[str, str, Body], Body] | None = None
    lacks: frozenset[str] = frozenset()
    pods_at: Callable[[str], Path] | None = None


def of_template(*at: str) -> Callable[[str], Path]:
    """The path of kinds that have one pod template, at this place."""
    return lambda _: (*at, "spec")


# Settings of pods and containers that some kinds have no place for, as their keys in a pod spec or a container.
AFFINITY, CLAIMS, PRIORITY, SCHEDULER, CAPABILITIES = (
    "affinity",
    "resourceClaims",
    "priorityClassName",
    "schedulerName",
    "securityContext",
)


def nest(path: Path, value: Any) -> Any:
    """The part of an object that has a value at a path, and what identifies the elements of lists on the way."""
    for step in reversed(path):
        if isinstance(step, str):
            value = {step: value}
        else:
            key, name = step
            value = [{key: name, **value}]
    return value
