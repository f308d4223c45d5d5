"""GPU requests in objects that cannot become a GpuWorkload, such as Pods and LeaderWorkerSets."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at
from gitgpu.model.names.prefixes import MIG_PREFIX

_AMOUNTS = ("limits", "requests")


def requests_gpus(body: Mapping[str, Any]) -> bool:
    """Whether any container in it requests a GPU. Objects with an owner do not count, because their owner does."""
    if list_at(body, "metadata", "ownerReferences"):
        return False
    return any(name.endswith("/gpu") or name.startswith(MIG_PREFIX) for name in _requested(body.get("spec")))


def _requested(value: Any) -> Iterator[str]:
    """The names of all resources that containers anywhere in a value request or limit, except for an amount of 0."""
    if isinstance(value, list):
        for entry in value:
            yield from _requested(entry)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "resources" and isinstance(inner, Mapping):
                for kind in _AMOUNTS:
                    yield from (str(name) for name, amount in mapping_at(inner, kind).items() if str(amount) != "0")
            else:
                yield from _requested(inner)
