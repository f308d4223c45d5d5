"""What a plan compares with: committed overlays, overlays in a directory or revision, or a fleet that is built."""

import os
from collections.abc import Iterable, Iterator

from gitgpu.cli.fleets.findings import check_with, validate_texts
from gitgpu.cli.fleets.plans import Baseline
from gitgpu.cli.input.recorded_clusters import recorded_clusters, versions_in
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.access import reach
from gitgpu.load.configuration.files import DEFAULT_FLEETS
from gitgpu.load.git import Revision, read_revision, revision
from gitgpu.load.overlays import is_overlay, overlays_in, read_overlays
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import exists
from gitgpu.load.spec.texts import written_by_hand
from gitgpu.load.text import Text, fault
from gitgpu.objects.manifest.objects import is_object, is_ours
from gitgpu.objects.objects import identity
from gitgpu.runs.build import Build, build, build_checked
from gitgpu.runs.validate import read_fleet
from gitgpu.source import Span


def baseline(against: str | None, settings: Settings) -> Baseline:
    """The side that a plan compares with."""
    if against is None:
        files, faults = read_overlays(settings.out)
        description = (
            f"the overlays in {settings.out}"
            if files or faults
            else f"nothing: there are no overlays in {settings.out}"
        )
        return Baseline(files, description, f"{settings.out}/", tuple(faults), _recorded(settings.out))
    return _directory(against, settings) if os.path.isdir(against) else _revision(against, settings)


def _directory(path: str, settings: Settings) -> Baseline:
    overlays = overlays_in(path, settings.out)
    if overlays is not None:
        files, faults = read_overlays(overlays)
        return Baseline(files, f"the overlays in {overlays}", f"{overlays}/", tuple(faults), _recorded(overlays))
    paths_inside = [f"{path.rstrip('/')}/{name}" for name in DEFAULT_FLEETS]
    inside = next(filter(exists, paths_inside), None)
    if inside is None:
        remedy = "pass a directory with overlays or a fleet, or a Git revision"
        message = "contains no overlays, no fleet.yaml and no fleet/"
        return Baseline({}, path, faults=(fault("INP009", message, remedy, Span(path)),))
    result = build(read_fleet((inside,), settings.fleet), tuple, check_with(settings.policy))
    return _built(result, f"the fleet in {path}, built with this release")


def _revision(name: str, settings: Settings) -> Baseline:
    resolved = revision(name, settings.out)
    if isinstance(resolved, Diagnostic):
        return Baseline({}, name, faults=(resolved,))
    # A branch moves on, so the plan also says which commit it was.
    shown = f"{name} ({resolved.commit[:10]})" if not resolved.commit.startswith(name) else name
    texts, faults = read_revision(resolved, settings.out, is_overlay)
    if texts or faults:
        files = {text.label: text.content for text in texts}
        versions = _versions(_spec_texts(resolved, settings.paths))
        return Baseline(files, f"the overlays of {shown}", f"{name}:{settings.out}/", tuple(faults), versions)
    return _fleet_at(resolved, shown, settings)


def _spec_texts(resolved: Revision, paths: Iterable[str]) -> Iterator[Text]:
    for path in paths:
        texts, _ = read_revision(resolved, path)
        yield from texts


def _fleet_at(resolved: Revision, shown: str, settings: Settings) -> Baseline:
    """A revision without overlays: its fleet, built by this release, or nothing if it has no fleet either."""
    texts: list[Text] = []
    faults: list[Diagnostic] = []
    for path in settings.paths:
        read, unread = read_revision(resolved, path)
        texts += read
        faults += unread
    if faults or not texts:
        return Baseline({}, f"nothing: {shown} has no overlays in {settings.out}", faults=tuple(faults))
    result = build_checked(validate_texts(written_by_hand(texts, settings.paths), settings), tuple)
    return _built(result, f"the fleet of {shown}, built with this release")


def _built(result: Build, description: str) -> Baseline:
    clusters = result.checked.inputs.clusters if result.checked.inputs else ()
    versions = {cluster.name: cluster.kubernetes for cluster in clusters}
    return Baseline(dict(result.files), description, faults=result.errors, versions=versions)


def _recorded(out: str) -> dict[str, str]:
    return versions_in(recorded_clusters(out))


def _versions(texts: Iterable[Text]) -> dict[str, str]:
    """The Kubernetes versions that a spec sets, by cluster. The rest of the spec may be invalid."""
    versions: dict[str, str] = {}
    for text in texts:
        documents, _ = parse(text) if "kubernetesVersion" in text.content else ((), ())
        for body in (document.data for document in documents):
            if is_object(body) and is_ours(body) and body["kind"] == "Cluster":
                versions[identity(body).name] = str(reach(body, "spec", "kubernetesVersion") or "")
    return versions
