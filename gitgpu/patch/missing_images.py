"""Containers that a patch adds without an image: a strategic merge patch with a misspelled name adds one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import rows
from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.decisions import POD_SPECS
from gitgpu.patch.fault import fault
from gitgpu.patch.locator import Locator
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

_LISTS = ("containers", "initContainers")


def missing_images(manifest: Manifest, states: Sequence[Mapping[str, Any]], patch: Patch) -> Iterator[Diagnostic]:
    """A fault for each; `states` are the object after each change. Patches of workloads are not whole objects."""
    at = POD_SPECS.get(manifest.ref.kind, ()) if manifest.role is not Role.PATCH else ()
    for key in _LISTS if at else ():
        names = _names(manifest.body, (*at, key))
        for name, container in zip(_names(states[-1], (*at, key)), rows(states[-1], *at, key), strict=True):
            if name not in names and "image" not in container:
                what = f"'{name}' without an image" if name else "that has neither a name nor an image"
                problem = Problem(f"the patch adds a container {what}", _remedy(name, names))
                yield fault("PAT009", patch, _place(patch, states, (*at, key), name), problem)


def _names(body: Mapping[str, Any], containers: Sequence[str]) -> list[str]:
    return [str(container.get("name") or "") for container in rows(body, *containers)]


def _place(patch: Patch, states: Sequence[Mapping[str, Any]], containers: Sequence[str], name: str) -> Pointer:
    """The part of the patch that adds the container."""
    index = next(at for at, body in enumerate(states) if name in _names(body, containers))
    entry = _names(states[index], containers).index(name)
    return Locator(patch, index, states[index]).within((*containers, entry))


def _remedy(name: str, names: Sequence[str]) -> str:
    closest = nearest(name, names) if name else ""
    if closest:
        return f"set name: {closest}"
    missing = "image" if name else "name and image"
    return f"add {missing}, or use the name of an existing container: {', '.join(names) or 'there is none'}"
