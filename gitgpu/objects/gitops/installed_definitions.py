"""The custom resource definitions that a chart release installs."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import NUMBERS, inside
from gitgpu.objects.gitops.releases import Release


class Installed(NamedTuple):
    """A definition that a release installs. `owner` is the chart it belongs to.

    `folder` says whether it is in a crds folder; `switches` are the values that turn it off.
    """

    name: str
    owner: str
    folder: bool
    switches: tuple[str, ...]


def installed_definitions(release: Release, catalog: Catalog) -> Iterator[Installed]:
    """The definitions that the release certainly installs, if its crds folders are not skipped."""
    row = catalog.facts("definitions", release.chart)
    for part in row["parts"] if row else ():
        switches: Mapping[str, bool] = part.get("values") or {}
        if not _on(release, switches):
            continue
        for name, bounds in part["definitions"].items():
            if _ships(release.version, bounds):
                yield Installed(name, part.get("owner", release.chart), part["folder"], tuple(switches))


def _on(release: Release, switches: Mapping[str, bool]) -> bool:
    if not switches:
        return True
    written: dict[str, Any] = {path: release.value(*path.split(".")) for path in switches}
    if not release.whole and None in written.values():
        return False  # another source of values may turn them off
    return any((default if written[path] is None else written[path]) is True for path, default in switches.items())


def _ships(version: str, bounds: str) -> bool:
    """Whether a version is inside bounds. An unknown version is taken for the newest."""
    number = version.removeprefix("v")
    return inside(number, bounds) if NUMBERS.fullmatch(number) else "<" not in bounds
