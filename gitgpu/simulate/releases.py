"""Where Karpenter releases place pods differently: which values minValues counts."""

from collections.abc import Iterable
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import version
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.simulate.forecast import SCHEDULABLE, Doubt, Forecast, Verdict
from gitgpu.spelling import join_names


class Releases(NamedTuple):
    """The releases that a cluster may run, oldest first: those that count every value for minValues, and later ones.

    The later ones count only the values that a new node may have.
    """

    every: tuple[str, ...]
    allowed: tuple[str, ...]

    def differ(self, objects: Objects) -> bool:
        """Whether the release may matter for these objects."""
        return bool(self.every and self.allowed) and any(
            wanted.minimum for pool in node_pools(objects) for wanted in pool.together.values()
        )


def releases_of(running: Iterable[str], catalog: Catalog) -> Releases:
    """These Karpenter releases, by what they do."""
    since = version(catalog.must("features", "min-values-of-allowed-values")["since"])
    ordered = sorted(running, key=version)
    every = tuple(release for release in ordered if version(release) < since)
    return Releases(every, tuple(ordered[len(every) :]))


def with_doubts(forecast: Forecast, other: Forecast, releases: Releases) -> Forecast:
    """The forecast for the older releases, with a doubt for each workload that the later ones place differently."""
    later = {(verdict.kind, verdict.title): verdict for verdict in other.verdicts}
    verdicts = (
        _with_doubt(verdict, later.get((verdict.kind, verdict.title)), releases) for verdict in forecast.verdicts
    )
    return forecast._replace(verdicts=tuple(verdicts))


def _with_doubt(verdict: Verdict, later: Verdict | None, releases: Releases) -> Verdict:
    if later is None or _placement(later) == _placement(verdict):
        return verdict
    every, allowed = join_names(releases.every), join_names(releases.allowed)
    text = f"so with Karpenter {every}; with {allowed}, minValues counts only values that the pod allows"
    doubt = Doubt("release", f"{text}: {_text(later)}", decides=verdict.verdict != later.verdict)
    return verdict._replace(doubts=(*verdict.doubts, doubt))


def _placement(verdict: Verdict) -> tuple[object, ...]:
    return (verdict.pools, verdict.skus, verdict.zones, verdict.spot, verdict.high, verdict.low)


def _text(verdict: Verdict) -> str:
    if verdict.verdict == SCHEDULABLE:
        return f"{join_names(verdict.skus)} of {join_names(verdict.pools)}"
    reasons = [f"{reason.pool}: {reason.message}" for reason in verdict.reasons if reason.kind == "minValues"]
    return f"no node{' (' + '; '.join(reasons) + ')' if reasons else ''}"
