"""Which lines and branches of a rule run: a change that reaches a new one is worth keeping."""

import ast
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gitgpu.rule import AnyRule
from tests.mutants.mutant import Mutant

Mark = tuple[int, bool | None]  # a statement by its line, or a condition by its number and its result
_SAW = "_saw"


class Watched(NamedTuple):
    """A rule that adds what runs to `marks`, and the line of the innermost statement around each line."""

    rule: AnyRule
    marks: set[Mark]
    statements: Mapping[int, int]

    def reaches(self, mutant: Mutant) -> bool:
        """Whether the statement of a fault has run. Code outside functions always counts."""
        if not mutant.function:
            return True
        return (self.statements[mutant.line], None) in self.marks


def watched(rule: AnyRule) -> Watched:
    """The same rule, instrumented to record its executed statements and the results of its conditions."""
    module = sys.modules[rule.check.__module__]
    path = str(module.__file__)
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    statements = {line: node.lineno for node in _statements(tree) for line in _lines(node)}
    changed = types.ModuleType(module.__name__)
    changed.__dict__.update(__file__=path, __package__=module.__package__)
    marks: set[Mark] = set()

    def saw(number: int, *value: Any) -> Any:
        marks.add((number, bool(value[0]) if value else None))
        return value[0] if value else None

    marked = ast.fix_missing_locations(_Marks().visit(tree))
    changed.__dict__[_SAW] = saw
    exec(compile(marked, path, "exec"), changed.__dict__)
    return Watched(changed.RULE, marks, statements)


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Outer statements before the inner ones."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            yield node
        yield from _statements(node)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


class _Marks(ast.NodeTransformer):
    """Writes a mark before each statement of a function and around each condition; negative numbers are conditions."""

    def __init__(self) -> None:
        self.number = 0

    def visit(self, node: ast.AST) -> Any:
        new = self.generic_visit(node)
        if isinstance(new, ast.BoolOp):
            new.values = [self._marked(value) for value in new.values]
        elif isinstance(new, ast.If | ast.While | ast.IfExp):
            new.test = self._marked(new.test)
        elif isinstance(new, ast.comprehension):
            new.ifs = [self._marked(test) for test in new.ifs]
        if isinstance(new, ast.FunctionDef | ast.If | ast.For | ast.While | ast.With | ast.Try):
            for field in ("body", "orelse", "finalbody"):
                if getattr(new, field, None):
                    setattr(new, field, [part for line in getattr(new, field) for part in (_before(line), line)])
        return new

    def _marked(self, test: ast.expr) -> ast.expr:
        self.number -= 1
        call = ast.Call(ast.Name(_SAW, ast.Load()), [ast.Constant(self.number), test], [])
        return ast.copy_location(call, test)


def _before(line: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Expr(ast.Call(ast.Name(_SAW, ast.Load()), [ast.Constant(line.lineno)], [])), line)
