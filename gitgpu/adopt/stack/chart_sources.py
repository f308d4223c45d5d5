"""Where running charts come from: a repository other than upstream's stays the source of a chart that is taken over.

A patch of the new object keeps it. What a patch cannot keep is reported, such as credentials in a URL.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.adopt.adoption import Adopted, Destination, Fate, Outcome, RunningChart
from gitgpu.adopt.compiled import output_of
from gitgpu.adopt.kept_patches import PATCHES, patch_of, with_patches
from gitgpu.inventory.observed import Observed
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import APPLICATION, HELM_REPOSITORY, OCI_REPOSITORY, group_kind
from gitgpu.source import Pointer

_KINDS = (HELM_REPOSITORY, OCI_REPOSITORY)
# Fields of a source that are not about where the chart is, or that the URL decides.
_OTHERS = ("accessFrom", "interval", "layerSelector", "ref", "suspend", "timeout", "type", "url", "verify")
_COMMENT = "the charts come from repositories of your own"
_OCI = "oci://"


class _Address(NamedTuple):
    """The repository of a chart: its URL without the chart, or "" if it was not read, and where it is written."""

    observed: Observed
    url: str
    pointer: Pointer

    @property
    def is_hidden(self) -> bool:
        """Whether the URL may contain a password."""
        return self.pointer in self.observed.hidden

    def fields(self) -> Iterator[tuple[str, Any]]:
        """The other fields of a source, such as its credentials."""
        if group_kind(self.observed.body) in _KINDS:
            for key, value in mapping_at(self.observed.body, "spec").items():
                if key not in _OTHERS and (key, value) != ("provider", "generic"):
                    yield key, value


class _Source(NamedTuple):
    """A running source, the object of gitgpu in its place, and the fields that only the running one has, for a patch.

    `url` is where gitgpu's object gets the chart from.
    """

    address: _Address
    new: Mapping[str, Any]
    own: Mapping[str, Any]
    url: str

    @property
    def why_not_kept(self) -> str:
        """Why a patch cannot keep what the running source has; "" if it can."""
        title = f"{self.new['kind']}/{text_at(self.new, 'metadata', 'name')}"
        reads, set_it = f"gitgpu gets the chart from {self.url}", f"in {title}, with spec.patches of the Cluster"
        if self.address.is_hidden and group_kind(self.new) == APPLICATION:
            return f"it may contain a password, so {reads}: add the repository to Argo CD, and set repoURL {set_it}"
        if self.address.is_hidden:
            return f"it may contain a password, so {reads}: put that in a Secret, and set url and secretRef {set_it}"
        if group_kind(self.new) == OCI_REPOSITORY and not str(self.own.get("url", _OCI)).startswith(_OCI):
            return f"{reads}: copy the chart to your OCI registry, and set registry.charts"
        secrets = [key for key in self.own if key.endswith("Ref")]
        of, to = (text_at(body, "metadata", "namespace") for body in (self.address.observed.body, self.new))
        if secrets and group_kind(self.new) == APPLICATION:
            return f"{reads}: add the credentials of the repository to Argo CD, and set repoURL {set_it}"
        if secrets and of != to:
            return f"{reads}, in namespace {to}: copy the Secret there from {of}, and set url and secretRef {set_it}"
        return ""


def sources_of(release: Mapping[str, Any], objects: Iterable[Observed]) -> Iterator[Observed]:
    """The HelmRepository or OCIRepository that a HelmRelease names."""
    spec = mapping_at(release, "spec")
    named = mapping_at(reach(spec, "chart", "spec", "sourceRef") or spec.get("chartRef"))
    namespace = text_at(named, "namespace") or text_at(release, "metadata", "namespace")
    for observed in objects:
        meta = mapping_at(observed.body, "metadata")
        reference = {"kind": observed.body.get("kind"), "name": meta.get("name")}
        is_near = not namespace or text_at(meta, "namespace") in ("", namespace)
        if is_near and reference.items() <= named.items() and group_kind(observed.body) in _KINDS:
            yield observed


def with_kept_sources(fleet: Adopted, inputs: Inputs | None, running: Mapping[str, Sequence[Observed]]) -> Adopted:
    """The fleet with patches for the sources of its charts. `running` are the objects by the name of their Cluster."""
    documents, outcomes = list(fleet.documents), list(fleet.outcomes)
    for cluster in inputs.clusters if inputs else ():
        if inputs and fleet.running.get(cluster.name):
            bodies = [manifest.body for manifest in output_of(inputs, cluster).manifests]
            objects = running.get(cluster.name, ())
            sources = [each for chart in fleet.running[cluster.name] for each in _sources(chart, bodies, objects)]
            patches = [_patch(source) for source in sources if not source.why_not_kept]
            documents = [with_patches(entry, cluster.name, patches, _COMMENT) for entry in documents]
            outcomes += [_outcome(source, cluster.name) for source in sources]
    return fleet._replace(documents=tuple(documents), outcomes=tuple(outcomes))


def _sources(
    chart: RunningChart, emitted: Iterable[Mapping[str, Any]], objects: Sequence[Observed]
) -> Iterator[_Source]:
    """The sources of a chart that have something that the object of gitgpu would not have."""
    for new in emitted:
        name = text_at(new, "metadata", "name")
        of_argo = group_kind(new) == APPLICATION and name.endswith(f".{chart.chart}")
        if of_argo or (group_kind(new) in _KINDS and name == chart.chart):
            for address in _addresses(chart.observed, objects):
                url = text_at(new, "spec", "source", "repoURL") or _without_chart(text_at(new, "spec", "url"), new)
                own = {key: value for key, value in address.fields() if value != reach(new, "spec", key)}
                if _plain(address.url) != _plain(url):
                    own |= _at(address.url, chart.chart, new)
                if own or address.is_hidden:
                    yield _Source(address, new, own, url)


def _addresses(observed: Observed, objects: Sequence[Observed]) -> Iterator[_Address]:
    """The repositories of a running chart: of its Flux source, or in the sources of its Application."""
    for source in sources_of(observed.body, objects):
        yield _Address(source, _without_chart(text_at(source.body, "spec", "url"), source.body), ("spec", "url"))
    several = [("spec", "sources", number) for number, _ in enumerate(list_at(observed.body, "spec", "sources"))]
    for place in (("spec", "source"), *several):
        entry = mapping_at(observed.body, *place)
        if text_at(entry, "chart"):
            yield _Address(observed, text_at(entry, "repoURL"), (*place, "repoURL"))


def _without_chart(url: str, source: Mapping[str, Any]) -> str:
    """The URL of a repository. That of an OCIRepository ends with the chart."""
    return url.rpartition("/")[0] if group_kind(source) == OCI_REPOSITORY else url


def _plain(url: str) -> str:
    """A URL as Argo CD and Flux agree on it."""
    return url.removeprefix(_OCI).rstrip("/")


def _at(url: str, chart: str, new: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of gitgpu's object for a chart at this URL."""
    if group_kind(new) == APPLICATION:
        return {"source": {"repoURL": url.removeprefix(_OCI)}}
    full = url if "://" in url else f"{_OCI}{url}"
    if group_kind(new) == OCI_REPOSITORY:
        return {"url": f"{full.rstrip('/')}/{chart}"}
    return {"type": "oci", "url": full} if full.startswith(_OCI) else {"url": full}


def _outcome(source: _Source, cluster: str) -> Outcome:
    observed, url = source.address.observed, source.address.pointer
    pointer = url if {"url", "source"} & set(source.own) or not source.own else ("spec", next(iter(source.own)))
    if why := source.why_not_kept:
        return Outcome(observed, Fate.INEXPRESSIBLE, why, pointer)
    into = Destination("Cluster", cluster, PATCHES)
    return Outcome(observed, Fate.INFERRED, "the chart still comes from there", pointer, into)


def _patch(source: _Source) -> dict[str, Any]:
    return patch_of(source.new["kind"], text_at(source.new, "metadata", "name"), source.own)
