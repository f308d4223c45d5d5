"""The comments of a YAML text: everything after a # that is not inside a scalar."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple


class Comment(NamedTuple):
    """A comment: its line and column (from 1), its text with the #, and whether it is alone on its line."""

    line: int
    column: int
    text: str
    alone: bool


def comments(content: str) -> Iterator[Comment]:
    """Every comment. In a text that is not YAML, everything after a #."""
    scalars = _scalars(content)
    firsts = [first for first, _ in scalars]  # for a binary search: a linear one would take quadratic time
    ends = [end for _, end in scalars]
    start = 0
    for number, line in enumerate(content.splitlines(keepends=True), start=1):
        at = line.find("#")
        while at >= 0 and (before := bisect_right(firsts, start + at)) and start + at < ends[before - 1]:
            at = line.find("#", ends[before - 1] - start)
        if at >= 0:
            yield Comment(number, at + 1, line[at:].rstrip("\r\n"), not line[:at].strip())
        start += len(line)


def _scalars(content: str) -> list[tuple[int, int]]:
    """Where scalars with a # begin and end, as indexes of characters; [] if the text is not YAML.

    A block scalar ends before the comments that may follow it.
    """
    from gitgpu.load.parse.plain import plain_documents  # noqa: PLC0415  most runs read no comment

    plain = plain_documents(content)
    if plain is not None and not any("#" in str(document.data) for document in plain):
        return []
    import yaml  # noqa: PLC0415  heavy
    from yaml.cyaml import CSafeLoader  # noqa: PLC0415

    try:
        tokens = [token for token in yaml.scan(content, CSafeLoader) if isinstance(token, yaml.ScalarToken)]
    except yaml.YAMLError:
        return []
    return [(token.start_mark.index, token.end_mark.index) for token in tokens if "#" in token.value]
