"""Node Feature Discovery that moves to another release: a build refuses this without --allow-removal.

When its DaemonSet is deleted before another one has labelled the nodes, their labels vanish for a while. Operators then
remove their pods and drivers from these nodes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.read import listing
from gitgpu.model.software.feature_discovery import DISCOVERY_SWITCHES
from gitgpu.runs.losses.lost_software import body_of
from gitgpu.runs.losses.recorded_labels import text_of
from gitgpu.runs.losses.removed_pools import Records, is_named
from gitgpu.source import Span
from gitgpu.write.file_texts import Texts


def moved_discovery(out: str, texts: Texts, old: Records, new: Records, allowed: Sequence[str]) -> Iterator[Diagnostic]:
    """A fault for each cluster where no release runs it both before and after the build, but one does each time.

    `old` are the records of the existing overlays.
    """
    for cluster in sorted(old.keys() & new.keys()):
        files = [*_files(out, cluster, "controllers"), *_files(out, cluster, "sync")]
        before = {path: text_of(f"{out}/{path}") for path in files}
        if all(texts.get(path, "") == text for path, text in before.items()):
            continue
        left = {path for path, text in before.items() if _runs(path, text)}
        written = (path for path in texts if path.startswith(f"{cluster}/") and _release(path))
        taken = {path for path in written if _runs(path, texts.get(path, ""))}
        if left and taken and not left & taken and not is_named(cluster, "*", allowed):
            yield _fault(cluster, f"{out}/{min(left)}", _release(min(taken)))


def _files(out: str, cluster: str, folder: str) -> Iterator[str]:
    for file in listing(f"{out}/{cluster}/{folder}"):
        if _release(file):
            yield f"{cluster}/{folder}/{file}"


def _release(path: str) -> str:
    """The release whose object has this file, a HelmRelease or an Application; "" for another file."""
    name = path.rpartition("/")[2].removesuffix(".yaml")
    starts = ("helmrelease-", "application-")
    release = next((name.removeprefix(start) for start in starts if name.startswith(start)), "").rpartition(".")[2]
    return release if release in DISCOVERY_SWITCHES else ""


def _runs(path: str, text: str) -> bool:
    """Whether the release has its worker. The charts of operators include it by default."""
    spec = mapping_at(body_of(text), "spec")
    values: Any = spec.get("values") or reach(spec, "source", "helm", "valuesObject") or {}
    return bool(text) and reach(values, *DISCOVERY_SWITCHES[_release(path)]) is not False


def _fault(cluster: str, place: str, release: str) -> Diagnostic:
    message = (
        f"Node Feature Discovery of {cluster} moves to the release {release}: nodes can lose its labels meanwhile, and "
        "operators then remove their pods and drivers"
    )
    remedy = (
        "keep stack.nodeSelection of this cluster as it was; or let both releases run for one build, with nfd.enabled "
        f"in stack.values; or drain the GPU nodes, and build with --allow-removal '{cluster}/*'"
    )
    return Diagnostic("OUT012", Severity.ERROR, message, remedy, Span(place))
