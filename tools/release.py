"""Is a tag ready to be a release? `python -I tools/release.py TAG` says why not; with `--notes` it prints the notes.

The notes are the section of the version in CHANGELOG.md. Only the standard library is used, because the workflow runs
it before anything is installed. Exit status: 1 if the tag is not ready.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTION = re.compile(r"^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?\n(.*?)(?=^## \[|\Z)", re.MULTILINE | re.DOTALL)
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)


def version(root: Path) -> str:
    """The version of the package."""
    found = VERSION.search((root / "gitgpu" / "__init__.py").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("gitgpu/__init__.py has no __version__")
    return found[1]


def sections(changelog: str) -> dict[str, tuple[str, str]]:
    """Version -> (date or "", text) of each section of the changelog."""
    return {name: (date, text.strip()) for name, date, text in SECTION.findall(changelog)}


def faults(root: Path, tag: str, owner: str) -> Iterator[str]:
    """Why this tag is not a release. `owner` is the owner of the repository that runs this, "" to accept any name."""
    wanted = version(root)
    if tag != f"v{wanted}":
        yield f"the tag is {tag}, but the package is {wanted}: tag v{wanted}, or change gitgpu/__init__.py"
    date, text = sections((root / "CHANGELOG.md").read_text(encoding="utf-8")).get(wanted, ("", ""))
    if not (date and text):
        yield f"CHANGELOG.md has no section '## [{wanted}] - YYYY-MM-DD' with text"
    source = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
    if "/OWNER/" in source or (owner and source != f"https://github.com/{owner}/gitgpu"):
        yield f"the repository of pyproject.toml is {source}: run `python -m tools.owner {owner or 'NAME'}`"


def main(arguments: Sequence[str]) -> int:
    """Runs the command. Returns its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tag")
    parser.add_argument("--owner", default="", help="the owner of the repository")
    parser.add_argument("--notes", action="store_true", help="print the notes of the release")
    given = parser.parse_args(arguments)
    found = list(faults(ROOT, given.tag, given.owner))
    for fault in found:
        print(f"not ready: {fault}", file=sys.stderr)
    if given.notes and not found:
        print(sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))[version(ROOT)][1])
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
