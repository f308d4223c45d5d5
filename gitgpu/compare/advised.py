"""Advisories that a change brings to a cluster, or that it ends: those about charts and images."""

from collections.abc import Iterator, Mapping

from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.compare.software_versions import named_versions
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.advisories import Advisory, Verdict, advisories, match


def advisory_effects(change: Change, catalog: Catalog) -> Iterator[str]:
    """What a change of a version, or of what is installed, means. Software that is removed has no effect."""
    before, after = _advised(change.before, catalog), _advised(change.after, catalog)
    for name in sorted(after.keys() - before.keys()):
        yield f"{name} applies now: {after[name].effect}; {after[name].remedy}"
    if change.after:
        for name in sorted(before.keys() - after.keys()):
            yield f"{name} no longer applies: {before[name].title}"


def _advised(obj: OverlayObject | None, catalog: Catalog) -> Mapping[str, Advisory]:
    """The advisories that certainly apply to what an object names, by their codes."""
    named = list(named_versions(obj.body)) if obj else []
    if not named:
        return {}
    known_advisories = (advisory for advisory in advisories(catalog) if not advisory.rules)
    return {
        advisory.id: advisory
        for advisory in known_advisories
        if any(match(advisory, each).verdict is Verdict.YES for each in named)
    }
