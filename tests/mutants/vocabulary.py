"""The words and numbers in the code of a rule, from which changes of its examples are made."""

import ast
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gitgpu.rule import AnyRule
from tests.mutants.operators import KEY
from tests.rules.fleet.examples import CATALOG

WORDS = 40  # of the catalog, at most
NO_WORDS = frozenset({"code", "name", "severity", "summary", "help", "sources"})


class Vocabulary(NamedTuple):
    """What the module of a rule names: words, paths of keys, and numbers."""

    words: Sequence[str]
    paths: Sequence[tuple[str, ...]]
    numbers: Sequence[int]


def vocabulary(rule: AnyRule, lines: Collection[int] = ()) -> Vocabulary:
    """The words, paths and numbers in the module of a rule, or on some of its lines."""
    path = Path(str(sys.modules[rule.check.__module__].__file__))
    every = _nodes(ast.parse(path.read_text(encoding="utf-8")))
    nodes = [node for node in every if not lines or getattr(node, "lineno", 0) in lines]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words = dict.fromkeys(text for text in texts if KEY.fullmatch(text) or len(text) < 25)
    numbers = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is int]
    groups = [_constants(node) for node in nodes if isinstance(node, ast.Call | ast.Tuple)]
    paths = dict.fromkeys((*((word,) for word in words), *(group for group in groups if len(group) > 1)))
    paths |= dict.fromkeys(tuple(text.split(".")) for text in words if "." in text and "/" not in text)
    facts = [word for group in groups if not lines and len(group) > 1 for word in _facts(*group[:2])]
    words |= dict.fromkeys(facts[:WORDS])
    paths |= dict.fromkeys((word,) for word in facts[:WORDS] if "/" in word)
    near = {number + step for number in numbers for step in (-1, 0, 1)}
    return Vocabulary([*words], [*paths], sorted(near | {0, 1, 2}))


def _facts(kind: str, name: str) -> Iterator[str]:
    """The words of a row of the catalog, if it is one."""
    try:
        row = CATALOG.facts(kind, name)
    except KeyError:
        return
    values: list[Any] = [row]
    for value in values:  # grows
        if isinstance(value, str) and KEY.fullmatch(value):
            yield value
        elif isinstance(value, Mapping):
            values += [*value, *value.values()]
        elif isinstance(value, list | tuple):
            values += value


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module without docstrings and the texts of its rule."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.keyword) and child.arg in NO_WORDS:
            continue
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield child
            yield from _nodes(child)


def _constants(node: ast.Call | ast.Tuple) -> tuple[str, ...]:
    parts = node.args if isinstance(node, ast.Call) else node.elts
    return tuple(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
