"""Sources on GitHub link to a commit, a tag or a thread, so that their content does not change."""

import re
from collections.abc import Iterator
from typing import Any

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.rule import Rule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each

COMMIT = r"[0-9a-f]{12}|[0-9a-f]{40}"
TAG = r"(?:[a-z-]+-v?\d+\.\d+\.\d+|v?\d+\.\d+(?:\.\d+)?[\w.-]*)"  # v1.2, ray-2.60.0, but not the branch release-1.36
FILE = re.compile(rf"https://github\.com/[^/]+/[^/]+/(?:blob|tree|raw)/(?:{COMMIT}|{TAG})/\S+")
RAW = re.compile(rf"https://raw\.githubusercontent\.com/[^/]+/[^/]+/(?:{COMMIT}|{TAG})/\S+")
THREAD = re.compile(r"https://github\.com/[^/]+/[^/]+/(?:issues|pull|discussions)/\d+(?:#\S+)?")
RELEASE = re.compile(rf"https://github\.com/[^/]+/[^/]+/(?:releases/tag/\S+|commit/(?:{COMMIT}))")
HOSTS = ("https://github.com/", "https://raw.githubusercontent.com/")


def cited() -> Iterator[tuple[str, str]]:
    """The files that cite each address."""
    rules: tuple[Rule[Any, Any], ...] = (*fleet_rules(), *object_rules())
    for rule in rules:
        yield from ((rule.code, url) for url in rule.sources)
    files = CatalogFiles()
    for kind in files.kinds:
        for name in files.names(kind):
            row = files.row(kind, name)
            yield from ((f"{kind}/{name}", url) for url in (row.data["source"] if row else ()))


def is_settled(url: str) -> bool:
    """Whether the address points to content that no later commit can change."""
    return any(form.fullmatch(url) for form in (FILE, RAW, THREAD, RELEASE))


def test_links_to_github_are_pinned() -> None:
    citations = list(cited())
    assert len(citations) > 1000
    assert [(who, url) for who, url in citations if url.startswith(HOSTS) and not is_settled(url)] == []


@for_each(
    ("url", "expected"),
    [
        ("https://github.com/a/b/blob/main/x.go", False),
        ("https://github.com/a/b/blob/master/x.go", False),
        ("https://github.com/a/b/tree/release-1.2/x", False),
        ("https://github.com/a/b", False),
        ("https://raw.githubusercontent.com/a/b/main/x.go", False),
        ("https://github.com/a/b/blob/v1.14.2/x.go", True),
        (f"https://github.com/a/b/blob/{'0' * 40}/x.go", True),
        ("https://github.com/a/b/issues/12", True),
    ],
)
def test_a_branch_is_not_pinned(url: str, expected: bool) -> None:
    assert is_settled(url) is expected
