"""`asOf` of each row of the catalog, the date of its newest source: `python -m tools.evidence` checks it.

`tools/evidence.yaml` has the date of each source: of a commit, of a release, or of a page that states one. With CLONES,
it first adds the dates of commits that are new in the catalog or in rules. CLONES holds a clone of each repository as
`<owner>+<name>/repo`. With --update it writes the table and the rows. A date that cannot be read is null: unknown.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import yaml

from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.write.atomic_file import write_file

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_suffix(".yaml")
_HEAD = (
    "# The date of each source of the catalog and of the rules: of a commit, by its repository, or of a page.\n"
    "# null: it could not be read. `python -m tools.evidence CLONES --update` adds the dates of new commits.\n"
)
_COMMIT = re.compile(
    r"https://(?:github\.com|raw\.githubusercontent\.com)/([^/]+/[^/]+)/"
    r"(?:(?:blob|tree|raw|commit)/|releases/tag/|(?!issues/|pull/|discussions/))([^/#]+)"
)
_AS_OF = re.compile(r"^asOf: .*\n", re.MULTILINE)
_VERIFIED = re.compile(r"^verified: ", re.MULTILINE)

Day: TypeAlias = str | None


class Dates(NamedTuple):
    """The dates of sources: of commits and tags by repository, and of pages by address. None: unknown."""

    commits: Mapping[str, Mapping[str, Day]]
    pages: Mapping[str, Day]

    def of(self, url: str) -> Day:
        """The date of a source. An address that is not in the table has none."""
        repository, commit = pinned(url)
        return self.commits.get(repository, {}).get(commit) if repository else self.pages.get(url)


def pinned(url: str) -> tuple[str, str]:
    """The repository and the commit or tag that an address names; empty texts for any other address."""
    match = _COMMIT.match(url)
    return (match[1], match[2]) if match else ("", "")


def evidence_date(row: Mapping[str, Any], dates: Dates) -> Day:
    """The date of a row: the one that it states, as prices do, or that of its newest source; None if none has one."""
    if "date" in row:
        return str(row["date"])
    return max(filter(None, map(dates.of, row["source"])), default=None)


def dated(text: str, day: Day) -> str:
    """The text of a row with this date above `verified`."""
    line = f'asOf: "{day}"\n' if day else "asOf: null\n"
    return _VERIFIED.sub(lambda match: f"{line}{match[0]}", _AS_OF.sub("", text), count=1)


def is_stale(path: Path, text: str) -> bool:
    """Whether the file of a derived row is missing, or has another text, but for its date."""
    return not path.is_file() or _AS_OF.sub("", path.read_text(encoding="utf-8")) != text


def redated(text: str) -> str:
    """The text of a derived row with its date. It is null for a new commit, until this tool reads that from a clone."""
    return dated(text, evidence_date(_parsed(text), dates()))


def dates() -> Dates:
    """The table of dates."""
    table = _parsed(TABLE.read_text(encoding="utf-8"))
    return Dates(table["commits"], table["pages"])


def record(days: Mapping[str, str]) -> None:
    """Adds the dates of releases to the table, those that are cited, and then writes the dates of all rows."""
    known = dates()
    commits = {repository: dict(of) for repository, of in known.commits.items()}
    for url, day in days.items():
        repository, commit = pinned(url)
        commits.setdefault(repository, {})[commit] = day
    _write(completed(known._replace(commits=commits), cited(), ROOT))


def _write(known: Dates) -> None:
    table = yaml.dump(known._asdict(), Dumper=yaml.CSafeDumper, width=1000, allow_unicode=True)
    write_file(str(TABLE), _HEAD + table)
    for path, text in stale_rows(known):
        write_file(str(path), text)


def files() -> Iterator[Path]:
    """The rows of the catalog."""
    return iter(sorted((ROOT / "catalog").glob("*/*.yaml")))


def cited() -> set[str]:
    """The addresses that rows and rules name as sources."""
    of_rows = (url for path in files() for url in _parsed(path.read_text(encoding="utf-8"))["source"])
    rules: tuple[Any, ...] = (*fleet_rules(), *object_rules())
    return {*of_rows, *(url for rule in rules for url in rule.sources)}


def completed(known: Dates, urls: Iterable[str], clones: Path) -> Dates:
    """The table for these sources. Unknown dates are read from the clones. Sources that nothing cites are left out."""
    commits: dict[str, dict[str, Day]] = {}
    for repository, commit in sorted({pinned(url) for url in urls} - {("", "")}):
        day = known.commits.get(repository, {}).get(commit)
        clone = clones / repository.replace("/", "+") / "repo"
        commits.setdefault(repository, {})[commit] = day or _committed(clone, commit)
    return Dates(commits, {url: day for url, day in sorted(known.pages.items()) if url in set(urls)})


def _committed(clone: Path, commit: str) -> Day:
    """The date of a commit or a tag in a clone; None if the clone does not have it."""
    command = ["git", "-C", str(clone), "show", "--no-patch", "--format=%cs", f"{commit}^{{commit}}"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    return shown.stdout.strip() or None


def _parsed(text: str) -> Any:
    return yaml.load(text, yaml.CSafeLoader)


def stale_rows(known: Dates) -> Iterator[tuple[Path, str]]:
    """The rows whose date is missing or wrong, with the text that they should have."""
    for path in files():
        text = path.read_text(encoding="utf-8")
        right = dated(text, evidence_date(_parsed(text), known))
        if right != text:
            yield path, right


def main(arguments: Sequence[str]) -> int:
    """Checks or writes the dates. Returns 1 if the check finds a row whose date is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.evidence", description=__doc__)
    parser.add_argument("clones", type=Path, nargs="?", help="a folder of clones, to read dates of commits from")
    parser.add_argument("--update", action="store_true", help="write the table and the rows")
    given = parser.parse_args(arguments)
    known = dates()
    if given.clones:
        known = completed(known, cited(), given.clones)
    if given.update:
        _write(known)
        return 0
    stale = list(stale_rows(known))
    for path, _ in stale:
        print(f"{path.relative_to(ROOT)}: asOf is not the date of its newest source", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
