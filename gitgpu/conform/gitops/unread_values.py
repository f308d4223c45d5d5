"""The values of releases that the versions of their charts do not read."""

from collections.abc import Iterator
from typing import Any

from gitgpu.conform.gitops.chart_values import chart_row
from gitgpu.conform.gitops.layered_values import is_for_author
from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.gitops.value_keys import Keys, Path, keys, remedy, unread, written
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding


def breaches(objects: Objects, *, refused: bool) -> Iterator[Finding]:
    """Findings about keys that charts do not read: with `refused`, those that the charts reject, else the others."""
    for release in releases(objects):
        known = keys(release, objects)
        maps = tuple(written(release, objects)) if known else ()
        if known is None or any(_is_template(chart_keys.values) for chart_keys in maps):
            continue
        ignored = chart_row(release, objects).get("ignored") or {}  # reported by another rule
        for helm_values in maps:
            for path in unread(helm_values.values, known):
                is_refused = known.refuses(path[:-1])
                if is_refused == refused and not (_is_aside(path, release, known) or ".".join(path) in ignored):
                    message = f"{'.'.join(path)}: {_unread_reason(release, known, is_refused=is_refused)}"
                    yield Finding(
                        helm_values.item,
                        helm_values.place(path),
                        message,
                        remedy(path, known, helm_values.values),
                        not helm_values.text,
                    )


def _unread_reason(release: Release, known: Keys, *, is_refused: bool) -> str:
    if not known.version:
        return f"no known version of the chart {release.chart} uses it"
    return f"version {known.version} of the chart {release.chart} {'rejects it' if is_refused else 'does not use it'}"


def _is_template(values: Any) -> bool:
    """Whether a text in the values reads values itself, which works with charts that render their values."""
    if isinstance(values, dict):
        return any(map(_is_template, values.values()))
    if isinstance(values, list):
        return any(map(_is_template, values))
    return isinstance(values, str) and ".Values" in values


def _is_aside(path: Path, release: Release, known: Keys) -> bool:
    """Whether a key only helps its author, or the values are those of a chart that contains this chart."""
    is_wrapped = release.chart in release.values and release.chart not in known.below(())
    return is_wrapped or is_for_author(path[0])
