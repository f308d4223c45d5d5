"""Writes values into the documents of a text, or removes them: only their own characters or lines change.

The result is parsed and compared with the expected values, so that anchors, aliases and merge keys never break. What
cannot be written without changing something else is a fault.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import yaml
from yaml.cyaml import CSafeLoader

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.edit import Replacement, splice
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.runs.amend.assignment import Absent, Assignment, Tree, apply_tree, child, removals, tree_of
from gitgpu.runs.amend.replacements import flow_text, removal_replacements, step_of, value_replacements
from gitgpu.source import Span, pointer_text

__all__ = ["Absent", "Assignment", "amend"]


def amend(text: Text, wanted: Sequence[Assignment]) -> Text | Diagnostic:
    """The text with these values, or why they cannot be written. All of them belong to documents of the text."""
    parsed, _ = parse(text)
    trees = _trees(parsed, wanted)
    try:
        result = text._replace(content=_write(text.content, trees))
    except yaml.YAMLError:  # after a removal, the text is not valid YAML
        return _refusal(wanted[0])
    expected = [document.data for document in parsed]
    for index, tree in trees.items():
        expected[index] = apply_tree(tree, expected[index])
    reparsed, _ = parse(result)
    if [document.data for document in reparsed] == expected:
        return result
    places = [document.places.span() for document in parsed]
    missing_assignments = (
        assignment for assignment in wanted if assignment.value != _value(assignment, reparsed, places)
    )
    return _refusal(next(missing_assignments, wanted[0]))


def _trees(documents: Sequence[Parsed], wanted: Sequence[Assignment]) -> dict[int, Tree]:
    """The values to write, by the index of their document."""
    trees: dict[int, Tree] = {}
    for index, document in enumerate(documents):
        start = document.places.span()
        assignments = [assignment for assignment in wanted if assignment.document.places.span() == start]
        tree = tree_of(assignments, document.data)
        if tree:
            trees[index] = tree
    return trees


def _write(content: str, trees: dict[int, Tree]) -> str:
    """The content with the values of the trees, which are by index of their document."""
    nodes = _nodes(content)
    replacements: list[Replacement] = []
    for index, tree in trees.items():
        replacements += value_replacements(content, nodes[index], tree, step_of(nodes[index]))
    content = splice(content, replacements)
    # Keys are removed last, so that no mapping is empty in between, and one by one, because each removal moves places.
    for index, tree in trees.items():
        for path in removals(tree):
            content = splice(content, removal_replacements(content, _nodes(content)[index], path))
    return content


def _nodes(content: str) -> list[Any]:
    return list(yaml.compose_all(content, CSafeLoader))


def _value(wanted: Assignment, documents: Sequence[Parsed], places: Sequence[Span]) -> Any:
    """The value in the result at the pointer of an assignment."""
    index = places.index(wanted.document.places.span())
    return reduce(child, wanted.pointer, documents[index].data if index < len(documents) else None)


def _refusal(wanted: Assignment) -> Diagnostic:
    document, pointer, value = wanted
    where = ".".join(map(str, pointer))
    remedy = f"remove {where} yourself" if value is Absent.ABSENT else f"set {where}: {flow_text(value)} yourself"
    message = "cannot be edited here: an anchor, an alias or a merge key shares this value with another place"
    place = pointer_text(pointer)
    return Diagnostic("EDT001", Severity.ERROR, message, remedy, document.places.span(pointer), place, document.ref)
