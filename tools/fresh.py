"""What is newer upstream than in the catalog: `python -m tools.fresh` prints a report.

`catalog/upstream.yaml` lists the items. For each it asks the registry for the newest version, compares that with what
the catalog has, and for a module shows what differs in its definitions and values. With --update it records the answers
there, and adds new versions of the AKS API to the catalog. What cannot be reached is unknown, never current.
Exit status 1: an item of tier 1 is more than 45 days behind.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gitgpu.access import value_at
from gitgpu.write.atomic_file import write_file
from tools import aks_api
from tools.crds import sources
from tools.registries import (
    Page,
    Registries,
    Served,
    downloaded,
    get,
    newest_chart,
    newest_module,
    newest_package,
    newest_tag,
    order,
    read_page,
    run,
)

ROOT = Path(__file__).parents[1]
ROWS = ROOT / "catalog"
LIST = ROWS / "upstream.yaml"
RELEASES = ROOT / "tools" / "releases.yaml"  # of the projects whose contracts the program has
LATE = 45  # days
_KINDS = frozenset({"module", "package", "chart", "page"})
_TRIED = re.compile(r'(\{version: "([^"]+)", .*tried: )"[^"]*"(?=\}$)', re.MULTILINE)
_SCHEMA = re.compile(r"spec\.versions\[(\w+)\]\.schema\.openAPIV3Schema")
SHOWN = 40  # lines of differences for each file
_HEAD = """\
# What the catalog follows upstream. `has` names what states the version that it has: a key of a row, a definition in
# tools/crds.yaml, or the definitions in tools/releases.yaml. `named` are newer versions that others name: these are
# asked for too, and the `rows` say in `newer` why they do not have them. An item of `tier` 1 that is more than 45 days
# behind is an error of `python -m tools.fresh`, which writes `newest`, `date`, `checked` and, for pages, `sha256` with
# --update; `unread` is the last day on which nothing answered but, with --clones, a copy that is as old as `checked`.
# If an index does not answer, the tags of `repository` do: `tags` has the version as its group. null is unknown.
"""


class State(NamedTuple):
    """An item with the version that the catalog has, and the newest one; None is unknown.

    A page has no version: `changed` is whether it differs from the page that was read, None if it cannot be read.
    """

    item: Mapping[str, Any]
    has: str
    newest: Served | None = None
    changed: bool | None = None
    page: Page = Page()

    @property
    def is_behind(self) -> bool:
        """Whether the registry serves a newer version."""
        return bool(self.has and self.newest and order(self.newest.version) > order(self.has))

    def days(self, today: str) -> int | None:
        """For how many days the catalog is behind; None if it is not, or if no date is known."""
        if not self.is_behind or self.newest is None or not (self.newest.since or self.newest.date):
            return None
        return (date.fromisoformat(today) - date.fromisoformat(self.newest.since or self.newest.date)).days

    def is_late(self, today: str) -> bool:
        """Whether an item of tier 1 is too far behind."""
        return self.item["tier"] == 1 and (self.days(today) or 0) > LATE


def items() -> list[dict[str, Any]]:
    """The items of the list."""
    return list(_parsed(LIST)["items"])


def _parsed(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def present(place: str) -> str:
    """The version that a place of `has` states; "" if it states none.

    It is `charts/keda:appVersion`, a key of a row, or `charts/gpu-operator:components.container-toolkit`, a key inside;
    `crds/FILE` of tools/crds.yaml; or `contracts/keda`, whose definitions are in folders such as `keda-2.21.0`.
    """
    row, _, key = place.partition(":")
    kind, _, name = row.partition("/")
    if kind == "crds":
        return next(source.tag for source in sources() if source.file == f"{name}.yaml").rpartition("v")[2]
    if kind == "contracts":
        text = RELEASES.read_text(encoding="utf-8")
        return max(re.findall(rf"(?<![\w-]){re.escape(name)}-(\d+\.\d+\.\d+)(?=[\],])", text), key=order, default="")
    value = value_at(_parsed(ROWS / f"{row}.yaml"), key.split("."))
    text = str(value[-1]).rpartition("_")[2] if isinstance(value, list) else str(value)
    return text.removeprefix("v")


def state(item: Mapping[str, Any], ask: Registries) -> State:
    """What the registry of an item answers. The oldest version counts if several places have one."""
    has = min(filter(None, map(present, item.get("has", ()))), key=order, default="")
    if "module" in item:
        return State(item, has, newest_module(item["module"], has, item.get("named", ()), ask))
    if "package" in item:
        return State(item, has, newest_package(item["package"], has, ask))
    if "chart" in item:
        newest = newest_chart(item["index"], item["chart"], has, ask)
        if newest is None and "repository" in item:
            newest = newest_tag(item["repository"], item["tags"], has, ask)
        return State(item, has, newest)
    page = read_page(item["page"], ask)
    return State(item, has, None, page.sha256 != item["sha256"] if page.sha256 else None, page)


def report(states: Sequence[State], today: str, differences: Callable[[State], Iterable[str]]) -> str:
    """The report, in Markdown: what is behind, what is unknown, then what differs."""
    lines = [f"# Upstream on {today}", "", "| item | tier | catalog | newest | |", "| --- | --- | --- | --- | --- |"]
    for each in states:
        newest = "unknown" if each.newest is None else " of ".join(filter(None, each.newest[:2]))
        lines.append(f"| {each.item['name']} | {each.item['tier']} | {each.has} | {newest} | {_remark(each, today)} |")
    for each in states:
        found = list(differences(each)) if each.is_behind else []
        if found:
            lines += ["", f"## {each.item['name']} {each.has} to {each.newest and each.newest.version}", "", *found]
    return "\n".join(lines) + "\n"


def _remark(each: State, today: str) -> str:
    if "page" in each.item:
        remark = {True: "changed: read it", False: "unchanged", None: "unknown"}[each.changed]
        return f"{remark}; by a copy of {each.page.day}" if each.page.day else remark
    if each.newest is None:
        return "unknown: no version is served"
    lacking = "in the copy" if each.newest.day else "served"
    notes = [f"{name} is named, but not {lacking}" for name in unserved(each)]
    if each.newest.refused and each.newest.refused not in unserved(each):
        notes.append(f"the content of {each.newest.refused} is not served")
    if each.is_behind:
        days = each.days(today)
        notes.insert(
            0, "behind" + ("" if days is None else f" for {days} days") + (": late" if each.is_late(today) else "")
        )
    notes += [f"by {each.newest.by}: the index does not answer"] if each.newest.by else []
    notes += [each.item["why"]] if "why" in each.item else []
    return "; ".join(notes) or ("current" if each.has else "the catalog states no release")


def module_differences(each: State, ask: Registries) -> Iterator[str]:
    """The lines of definitions and values of a module that differ between the catalog's version and the newest."""
    patterns = each.item.get("compare", ())
    if not patterns or each.newest is None:
        return
    folders = {name: downloaded(each.item["module"], name, ask) for name in (each.has, each.newest.version)}
    missing = [name for name, folder in folders.items() if folder is None]
    if missing:
        yield f"The sources of {' and '.join(missing)} are not served."
        return
    old, new = (dict(_files(folder, patterns)) for folder in folders.values() if folder)
    for name in sorted({*old, *new}):
        changes = list(_changes(dict(_flat(old.get(name, {}))), dict(_flat(new.get(name, {})))))
        if changes:
            rest = [f"and {len(changes) - SHOWN} more"] if len(changes) > SHOWN else []
            yield from (f"{name}:", "", *(f"- {line}" for line in (*changes[:SHOWN], *rest)), "")


def _files(folder: Path, patterns: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """The first document of each file."""
    for pattern in patterns:
        for path in sorted(folder.glob(pattern)):
            documents = yaml.load_all(path.read_bytes(), yaml.CSafeLoader)
            yield str(path.relative_to(folder)), next(filter(None, documents), {})


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The values of a document by path, and its mappings and lists as `{}` and `[]`. Descriptions are omitted.

    In a definition, a path starts with a version and has no keys of the schema: `v1.spec.replicas.maximum`.
    """
    if isinstance(value, dict):
        yield path, "{}"
        for key, inner in value.items():
            if key != "description" or isinstance(inner, dict):
                yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        yield path, "[]"
        for number, inner in enumerate(value):
            name = inner.get("name", number) if isinstance(inner, dict) else inner if isinstance(inner, str) else number
            yield from _flat(inner, f"{path}[{name}]")
    else:
        yield path, json.dumps(value, default=str)


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """What differs. Of a part that was added or removed, only the top is named."""
    tops = set[str]()
    for path in sorted({*before, *after}):
        inside = any(path.startswith((f"{top}.", f"{top}[")) for top in tops)
        if (path in before) != (path in after) and not inside:
            tops.add(path)
            value = f": {after[path]}" if path in after and after[path] not in ("{}", "[]") else ""
            yield f"{'added' if path in after else 'removed'} `{_short(path)}`{value}"
        elif path in before and path in after and before[path] != after[path]:
            yield f"`{_short(path)}`: {before[path]} -> {after[path]}"


def _short(path: str) -> str:
    start = _SCHEMA.sub(r"\1", path)
    return start if start == path else start.replace(".properties.", ".")


def recorded(each: State, today: str) -> dict[str, Any]:
    """The item with the answer. One that is unknown keeps what was known, with the date of that, and is `unread`."""
    item = {key: value for key, value in each.item.items() if key != "unread"}
    answer: dict[str, Any] = {}
    if each.page.sha256:
        answer = {"sha256": each.page.sha256, "checked": each.page.day or today}
    elif each.newest:
        day = each.newest.day or today
        answer = {"newest": each.newest.version, "date": each.newest.date or None, "checked": day}
    is_known = answer.get("checked", "") > str(item.get("checked") or "") or answer.get("checked") == today
    return {**item, **(answer if is_known else {}), **({} if answer.get("checked") == today else {"unread": today})}


def write(states: Sequence[State], today: str) -> None:
    """The list with the answers, and in rows the day on which newer versions were tried. Each file is old or new."""
    content = {"items": [recorded(each, today) for each in states]}
    texts = {LIST: _HEAD + yaml.dump(content, Dumper=yaml.CSafeDumper, sort_keys=False, width=1000)}
    for each in states:
        for path in (ROWS / f"{row}.yaml" for row in each.item.get("rows", ())):
            text = texts.get(path) or path.read_text(encoding="utf-8")
            texts[path] = retried(text, lacking(each), today)
    for path, text in texts.items():
        write_file(str(path), text)


def unserved(each: State) -> list[str]:
    """The versions that others name, but that the registry does not serve."""
    newest = each.newest.version if each.newest else ""
    return [name for name in each.item.get("named", ()) if not newest or order(name) > order(newest)]


def lacking(each: State) -> list[str]:
    """The newer versions that the catalog does not have: those that are not served, and the newest one."""
    return [*unserved(each), *([each.newest.version] if each.newest and each.is_behind else [])]


def retried(text: str, versions: Sequence[str], today: str) -> str:
    """A row whose entries for these versions, such as 0.20.7 or Kueue 0.20.7, were tried today."""
    return _TRIED.sub(lambda match: f'{match[1]}"{today}"' if names_any(match[2], versions) else match[0], text)


def names_any(name: str, versions: Iterable[str]) -> bool:
    """Whether the version of a row, such as Kueue 0.20.7 or 4.6.0-4.8.3-distroless, is one of these."""
    return any(re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", name) for version in versions)


def add_versions(package: str, newest: str, day: str, ask: Registries) -> bool:
    """Add the newest versions of the AKS API to the catalog; whether their wheels could be downloaded."""
    with tempfile.TemporaryDirectory() as folder:
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder)
        done = [ask.run((*pip, wanted)) for wanted in (package, f"{package}=={newest}")]
        return None not in done and aks_api.main((folder, "--update", day)) == 0


def main(arguments: Sequence[str], ask: Registries = Registries(run, get)) -> int:  # noqa: B008
    """Prints the report. Returns 1 if an item of tier 1 is late."""
    parser = argparse.ArgumentParser(prog="python -m tools.fresh", description=__doc__)
    now = datetime.now(UTC).date().isoformat()
    parser.add_argument("--today", default=now, help="the date to count from", type=_day)
    parser.add_argument("--update", action="store_true", help="write the answers, and the rows that can be derived")
    parser.add_argument(
        "--clones", type=Path, help="a folder of clones, for what does not answer: NVIDIA+gpu-operator/repo"
    )
    given = parser.parse_args(arguments)
    ask = ask._replace(clones=given.clones)
    if fault := _fault(items(), given.today):
        parser.error(fault)
    states = [state(item, ask) for item in items()]
    print(report(states, given.today, lambda each: module_differences(each, ask)), end="")
    if given.update:
        write(states, given.today)
        for each in states:
            if each.is_behind and each.newest and each.item.get("writes") == "arm":
                add_versions(each.item["package"], each.newest.version, given.today, ask)
    return int(any(each.is_late(given.today) for each in states))


def _fault(listed: Sequence[Mapping[str, Any]], today: str) -> str:
    """What is wrong with the list or with the clock; "" if nothing is."""
    for item in listed:
        if len(_KINDS & item.keys()) != 1 or item.get("tier") not in (1, 2):
            return (
                f"{item.get('name', item)} in {LIST.name} needs a tier, 1 or 2, and one of {', '.join(sorted(_KINDS))}"
            )
    last = max((str(item.get("checked") or "") for item in listed), default="")
    return f"answers of {last} are recorded, which is after {today}: is the clock right?" if last > today else ""


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-11-29") from None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
