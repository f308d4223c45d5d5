"""What is newer upstream: from recorded answers of registries, to a report and to the list."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.catalog.test_catalog_rows import ROOT
from tests.helping.cases import for_each
from tools import fresh
from tools.fresh import (
    LATE,
    State,
    items,
    lacking,
    main,
    module_differences,
    names_any,
    present,
    recorded,
    report,
    retried,
    state,
)
from tools.registries import Registries, Served, newest_chart, newest_module, newest_package, order, run

MODULE = "example.com/engine"
TODAY = "2026-11-29"
INDEX = b"""\
entries:
  engine:
  - {version: v1.2.0, created: "2026-01-02T00:00:00Z"}
  - {version: 1.4.0-rc.1, created: "2026-04-01T00:00:00Z"}
  - {version: 1.3.0, created: "2026-03-01T00:00:00Z"}
  - {version: 1.3.1, created: "2026-03-04T00:00:00Z"}
"""


def proxy(dates: Mapping[str, str], listed: Sequence[str], folders: Mapping[str, Path] = {}) -> Registries:
    """A Go proxy: the versions that it serves with their dates, those that it lists, and the content of some."""

    def run(command: Sequence[str]) -> str | None:
        if "-versions" in command:
            return json.dumps({"Path": MODULE, "Versions": list(listed)})
        name = command[-1].rpartition("@v")[2]
        if "download" in command:
            return json.dumps({"Dir": str(folders[name])}) if name in folders else None
        return json.dumps({"Version": f"v{name}", "Time": f"{dates[name]}T01:02:03Z"}) if name in dates else None

    return Registries(run, lambda _: None)


DATES = {"1.0.0": "2026-01-01", "1.1.0": "2026-02-01", "1.1.2": "2026-03-01", "1.2.1": "2026-04-01"}
EVERY = dict.fromkeys(DATES, Path("/nowhere"))


@for_each(
    ("listed", "known", "named", "expected"),
    [
        (
            ["v1.0.0", "v1.1.0"],
            "1.0.0",
            [],
            Served("1.2.1", "2026-04-01", "2026-02-01"),
        ),  # 1.1.2 and 1.2.1 are not listed
        ([], "1.1.0", [], Served("1.2.1", "2026-04-01", "2026-03-01")),  # nothing is listed
        (["v1.0.0", "v1.1.0", "v2.0.0-rc.1"], "1.2.1", [], Served("1.2.1", "2026-04-01")),
        (["v1.0.0"], "", [], Served("1.0.0", "2026-01-01")),  # 1.0.1, 1.0.2, 1.1.1 do not exist, 1.1.0 does
        ([], "9.0.0", [], None),
        ([], "9.0.0", ["1.2.1"], Served("1.2.1", "2026-04-01")),
    ],
)
def test_the_newest_release_of_a_module(
    listed: list[str], known: str, named: list[str], expected: Served | None
) -> None:
    dates = {**DATES, "1.1.1": "2026-02-15"} if known else {"1.0.0": "2026-01-01"}
    found = newest_module(MODULE, known, named, proxy(dates, listed, EVERY))
    assert found == (expected if known != "1.1.0" else expected and expected._replace(since="2026-02-15"))


def test_a_version_without_content_is_not_served() -> None:
    some = {name: folder for name, folder in EVERY.items() if name != "1.2.1"}
    found = newest_module(MODULE, "1.0.0", [], proxy(DATES, ["v1.0.0", "v1.1.0", "v1.2.1"], some))
    assert found == Served("1.1.0", "2026-02-01", "2026-02-01", "1.2.1")


def test_a_registry_that_does_not_answer() -> None:
    silent = Registries(lambda _: None, lambda _: None)
    assert newest_module(MODULE, "1.0.0", ["1.1.0"], silent) is None
    assert newest_package("sdk", "1.0", silent) is None
    assert newest_chart("https://example.com", "engine", "1.0.0", silent) is None
    item = {
        "name": "engine",
        "tier": 1,
        "module": MODULE,
        "newest": "1.0.0",
        "date": "2026-01-01",
        "checked": "2026-02-02",
    }
    unknown = State(item, "1.0.0")
    assert not unknown.is_late(TODAY)
    assert "| engine | 1 | 1.0.0 | unknown | unknown: no version is served |" in report([unknown], TODAY, lambda _: ())
    assert recorded(unknown, TODAY) == {**item, "unread": TODAY}
    answered = unknown._replace(item={**item, "unread": TODAY}, newest=Served("1.0.0"))
    assert "unread" not in recorded(answered, TODAY)


def test_the_newest_release_of_a_chart() -> None:
    ask = Registries(lambda _: None, lambda url: INDEX if url == "https://example.com/index.yaml" else None)
    assert newest_chart("https://example.com", "engine", "1.2.0", ask) == Served("1.3.1", "2026-03-04", "2026-03-01")
    assert newest_chart("https://example.com", "engine", "1.3.1", ask) == Served("1.3.1", "2026-03-04")
    assert newest_chart("https://example.com", "other", "1.3.1", ask) is None


@pytest.mark.parametrize("answer", [b"<html>not found</html>", b"entries: [", b"\xff"])
def test_an_index_that_cannot_be_read_is_unknown(answer: bytes) -> None:
    ask = Registries(lambda _: None, lambda _: answer)
    assert newest_chart("https://example.com", "engine", "1.2.0", ask) is None


def test_the_newest_release_of_a_package() -> None:
    log = (
        "Name: sdk\n\n# Release History\n\n## 2.0.0 (2026-03-01)\n\n## 2.0.0b1 (2026-02-01)\n\n## 1.0.0 (2026-01-01)\n"
    )

    def run(command: Sequence[str]) -> str | None:
        assert command[:3] == (sys.executable, "-m", "pip")
        if "download" in command:
            folder = Path(command[command.index("--dest") + 1])
            with zipfile.ZipFile(folder / "sdk.whl", "w") as archive:
                archive.writestr("sdk-2.0.0.dist-info/METADATA", log)
            return ""
        return "sdk (2.0.0)\nAvailable versions: 2.0.0, 2.0.0b1, 1.0.0\n"

    ask = Registries(run, lambda _: None)
    assert newest_package("sdk", "1.0.0", ask) == Served("2.0.0", "2026-03-01", "2026-02-01")
    assert newest_package("sdk", "2.0.0b1", ask) == Served("2.0.0", "2026-03-01", "2026-03-01")
    assert newest_package("sdk", "2.0.0", ask) == Served("2.0.0")


def test_the_order_of_versions() -> None:
    names = ["1.9.0", "1.10.0b1", "1.10.0b2", "1.10.0", "v1.10.1"]
    assert sorted(set(names), key=order) == names


@for_each(
    ("tier", "since", "late"),
    [(1, "2026-10-14", True), (1, "2026-10-15", False), (2, "2026-01-01", False), (1, "", False)],
)
def test_an_item_of_tier_1_is_late_after_45_days(tier: int, since: str, late: bool) -> None:
    each = State({"name": "engine", "tier": tier}, "1.0.0", Served("1.1.0", since, since))
    assert each.is_behind
    assert each.is_late(TODAY) is late
    assert (": late" in report([each], TODAY, lambda _: ())) is late


def test_what_differs_between_two_versions(tmp_path: Path) -> None:
    schema: dict[str, Any] = {"properties": {"spec": {"properties": {"a": {"type": "string", "description": "A."}}}}}
    crd = {"spec": {"versions": [{"name": "v1", "schema": {"openAPIV3Schema": schema}}]}}
    values = {"image": {"tag": "1"}, "old": {"x": 1}, "same": [1]}
    for name in ("1.0.0", "1.1.0"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "crd.yaml").write_text(yaml.safe_dump(crd))
        (tmp_path / name / "values.yaml").write_text(yaml.safe_dump(values))
        changed = {"a": {"type": "string", "description": "B."}, "b": {"type": "object", "maxProperties": 1}}
        schema["properties"]["spec"]["properties"] |= changed
        values |= {"image": {"tag": "2"}, "new": {"y": {"z": True}}}
        values.pop("old", None)
    folders = {name: tmp_path / name for name in ("1.0.0", "1.1.0")}
    each = State({"module": MODULE, "compare": ["*.yaml"]}, "1.0.0", Served("1.1.0"))
    lines = list(module_differences(each, proxy({}, [], folders)))
    assert [line for line in lines if line] == [
        "crd.yaml:",
        "- added `v1.spec.b`",
        "values.yaml:",
        '- `image.tag`: "1" -> "2"',
        "- added `new`",
        "- removed `old`",
    ]
    assert list(module_differences(each, proxy({}, []))) == ["The sources of 1.0.0 and 1.1.0 are not served."]


@pytest.mark.parametrize(("content", "changed"), [(b"one", False), (b"two", True), (None, None)])
def test_a_page_is_read_when_it_changes(content: bytes | None, changed: bool | None) -> None:
    read = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"  # of b"one"
    item = {"name": "notes", "tier": 1, "page": "https://example.com/notes", "sha256": read}
    each = state(item, Registries(lambda _: None, lambda _: content))
    assert each.changed is changed
    assert recorded(each, TODAY).get("checked") == (TODAY if content else None)


GARBAGE = ["", "\x00\x01", "<html>403 Forbidden</html>", "[]", "7", '{"Versions": 3, "Time": [], "Dir": {}}', "{" * 9]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_an_answer_without_meaning_is_unknown(garbage: str) -> None:
    """A registry that refuses one item answers anything: the item is unknown, and the others are asked."""
    asked = [state(item, Registries(lambda _: garbage, lambda _: None)) for item in items()]
    assert [each.newest for each in asked if "page" not in each.item] == [None] * sum("page" not in i for i in items())
    indexes = [item for item in items() if "chart" in item]
    assert all(state(item, Registries(lambda _: None, lambda _: garbage.encode())).newest is None for item in indexes)
    assert "unknown" in report(asked, TODAY, lambda _: ())


def test_one_item_that_is_refused_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = {"name": "refused", "tier": 1, "index": "https://example.com", "chart": "engine", "newest": "1.0.0"}
    listed = [refused, {"name": "engine", "tier": 1, "module": MODULE, "newest": "1.1.0"}]
    (tmp_path / "upstream.yaml").write_text(yaml.safe_dump({"items": listed}))
    monkeypatch.setattr(fresh, "LIST", tmp_path / "upstream.yaml")
    assert main(["--today", TODAY, "--update"], proxy(DATES, list(DATES), EVERY)) == 0
    first, second = yaml.load((tmp_path / "upstream.yaml").read_text(), yaml.CSafeLoader)["items"]
    assert first == {**refused, "unread": TODAY}
    assert (second["newest"], second["checked"]) == ("1.2.1", TODAY)
    assert "| refused | 1 |  | unknown | unknown: no version is served |" in capsys.readouterr().out


CHART = {"name": "engine", "tier": 1, "index": "https://example.com", "chart": "engine", "checked": "2026-02-01"}
TAGGED = CHART | {"repository": "contoso/engine", "tags": "v(.+)"}


def git(folder: Path, *words: str) -> None:
    named = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    when = {"GIT_AUTHOR_DATE": "2026-03-01T12:00:00Z", "GIT_COMMITTER_DATE": "2026-03-01T12:00:00Z"}
    subprocess.run(["git", "-C", str(folder), *named, *words], check=True, capture_output=True, env=os.environ | when)


@pytest.fixture
def clones(tmp_path: Path) -> Path:
    """A folder with a copy of a repository, last changed on 2026-03-01, with the releases 1.2.0 and 1.3.0."""
    clone = tmp_path / "contoso+engine" / "repo"
    clone.mkdir(parents=True)
    (clone / "notes.md").write_text("one\n")
    git(clone, "init", "--quiet")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "notes")
    for tag in ("v1.2.0", "v1.3.0", "v1.4.0-rc.1", "other-9.0.0"):
        git(clone, "tag", tag)
    return tmp_path


def test_the_tags_of_a_repository_answer_for_an_index(clones: Path) -> None:
    tags = "".join(f"{'0' * 40}\trefs/tags/{tag}\n" for tag in ("v1.5.0", "v1.6.0-rc.1", "junk"))
    each = state(TAGGED, Registries(lambda command: tags if "ls-remote" in command else None, lambda _: None, clones))
    assert each.newest == Served("1.5.0", by="its tags")
    assert recorded(each, TODAY)["checked"] == TODAY
    assert "by its tags: the index does not answer" in report([each], TODAY, lambda _: ())


def local(command: Sequence[str]) -> str | None:
    """Runs what needs no network."""
    return None if any("https://" in word for word in command) else run(command)


def test_a_copy_answers_with_its_age(clones: Path) -> None:
    each = state(TAGGED, Registries(local, lambda _: None, clones))
    assert each.newest == Served("1.3.0", "2026-03-01", by="a copy of 2026-03-01", day="2026-03-01")
    written = recorded(each, TODAY)
    assert (written["newest"], written["checked"], written["unread"]) == ("1.3.0", "2026-03-01", TODAY)
    assert recorded(each, TODAY)["newest"] == "1.3.0"
    newer = {**TAGGED, "newest": "1.9.0", "checked": "2026-04-01"}
    assert recorded(state(newer, Registries(local, lambda _: None, clones)), TODAY) == {**newer, "unread": TODAY}
    assert state(CHART, Registries(local, lambda _: None, clones)).newest is None


def test_a_page_is_read_from_a_copy(clones: Path) -> None:
    page = "https://raw.githubusercontent.com/contoso/engine/main/notes.md"
    item = {"name": "notes", "tier": 1, "page": page, "sha256": None}
    each = state(item, Registries(local, lambda _: None, clones))
    assert each.page.sha256 == "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"
    assert recorded(each, TODAY)["checked"] == "2026-03-01"
    assert "by a copy of 2026-03-01" in report([each], TODAY, lambda _: ())
    missing = {**item, "page": page.replace("notes", "other")}
    assert state(missing, Registries(local, lambda _: None, clones)).changed is None


def test_every_item_says_what_the_catalog_has() -> None:
    assert len({item["name"] for item in items()}) == len(items())
    for item in items():
        assert sum(key in item for key in ("module", "package", "chart", "page")) == 1, item
        assert item["tier"] in (1, 2)
        for place in item.get("has", ()):
            found = present(place)
            assert re.fullmatch(r"\d+(\.\d+)+(b\d+)?", found), (place, found)


def test_an_answer_is_written_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "upstream.yaml"
    item = {"name": "engine", "tier": 1, "module": MODULE, "has": ["charts/keda:version"], "newest": None}
    path.write_text(yaml.safe_dump({"items": [item]}))
    monkeypatch.setattr(fresh, "LIST", path)
    known = present("charts/keda:version")
    newer = f"{known.partition('.')[0]}.99.0"
    dates = {known: "2026-01-01", newer: "2026-09-23"}
    ask = proxy(dates, [f"v{name}" for name in dates], dict.fromkeys(dates, tmp_path))
    assert main(["--today", TODAY], ask) == 1
    assert yaml.load(path.read_text(), yaml.CSafeLoader) == {"items": [item]}
    assert main(["--today", "2026-10-01", "--update"], ask) == 0
    (written,) = yaml.load(path.read_text(), yaml.CSafeLoader)["items"]
    assert written == {**item, "newest": newer, "date": "2026-09-23", "checked": "2026-10-01"}
    assert [each.name for each in tmp_path.iterdir()] == ["upstream.yaml"]
    assert f"| engine | 1 | {known} | {newer} of 2026-09-23 | behind for 67 days: late |" in capsys.readouterr().out


def rows_behind() -> list[tuple[str, str, str]]:
    """The rows of the catalog with the versions that they do not have, and the day of the last answer or attempt."""
    found = []
    for item in items():
        day = max(str(item.get(key) or "") for key in ("checked", "unread"))
        served = str(item.get("newest") or "")
        late = [name for name in item.get("named", ()) if not served or order(name) > order(served)]
        has = min(filter(None, map(present, item.get("has", ()))), key=order, default="")
        if served and has and order(served) > order(has) and not is_recent(item["date"], day):
            late.append(served)
        found += [(row, version, day) for row in item.get("rows", ()) for version in late]
        assert not late or item.get("rows") or "why" in item or item["name"] == "keda", item["name"]
    return found


def is_recent(day: str, today: str) -> bool:
    return (date.fromisoformat(today) - date.fromisoformat(day)).days <= LATE


@for_each(("row", "version", "day"), rows_behind())
def test_a_row_says_why_it_does_not_have_a_newer_version(row: str, version: str, day: str) -> None:
    newer = yaml.load((ROOT / "catalog" / f"{row}.yaml").read_text("utf-8"), yaml.CSafeLoader)["newer"]
    (entry,) = [entry for entry in newer if names_any(entry["version"], [version])]
    assert entry["tried"] == day


def test_every_chart_is_followed() -> None:
    followed = {place.partition(":")[0] for item in items() for place in item.get("has", ())}
    assert {f"charts/{path.stem}" for path in (ROOT / "catalog" / "charts").glob("*.yaml")} <= followed


ROW = """\
version: "1.0.0"
newer:
  - {version: "1.2.0", why: "the index, of 2026: not read", tried: "2026-01-01"}
  - {version: Engine 1.3.0, why: not served, tried: "2026-01-01"}
  - {version: "2.0.0", why: the guide names 1.0, tried: "2026-01-01"}
source: []
"""


def test_a_row_says_when_newer_versions_were_tried() -> None:
    lines = retried(ROW, ["1.2.0", "3.0", "0.0"], TODAY).splitlines()
    assert lines[2].endswith(f'tried: "{TODAY}"}}')
    assert [line for line in lines if TODAY in line] == [lines[2]]
    quoted = ROW.replace("Engine 1.3.0", '"Engine 1.3.0"')
    assert retried(quoted, ["1.3.0"], TODAY).count(TODAY) == 1


def test_the_newest_version_was_tried_too_if_the_catalog_does_not_have_it() -> None:
    item = {"name": "engine", "tier": 2, "named": ["1.1.0", "1.3.0"]}
    assert lacking(State(item, "1.0.0", Served("1.2.0"))) == ["1.3.0", "1.2.0"]
    assert lacking(State(item, "1.2.0", Served("1.2.0"))) == ["1.3.0"]
    assert lacking(State(item, "1.0.0")) == ["1.1.0", "1.3.0"]


def test_a_refresh_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "charts").mkdir()
    item = {"name": "engine", "tier": 1, "module": MODULE, "named": ["1.2.0"], "rows": ["charts/engine", "charts/no"]}
    (tmp_path / "upstream.yaml").write_text(yaml.safe_dump({"items": [item]}))
    (tmp_path / "charts" / "engine.yaml").write_text(ROW)
    monkeypatch.setattr(fresh, "ROWS", tmp_path)
    monkeypatch.setattr(fresh, "LIST", tmp_path / "upstream.yaml")
    with pytest.raises(FileNotFoundError):
        main(["--today", TODAY, "--update"], proxy({}, []))
    assert yaml.load((tmp_path / "upstream.yaml").read_text(), yaml.CSafeLoader) == {"items": [item]}
    assert (tmp_path / "charts" / "engine.yaml").read_text() == ROW


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"checked": "2026-12-01"}, "answers of 2026-12-01 are recorded, which is after 2026-11-29"),
        ({"tier": 3}, "engine in upstream.yaml needs a tier"),
        ({"page": "https://example.com"}, "needs a tier, 1 or 2, and one of chart, module, package, page"),
    ],
)
def test_a_wrong_clock_and_a_wrong_item_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: Mapping[str, Any],
    message: str,
) -> None:
    item = {"name": "engine", "tier": 1, "module": MODULE, "newest": "1.0.0", "checked": "2026-11-01", **change}
    (tmp_path / "upstream.yaml").write_text(yaml.safe_dump({"items": [item]}))
    monkeypatch.setattr(fresh, "LIST", tmp_path / "upstream.yaml")
    with pytest.raises(SystemExit) as raised:
        main(["--today", TODAY, "--update"], proxy({}, []))
    assert raised.value.code == 2
    assert message in capsys.readouterr().err
    assert yaml.load((tmp_path / "upstream.yaml").read_text(), yaml.CSafeLoader) == {"items": [item]}


def test_the_list_has_its_heading() -> None:
    assert (ROOT / "catalog" / "upstream.yaml").read_text("utf-8").startswith("# What the catalog follows upstream.")


def test_go_does_not_answer_from_the_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "go"
    program.write_text('#!/bin/sh\necho "$GOMODCACHE $(ls "$GOMODCACHE" | wc -l) $GOFLAGS"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("GOMODCACHE", str(tmp_path))
    monkeypatch.setenv("GOFLAGS", "-buildvcs=false")
    cache, files, *flags = (run(("go", "env")) or "").split()
    assert (files, flags) == ("0", ["-buildvcs=false", "-modcacherw"])
    assert cache != str(tmp_path)
