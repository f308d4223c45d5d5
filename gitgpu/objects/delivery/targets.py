"""What an object of Flux or Argo CD delivers: two with the same name and different targets replace each other."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.model.names.kinds import APPLICATION, FLUX_KUSTOMIZATION, GIT_REPOSITORY, group_kind
from gitgpu.source import Pointer, dotted_text

_PLACES: Mapping[tuple[str, str], tuple[Pointer, ...]] = {
    FLUX_KUSTOMIZATION: (("path",), ("sourceRef", "name")),
    GIT_REPOSITORY: (("url",), ("ref",)),
    APPLICATION: (("source", "path"), ("source", "repoURL"), ("sources",), ("sourceHydrator",), ("destination",)),
}


def target_of(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """What an object delivers, by the path of each field; None if the object is of another kind."""
    places = _PLACES.get(group_kind(body))
    if places is None:
        return None
    spec = mapping_at(body, "spec")
    return {dotted_text(("spec", *place)): _plain(reach(spec, *place)) for place in places}


def _plain(value: Any) -> Any:
    """A path or another value, in one spelling."""
    return value.removeprefix("./").rstrip("/") if isinstance(value, str) else value
