"""The values of releases that the versions of their charts do not read."""

from collections.abc import Iterator
from typing import Any

from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.layered_values import is_for_author
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.gitops.value_keys import Keys, Path, keys, rejects_no_key, remedy, unread_paths, value_maps
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding


def breaches(objects: Objects, *, refused: bool) -> Iterator[Finding]:
    """Findings about keys that charts do not read: with `refused`, those that the charts reject, else the others."""
    for release in releases(objects):
        if refused and rejects_no_key(release.chart, objects.catalog):
            continue
        chart_keys = keys(release, objects)
        maps = tuple(value_maps(release, objects)) if chart_keys else ()
        if chart_keys is None or any(_is_template(helm_values.values) for helm_values in maps):
            continue
        ignored = chart_row(release, objects).get("ignored") or {}  # reported by another rule
        for helm_values in maps:
            for path in unread_paths(helm_values.values, chart_keys):
                is_refused = chart_keys.refuses(path[:-1])
                if is_refused == refused and not (_is_aside(path, release, chart_keys) or ".".join(path) in ignored):
                    message = f"{'.'.join(path)}: {_unread_reason(release, chart_keys, is_refused=is_refused)}"
                    yield Finding(
                        helm_values.item,
                        helm_values.place(path),
                        message,
                        remedy(path, chart_keys, helm_values.values),
                        not helm_values.text,
                    )


def _unread_reason(release: Release, chart_keys: Keys, *, is_refused: bool) -> str:
    if not chart_keys.version:
        return f"no known version of the chart {release.chart} uses this value"
    effect = "rejects" if is_refused else "does not use"
    return f"the chart {release.chart} {chart_keys.version} {effect} this value"


def _is_template(values: Any) -> bool:
    """Whether a text in the values reads values itself, which works with charts that render their values."""
    if isinstance(values, dict):
        return any(map(_is_template, values.values()))
    if isinstance(values, list):
        return any(map(_is_template, values))
    return isinstance(values, str) and ".Values" in values


def _is_aside(path: Path, release: Release, chart_keys: Keys) -> bool:
    """Whether a key only helps its author, or the values belong to a chart that contains this chart."""
    is_wrapped = release.chart in release.values and release.chart not in chart_keys.below(())
    return is_wrapped or is_for_author(path[0])
