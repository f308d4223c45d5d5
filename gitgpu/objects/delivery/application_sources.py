"""The places of the sources in an Argo CD Application, or in the template of an ApplicationSet."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.load.access import entries, group_kind, inner, rows
from gitgpu.model.names.kinds import APPLICATION, APPLICATION_SET
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
    for index, source in enumerate(entries(spec, "sources")):
        if isinstance(source, dict):
            yield ("sources", index), source
    if isinstance(inner(spec, "source"), dict):
        yield ("source",), inner(spec, "source")


def sources_of(spec: Any) -> list[dict[str, Any]]:
    """The sources in an Application's spec, starting with `source`."""
    source, several = inner(spec, "source"), rows(spec, "sources")
    return [source, *several] if isinstance(source, dict) else several
