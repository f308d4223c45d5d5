"""The places of the sources in an Argo CD Application, or in the template of an ApplicationSet."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach, rows
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
    """The sources in an Application's spec, with their places."""
    for index, source in enumerate(list_at(spec, "sources")):
        if isinstance(source, dict):
            yield ("sources", index), source
    if isinstance(reach(spec, "source"), dict):
        yield ("source",), reach(spec, "source")


def sources_of(spec: Any) -> list[dict[str, Any]]:
    """The sources in an Application's spec, starting with `source`."""
    source, several = reach(spec, "source"), rows(spec, "sources")
    return [source, *several] if isinstance(source, dict) else several
