"""The keys that a version of a chart reads from its values, according to the catalog, and what a release sets."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import BUCKET, CONFIG_MAP, GIT_REPOSITORY, HELM_VALUES
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.chart_values import is_of_another_project
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

Path = tuple[str, ...]

_MAX_LISTED = 12  # the most keys that a remedy lists
_CUTOFF_HERE = 0.9  # as similar as enable and enabled: then a key here is preferred to the same key elsewhere
_CUTOFF = 0.8  # one wrong letter in a key of five


class Written(NamedTuple):
    """A map of values of a release, with its object and place; `text` as in Release."""

    item: Item
    pointer: Pointer
    values: Mapping[str, Any]
    text: bool = False

    def place(self, path: Path) -> Pointer:
        """The place of a value."""
        return self.pointer if self.text else (*self.pointer, *path)


class Keys(NamedTuple):
    """The keys that a chart reads at one version; version "" means any. `row` is the row of catalog/values."""

    row: Mapping[str, Any]
    version: str

    def below(self, path: Path) -> frozenset[str]:
        """The keys of a map; empty if every key is allowed."""
        names = self.row["keys"].get(".".join(path), ()) if self.reads(path) else ()
        return frozenset(name for name in names if self._is_within("ranges", (*path, name)))

    def reads(self, path: Path) -> bool:
        """Whether this version reads the path."""
        return all(self._is_within("ranges", path[: index + 1]) for index, _ in enumerate(path))

    def refuses(self, path: Path) -> bool:
        """Whether the chart's schema rejects keys at this path that it does not list."""
        return ".".join(path) in self.row["strict"] and self._is_within("strict", path)

    def homes(self, key: str) -> list[Path]:
        """The paths of the maps that have a key of this name."""
        paths = [_parts(text) for text, names in self.row["keys"].items() if key in names]
        return [path for path in paths if self.reads((*path, key))]

    def span(self, path: Path) -> tuple[str, str] | None:
        """The first and the last version that reads the path; None if no version in the row does."""
        if path[-1] not in self.row["keys"].get(".".join(path[:-1]), ()):
            return None
        first, last = self.row["ranges"].get(".".join(path), ("", ""))
        return first, last

    def _is_within(self, kind: str, path: Path) -> bool:
        first, last = self.row[kind].get(".".join(path), ("", ""))
        if not self.version:
            return kind == "ranges"
        at = version(self.version)
        return (not first or version(first) <= at) and (not last or at <= version(last))


def rejects_no_key(chart: str, catalog: Catalog) -> bool:
    """Whether the schema of a chart allows every key. The text of its row says so, and need not be parsed."""
    return all(b"\nstrict: {}\n" in content for content in catalog.files.raw("values", chart))


def keys(release: Release, objects: Objects) -> Keys | None:
    """The keys that the chart of a release reads; None if the catalog does not have its version.

    A values file has no version, so it may use the keys of any version.
    """
    facts = objects.catalog.facts("values", release.chart)
    if facts is None or _is_local(release.item) or is_of_another_project(release, objects):
        return None
    if (release.item.identity.group, release.item.identity.kind) == HELM_VALUES and not release.item.body.get("id"):
        return Keys(facts, "")
    match = NUMBERS.fullmatch(release.version)
    return Keys(facts, match[1]) if match and match[1] in facts["versions"] else None


def _is_local(item: Item) -> bool:
    """Whether the chart is a folder of a repository. It may have the name of a public chart, but other values."""
    kind = reach(item.body, "spec", "chart", "spec", "sourceRef", "kind")
    return kind in (GIT_REPOSITORY.kind, BUCKET.kind)


def value_maps(release: Release, objects: Objects) -> Iterator[Written]:
    """Every map of values of a release, in any of the objects."""
    inline = release.values if release.inline is None else release.inline
    yield Written(release.item, release.pointer, inline, release.text)
    yield from (Written(item, ("values",), mapping_at(item.body, "values")) for item in release.files)
    for index, source in enumerate(reach(release.item.body, "spec", "valuesFrom") or ()):
        yield from _taken(mapping_at(source), ("spec", "valuesFrom", index), release, objects)
    helm = reach(release.item.body, *release.pointer[:-1]) if release.pointer[-2:-1] == ("helm",) else {}
    for index, parameter in enumerate(reach(helm, "parameters") or ()):
        name = str(reach(parameter, "name") or "")
        if name and _is_plain(name):
            yield Written(release.item, (*release.pointer[:-1], "parameters", index, "name"), _nested(name, True), True)


def _taken(source: Mapping[str, Any], place: Pointer, release: Release, objects: Objects) -> Iterator[Written]:
    """The values that a HelmRelease takes from a ConfigMap."""
    target = str(source.get("targetPath") or "")
    if target:
        if _is_plain(target):
            yield Written(release.item, (*place, "targetPath"), _nested(target, True), True)
        return
    if source.get("kind") != "ConfigMap":
        return
    namespace_and_name = (release.item.identity.namespace, source.get("name"))
    config_maps = [item for item in objects.of(*CONFIG_MAP) if item.identity[2:] == namespace_and_name]
    if len(config_maps) == 1:
        key = source.get("valuesKey") or "values.yaml"
        text = reach(config_maps[0].body.get("data"), key)
        if text:
            yield Written(config_maps[0], ("data", key), mapping_in(text), True)


def _is_plain(path: str) -> bool:
    """Whether a path has only keys, without list entries and escaped dots."""
    return "\\" not in path and "[" not in path


def _parts(path: str) -> Path:
    return tuple(path.split(".")) if path else ()


def _nested(path: str, value: Any) -> Mapping[str, Any]:
    for key in reversed(path.split(".")):
        value = {key: value}
    return mapping_at(value)


def unread_paths(
    values: Mapping[str, Any], chart_keys: Keys, above: Path = (), *, empty: bool = False
) -> Iterator[Path]:
    """The paths that the chart does not read, each up to the first unknown key. `empty` includes empty values."""
    names = chart_keys.below(above)
    if not names:
        return
    for key, value in values.items():
        path = (*above, str(key))
        if key in names:
            yield from unread_paths(mapping_at(value), chart_keys, path, empty=empty)
        elif value is not None and (empty or value not in ({}, [])):
            yield path


def remedy(path: Path, chart_keys: Keys, values: Mapping[str, Any]) -> str:
    """What to do about a path that is not read: the key that was meant, the right map, or the versions that read it."""
    key, names = path[-1], chart_keys.below(path[:-1])
    folded_names = [name for name in sorted(names) if _fold(name) == _fold(key)]
    homes, span = chart_keys.homes(key), chart_keys.span(path)
    if folded_names:
        return _moved((*path[:-1], folded_names[0]), f"use {folded_names[0]}", values)
    if span:
        bound = (
            f"as of version {span[0]}" if version(chart_keys.version) < version(span[0] or "0") else f"up to {span[1]}"
        )
        return f"remove it: the chart uses it {bound}"
    closest = nearest(key, names, _CUTOFF)
    if len(homes) == 1 and not nearest(key, names, _CUTOFF_HERE):
        return _moved((*homes[0], key), f"write it as {'.'.join((*homes[0], key))}", values)
    if closest:
        return _moved((*path[:-1], closest), f"use {closest}", values)
    return f"remove it; the chart reads {', '.join(sorted(names))}" if len(names) <= _MAX_LISTED else "remove it"


def _moved(target: Path, text: str, values: Mapping[str, Any]) -> str:
    """The remedy that moves a value to another path, or merges it if that path is already set."""
    taken = reach(values, *target) is not None
    return f"merge it into {'.'.join(target)}, which is also set, or remove it" if taken else text


def _fold(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "")
