"""The schemas of Kubernetes objects: gitgpu's contracts and the data of kubernetes-validate.

Built-in kinds are checked with the data of kubernetes-validate, not with its Python code: its API parses 1.5 MB of
definitions for every object, reports one fault per call, compares versions as text, and takes as long to import as a
small build.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

from gitgpu.load.read import data_root, data_text, listing, package_text

RELEASES = "_releases"  # the contract that lists the releases of projects
PACKAGE = "kubernetes_validate"
FOLDER = "kubernetes-json-schema"
_STRICT = ".0-local-strict"  # suffix of the folder of a minor version


class Schemas:
    """Reads schemas by name, and caches them for the lifetime of the process. All instances are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schemas)

    def __hash__(self) -> int:
        return hash(Schemas)

    def contract(self, name: str) -> dict[str, Any] | None:
        """The contract `<group>_<kind>` in lower case; None if gitgpu has none."""
        return _contract(name)

    def contracts(self) -> tuple[str, ...]:
        """The names of all contracts."""
        return _contracts()

    def built_in_names(self, minor: str) -> tuple[str, ...]:
        """The names of all files of a Kubernetes minor version."""
        return _built_in_names(minor)

    def built_in_file(self, minor: str, name: str) -> str | None:
        """A file of a Kubernetes minor version, such as "daemonset-apps-v1" or "_definitions", or None."""
        return _built_in(minor, name)

    def minors(self) -> tuple[str, ...]:
        """The bundled Kubernetes minor versions, oldest first."""
        return _minors()


@cache
def _contracts() -> tuple[str, ...]:
    return tuple(name.removesuffix(".json") for name in listing(f"{data_root()}/schemas/contracts"))


@cache
def _contract(name: str) -> dict[str, Any] | None:
    """A contract by name, which is from a user's object: it may be too long for a file, or lead out of the folder."""
    if name not in _contracts():
        return None
    contract: dict[str, Any] = json.loads(data_text(f"schemas/contracts/{name}.json"))
    return contract


@cache
def _built_in(minor: str, name: str) -> str | None:
    return package_text(PACKAGE, f"{FOLDER}/v{minor}{_STRICT}/{name}.json")


@cache
def _built_in_names(minor: str) -> tuple[str, ...]:
    return tuple(name.removesuffix(".json") for name in _bundled(f"{FOLDER}/v{minor}{_STRICT}"))


@cache
def _minors() -> tuple[str, ...]:
    names = [name for name in _bundled(FOLDER) if name.endswith(_STRICT)]
    minors = [name.removeprefix("v").removesuffix(_STRICT) for name in names]
    return tuple(sorted(minors, key=lambda minor: [int(part) for part in minor.split(".")]))


def _bundled(folder: str) -> Iterator[str]:
    """The names in a folder of the package's data; none if it is not installed."""
    spec = find_spec(PACKAGE)
    places = (spec.submodule_search_locations or ()) if spec else ()
    for place in places:
        yield from listing(f"{place}/{folder}")
