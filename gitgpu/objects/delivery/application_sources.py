"""The places of the sources in an Argo CD Application, or in the template of an ApplicationSet."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.model.names.kinds import APPLICATION, APPLICATION_SET, group_kind
from gitgpu.source import Pointer

KINDS = (APPLICATION, APPLICATION_SET)
_SPECS: Mapping[tuple[str, str], tuple[str, ...]] = {
    APPLICATION: ("spec",),
    APPLICATION_SET: ("spec", "template", "spec"),
}


def spec_place(body: Mapping[str, Any]) -> tuple[str, ...]:
    """The place of the Application's spec in an object; () for objects of other kinds."""
    return _SPECS.get(group_kind(body), ())


def placed_sources(spec: Any) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    """The sources in an Application's spec, with their places.

    With `sourceHydrator`, Argo CD ignores the others: it renders `drySource` to the branch that it applies. See
    GetSource in its types.go.
    """
    if reach(spec, "sourceHydrator") is not None:
        places: list[Pointer] = [("sourceHydrator", "drySource")]
    else:
        places = [*(("sources", index) for index in range(len(list_at(spec, "sources")))), ("source",)]
    for place in places:
        source = reach(spec, *place)
        if isinstance(source, dict):
            yield place, source


def sources_of(spec: Any) -> list[dict[str, Any]]:
    """The sources in an Application's spec, starting with `source`."""
    placed = sorted(placed_sources(spec), key=lambda entry: entry[0] != ("source",))
    return [source for _, source in placed]
