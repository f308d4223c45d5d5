"""The releases of projects that AKS runs itself: node auto-provisioning, add-ons and extensions."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.software.karpenter import running
from gitgpu.model.syntax.version import version

_BY_KUBERNETES = {"keda": "the KEDA add-on", "kaito": "the KAITO add-on"}  # keys of catalog/kubernetes


class RunByAks(NamedTuple):
    """A service of AKS, and the releases of a project that it may run, oldest first.

    `long_term` are others, which only clusters with long-term support run. `releases` is empty if those of newer
    clusters are not known. `older` are supported releases of an extension from which AKS updates it by default.
    """

    service: str
    releases: tuple[str, ...]
    long_term: tuple[str, ...] = ()
    older: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.releases:
            return f"with long-term support, {self.service} runs {_any_of(self.long_term)}"
        others = f" (with long-term support, {_any_of(self.long_term)})" if self.long_term else ""
        return f"{self.service} runs {_any_of(self.releases)}{others}"


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
    supported = tuple(sorted(set(begun[-row["supported"] :]), key=version))
    return RunByAks(str(row["service"]), supported[-1:], older=supported[:-1]) if supported else None


def _add_on(catalog: Catalog, project: str, today: str, kubernetes: str) -> RunByAks | None:
    service, row = _BY_KUBERNETES[project], catalog.facts("kubernetes", kubernetes)
    if row and row[project]:
        return RunByAks(f"{service} of Kubernetes {kubernetes}", (row[project],))
    supported = set(_supported_releases(catalog, project, today, "endOfLife"))
    long_term = set(_supported_releases(catalog, project, today, "ltsEndOfLife")) - supported
    if not supported | long_term:
        return None
    return RunByAks(service, tuple(sorted(supported, key=version)), tuple(sorted(long_term, key=version)))


def _supported_releases(catalog: Catalog, project: str, today: str, end: str) -> list[str]:
    """The releases of an add-on with the Kubernetes versions whose support does not end before a day."""
    supported_rows = [row for row in catalog.rows("kubernetes").values() if str(row["aks"][end] or today) >= today]
    return [str(row[project]) for row in supported_rows if row[project]]


def _any_of(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
