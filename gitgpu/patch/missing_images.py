"""Containers that a patch adds without an image: a strategic merge patch adds one if it misspells a name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.load.access import rows
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.decisions import POD_SPECS
from gitgpu.patch.fault import fault
from gitgpu.patch.locator import Locator
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

_LISTS = ("containers", "initContainers")


def missing_images(manifest: Manifest, states: Sequence[Mapping[str, Any]], patch: Patch) -> Iterator[Diagnostic]:
    """A fault for each; `states` are the object after each change of the patch. Patches of workloads are but a part."""
    at = POD_SPECS.get(manifest.ref.kind, ()) if manifest.role is not Role.PATCH else ()
    for key in _LISTS if at else ():
        names = [str(container.get("name")) for container in rows(manifest.body, *at, key)]
        for index, container in enumerate(rows(states[-1], *at, key)):
            name = str(container.get("name"))
            if name not in names and "image" not in container:
                problem = f"the patch adds a container '{name}' without an image", _remedy(name, names)
                yield fault("PAT009", patch, _place(patch, states, (*at, key, index)), problem)


def _place(patch: Patch, states: Sequence[Mapping[str, Any]], pointer: Pointer) -> Pointer:
    return Locator(patch, len(states) - 1, states[-1]).within(pointer)


def _remedy(name: str, names: Sequence[str]) -> str:
    near = nearest(name, names)
    if near:
        return f"write name: {near}"
    return f"add image, or write the name of a container that exists: {', '.join(names) or 'there is none'}"
