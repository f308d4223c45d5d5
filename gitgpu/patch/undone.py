"""gitgpu decisions that a patch undoes, in an object or in the values of its chart."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.emit.chart.undone import undone_decisions as undone_values
from gitgpu.emit.manifest import Manifest
from gitgpu.model.names.kinds import APPLICATION, HELM_RELEASE
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.decisions import decisions
from gitgpu.patch.fault import fault
from gitgpu.patch.locator import Locator
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.source import Pointer

_PATCH = "this part of the patch"
_VALUES: Mapping[str, tuple[str, ...]] = {
    APPLICATION.kind: ("spec", "source", "helm", "valuesObject"),
    HELM_RELEASE.kind: ("spec", "values"),
}


class Undone(NamedTuple):
    """A decision that a patch undoes: its place in the object, the message and the remedy."""

    at: Pointer
    message: str
    remedy: str


class Judge(NamedTuple):
    """Finds the decisions for a cluster that a patch undoes."""

    plan: ClusterPlan
    releases: Mapping[str, Release]

    def undone_decisions(
        self, manifest: Manifest, states: Sequence[Mapping[str, Any]], patch: Patch
    ) -> Iterator[Diagnostic]:
        """What a patch undoes, once for each place and remedy; `states` are the object after each of its changes."""
        before = set(self._all(manifest, manifest.body))
        alike: dict[tuple[Pointer, str], list[str]] = {}
        for diagnostic in self._all(manifest, states[-1]):
            if diagnostic not in before:
                index = next(at for at, body in enumerate(states) if diagnostic in self._all(manifest, body))
                place = Locator(patch, index, states[index]).within(diagnostic.at)
                alike.setdefault((place, diagnostic.remedy), []).append(diagnostic.message)
        for (place, remedy), (message, *others) in alike.items():
            more = f", and {len(others)} more" if others else ""
            yield fault("PAT008", patch, place, Problem(f"{message}{more}", remedy), Severity.WARNING)

    def _all(self, manifest: Manifest, body: Mapping[str, Any]) -> list[Undone]:
        return [*_undone_in(manifest, body), *self._of_values(manifest, body)]

    def _of_values(self, manifest: Manifest, body: Mapping[str, Any]) -> Iterator[Undone]:
        above = _VALUES.get(manifest.ref.kind, ())
        release = self.releases.get(manifest.ref.name.rpartition(".")[2]) if above else None
        for value in undone_values(release, self.plan, reach(body, *above)) if release else ():
            yield Undone((*above, *value.path), value.message, value.remedy(_PATCH))


def judge(plan: ClusterPlan) -> Judge:
    """The judge for the patches of a cluster."""
    return Judge(plan, {release.chart.release: release for release in releases(plan)})


def _undone_in(manifest: Manifest, body: Mapping[str, Any]) -> Iterator[Undone]:
    kept = {decision.meaning for decision in decisions(body)}
    for meaning, at, key in decisions(manifest.body):
        if meaning not in kept:
            title = f"{manifest.ref.kind} {manifest.ref.name}"
            remedy = (
                f"remove {_PATCH}, and use {key} to change this"
                if key
                else f"remove {_PATCH}, or add that setting to it"
            )
            yield Undone(at, f"the patch overrides a gitgpu setting for {title}: {meaning}", remedy)
