"""Everything that lint reports about realistic clusters, the inputs of recorded imports.

The objects are linted as a whole cluster, so that missing objects are reported too.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import in_order
from gitgpu.runs.lint import LintOptions
from tests.lint.test_lint import linted

RECORDED = Path(__file__).parents[2] / "adopt/recorded"
BEGIN = re.compile(r"^cluster: (.*)\n(?:azure:.*\n(?: .*\n)*)?(?:---\n)?", re.MULTILINE)


def clusters(text: str) -> Iterator[tuple[str, str]]:
    """The clusters in a file, each with the text of its objects, on the same lines as in the file."""
    matches = list(BEGIN.finditer(text))
    for begin, following in zip(matches, [*matches[1:], None], strict=True):
        above = "\n" * text.count("\n", 0, begin.end())
        yield begin[1], above + text[begin.end() : following.start() if following else None].removesuffix("---\n")


def reported(name: str, text: str) -> Iterator[str]:
    """The findings about a cluster as lines."""
    yield f"cluster {name}"
    result = linted({"cluster.yaml": text}, LintOptions("1.34", closed=True, strict=True))
    for diagnostic in in_order(result.diagnostics):
        span, pointer = diagnostic.span, diagnostic.pointer or "/"
        yield f"{diagnostic.code} {diagnostic.severity} {span.line}:{span.column} {pointer}"
        yield f"  {diagnostic.message}"
        yield f"  {diagnostic.help}"


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_objects_of_clusters(path: Path, snapshot: SnapshotAssertion) -> None:
    pairs = clusters(path.read_text(encoding="utf-8"))
    assert "\n".join(line for cluster in pairs for line in reported(*cluster)) == snapshot
