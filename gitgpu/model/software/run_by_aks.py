"""The releases of projects that AKS runs itself: node auto-provisioning, add-ons and extensions."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.software.karpenter import running
from gitgpu.model.syntax.version import version

_BY_KUBERNETES = {"keda": "the KEDA add-on", "kaito": "the KAITO add-on"}  # keys of catalog/kubernetes


class RunByAks(NamedTuple):
    """A service of AKS, and the releases of a project that it may run, oldest first."""

    service: str
    releases: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.service} runs {' or '.join(self.releases)}"


def run_by_aks(catalog: Catalog, project: str, today: str, kubernetes: str = "") -> RunByAks | None:
    """What AKS runs of a project on a day and, for an add-on, on a Kubernetes minor version (any, if it is "")."""
    if project == "karpenter":
        release = running(catalog, today)
        return RunByAks("node auto-provisioning", (release.name,)) if release else None
    if project in _BY_KUBERNETES:
        return _add_on(catalog, project, today, kubernetes)
    row = next((row for row in catalog.rows("managed").values() if row["project"] == project), None)
    if row is None:
        return None
    begun = [entry["release"] for entry in row["releases"] if not today or entry["since"] <= today]
    return _sorted(str(row["service"]), begun[-row["supported"] :])


def _add_on(catalog: Catalog, project: str, today: str, kubernetes: str) -> RunByAks | None:
    service, row = _BY_KUBERNETES[project], catalog.facts("kubernetes", kubernetes)
    if row and row[project]:
        return RunByAks(f"{service} of Kubernetes {kubernetes}", (row[project],))
    found = [catalog.must("kubernetes", name)[project] for name in _supported(catalog, today)]
    return _sorted(service, [release for release in found if release])


def _supported(catalog: Catalog, today: str) -> Iterator[str]:
    """The Kubernetes versions that AKS supports, without long-term support."""
    for name, row in catalog.rows("kubernetes").items():
        if str(row["aks"]["endOfLife"] or today) >= today:
            yield name


def _sorted(service: str, releases: list[str]) -> RunByAks | None:
    return RunByAks(service, tuple(sorted(set(releases), key=version))) if releases else None
