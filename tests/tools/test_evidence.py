"""`asOf` of the rows of the catalog: computed from a table with the date of each source."""

import os
import subprocess
from datetime import date
from pathlib import Path

import yaml

from tests.catalog.test_catalog_rows import KINDS, rows
from tests.helping.cases import for_each
from tools.evidence import ROOT, Dates, cited, completed, dated, dates, evidence_date, pinned, stale_rows

COMMIT = "0" * 40
BLOB, TAG = f"https://github.com/a/b/blob/{COMMIT}/x.md", "https://github.com/a/b/releases/tag/v1.2.0"
RAW, PAGE = "https://raw.githubusercontent.com/a/c/v2/y.yaml", "https://example.com/blog/2026/01/02/z"
THREAD = "https://github.com/a/b/pull/12"
DATES = Dates({"a/b": {COMMIT: "2026-03-01", "v1.2.0": "2026-02-01"}, "a/c": {"v2": None}}, {PAGE: "2026-01-02"})


def test_every_row_has_the_date_of_its_newest_source() -> None:
    wrong = [str(path.relative_to(ROOT)) for path, _ in stale_rows(dates())]
    assert wrong == [], "run `python -m tools.evidence CLONES --update`"


@for_each("kind", KINDS)
def test_no_source_is_newer_than_the_check_of_its_row(kind: str) -> None:
    assert [name for name, row in rows(kind).items() if (row["asOf"] or "") > row["verified"]] == []


def test_the_table_has_every_commit_and_nothing_else() -> None:
    table = dates()
    assert completed(table, cited(), Path("/nowhere")) == table
    days = [day for commits in table.commits.values() for day in commits.values()]
    assert all(date.fromisoformat(day) for day in (*days, *table.pages.values()) if day)


def test_what_prices_state_is_their_date() -> None:
    assert {row["asOf"] for row in rows("prices").values()} == {row["date"] for row in rows("prices").values()}


@for_each(
    ("sources", "day"),
    [
        ([BLOB], "2026-03-01"),
        ([TAG, BLOB], "2026-03-01"),
        ([TAG, PAGE], "2026-02-01"),
        ([PAGE, RAW, THREAD], "2026-01-02"),
        ([RAW], None),
        ([THREAD], None),
        (["https://example.com/undated"], None),
    ],
)
def test_a_row_is_as_old_as_its_newest_source(sources: list[str], day: str | None) -> None:
    assert evidence_date({"source": sources}, DATES) == day
    assert evidence_date({"date": "2025-01-01", "source": sources}, DATES) == "2025-01-01"


@for_each(
    ("url", "expected"),
    [
        (BLOB, ("a/b", COMMIT)),
        (TAG, ("a/b", "v1.2.0")),
        (RAW, ("a/c", "v2")),
        (f"https://github.com/a/b/commit/{COMMIT}", ("a/b", COMMIT)),
        (THREAD, ("", "")),
        ("https://github.com/a/b/issues/1#issuecomment-2", ("", "")),
        (PAGE, ("", "")),
    ],
)
def test_the_commit_of_an_address(url: str, expected: tuple[str, str]) -> None:
    assert pinned(url) == expected


def test_unknown_dates_are_read_from_clones(tmp_path: Path) -> None:
    clone = tmp_path / "a+c" / "repo"
    clone.mkdir(parents=True)
    at = {
        "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-04-05T23:00:00-05:00",
        "HOME": "/nowhere",
    }
    identity = ("-c", "user.name=n", "-c", "user.email=n@example.com")
    for words in (("init", "-q"), ("commit", "-q", "--allow-empty", "-m", "x"), ("tag", "v2")):
        subprocess.run(["git", "-C", str(clone), *identity, *words], check=True, env={**os.environ, **at})
    table = completed(DATES, [BLOB, RAW, f"https://github.com/a/c/blob/{COMMIT}/z"], tmp_path)
    assert table == Dates({"a/b": {COMMIT: "2026-03-01"}, "a/c": {COMMIT: None, "v2": "2026-04-05"}}, {})


@for_each("before", ["", 'asOf: "2020-01-01"\n', "asOf: null\n"])
@for_each("day", ["2026-01-02", None])
def test_the_date_is_above_that_of_the_check(before: str, day: str | None) -> None:
    text = dated(f'name: x\nsource:\n  - https://a.b\n{before}verified: "2026-02-03"\n# end\n', day)
    assert list(yaml.load(text, yaml.CSafeLoader).items())[-2:] == [("asOf", day), ("verified", "2026-02-03")]
    assert text.endswith('verified: "2026-02-03"\n# end\n')
