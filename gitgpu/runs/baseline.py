"""What a plan compares with: committed overlays, overlays in a directory or revision, or a fleet that is built."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.configuration.files import DEFAULT_FLEETS
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.git import Revision, read_revision, revision
from gitgpu.load.overlays import is_overlay, overlays_in, read_overlays
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import exists
from gitgpu.load.spec.texts import handwritten_texts
from gitgpu.load.text import Text
from gitgpu.model.inputs import Inputs
from gitgpu.objects.manifest.manifest_file import is_object, is_ours
from gitgpu.objects.objects import identity
from gitgpu.policy import Policy
from gitgpu.runs.build import Build, build, build_checked
from gitgpu.runs.validate import check_fleet, link_fleet, read_fleet
from gitgpu.source import Span
from gitgpu.write.recorded_clusters import recorded_clusters, recorded_versions


class Baseline(NamedTuple):
    """The first side: its files, its description, the prefix of its paths in faults, and its faults.

    `versions` are the Kubernetes versions by cluster, as recorded in overlays or the spec.
    """

    files: Mapping[str, str]
    description: str
    prefix: str = ""
    faults: tuple[Diagnostic, ...] = ()
    versions: Mapping[str, str] = {}


class FleetSource(NamedTuple):
    """Where a fleet is, how it is read, and which of its findings count."""

    paths: tuple[str, ...]
    options: FleetOptions
    policy: Policy

    @property
    def out(self) -> str:
        """The output directory, relative to the current directory."""
        return self.options.out.folder


def baseline(against: str | None, fleet: FleetSource) -> Baseline:
    """The side that a plan of this fleet compares with: overlays by default, or a directory or a revision."""
    if against is None:
        files, faults = read_overlays(fleet.out)
        description = f"the output in {fleet.out}" if files or faults else f"nothing: there is no output in {fleet.out}"
        return Baseline(files, description, f"{fleet.out}/", tuple(faults), _versions_of_overlays(fleet.out))
    return _directory(against, fleet) if os.path.isdir(against) else _revision(against, fleet)


def _directory(path: str, fleet: FleetSource) -> Baseline:
    overlays = overlays_in(path, fleet.out)
    if overlays is not None:
        files, faults = read_overlays(overlays)
        return Baseline(
            files, f"the output in {overlays}", f"{overlays}/", tuple(faults), _versions_of_overlays(overlays)
        )
    paths_inside = [f"{path.rstrip('/')}/{name}" for name in DEFAULT_FLEETS]
    inside = next(filter(exists, paths_inside), None)
    if inside is None:
        remedy = "pass a directory with overlays or a fleet, or a Git revision"
        message = "contains no overlays, no fleet.yaml and no fleet/"
        return Baseline({}, path, faults=(fault("INP009", message, remedy, Span(path)),))
    result = build(read_fleet((inside,), fleet.options), policy=fleet.policy)
    return baseline_of(result, f"the fleet in {path}, built with this release")


def _revision(name: str, fleet: FleetSource) -> Baseline:
    resolved = revision(name, fleet.out)
    if isinstance(resolved, Diagnostic):
        return Baseline({}, name, faults=(resolved,))
    # A branch moves on, so the plan also says which commit it was.
    shown = f"{name} ({resolved.commit[:10]})" if not resolved.commit.startswith(name) else name
    texts, faults = read_revision(resolved, fleet.out, is_overlay)
    if texts or faults:
        files = {text.label: text.content for text in texts}
        versions = _versions_set_in(_spec_texts(resolved, fleet.paths))
        return Baseline(files, f"the overlays of {shown}", f"{name}:{fleet.out}/", tuple(faults), versions)
    return _fleet_at(resolved, shown, fleet)


def _spec_texts(resolved: Revision, paths: Iterable[str]) -> Iterator[Text]:
    for path in paths:
        texts, _ = read_revision(resolved, path)
        yield from texts


def _fleet_at(resolved: Revision, shown: str, fleet: FleetSource) -> Baseline:
    """A revision without overlays: its fleet, built by this release, or nothing if it has no fleet either."""
    texts: list[Text] = []
    faults: list[Diagnostic] = []
    for path in fleet.paths:
        read, unread = read_revision(resolved, path)
        texts += read
        faults += unread
    if faults or not texts:
        return Baseline({}, f"nothing: {shown} has no output in {fleet.out}", faults=tuple(faults))
    linked = link_fleet(handwritten_texts(texts, fleet.paths), fleet.options)
    result = build_checked(check_fleet(linked, fleet.policy))
    return baseline_of(result, f"the fleet of {shown}, built with this release")


def baseline_of(result: Build, description: str) -> Baseline:
    """A build as the first side of a plan."""
    inputs = result.checked.inputs
    return Baseline(result.files, description, faults=result.errors, versions=versions_in(inputs) if inputs else {})


def versions_in(inputs: Inputs) -> Mapping[str, str]:
    """The Kubernetes versions of a fleet by cluster."""
    return {cluster.name: cluster.kubernetes for cluster in inputs.clusters}


def _versions_of_overlays(out: str) -> Mapping[str, str]:
    return recorded_versions(recorded_clusters(out))


def _versions_set_in(texts: Iterable[Text]) -> dict[str, str]:
    """The Kubernetes versions that a spec sets, by cluster. The rest of the spec may be invalid."""
    versions: dict[str, str] = {}
    for text in texts:
        documents, _ = parse(text) if "kubernetesVersion" in text.content else ((), ())
        for body in (document.data for document in documents):
            if is_object(body) and is_ours(body) and body["kind"] == "Cluster":
                versions[identity(body).name] = str(reach(body, "spec", "kubernetesVersion") or "")
    return versions
