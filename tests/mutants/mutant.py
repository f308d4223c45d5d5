"""All mutants of a module, and the module with one of them."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.mutants.operators import changes

NOT_RUN = {"annotation", "returns", "decorator_list", "bases"}


class Mutant(NamedTuple):
    """One fault: its number in the module, the lines it is on, the function that holds it, and the change.

    `function` is empty at the top of a module and in the body of a class.
    """

    number: int
    line: int
    last: int
    function: str
    before: str
    after: str


class Place(NamedTuple):
    """A node of a module, with its position in the tree."""

    function: str
    parent: ast.AST
    field: str
    at: int | None
    node: ast.expr | ast.stmt


def mutants(source: str) -> Iterator[Mutant]:
    """Every fault that a module can have, in the order of its tree."""
    for number, (place, changed) in enumerate(_faults(ast.parse(source))):
        node = place.node
        function = place.function.removesuffix("()") if place.function.endswith("()") else ""
        last = node.end_lineno or node.lineno
        yield Mutant(number, node.lineno, last, function, _short(node), _short(changed))


def mutated(source: str, number: int) -> ast.Module:
    """The module with one fault."""
    tree = ast.parse(source)
    for at, (place, changed) in enumerate(_faults(tree)):
        if at == number:
            ast.copy_location(changed, place.node)
            if place.at is None:
                setattr(place.parent, place.field, changed)
            else:
                getattr(place.parent, place.field)[place.at] = changed
            return ast.fix_missing_locations(tree)
    raise LookupError(f"no mutant {number}")


def _faults(tree: ast.Module) -> Iterator[tuple[Place, ast.AST]]:
    for place in _places(tree, ""):
        for changed in changes(place.node):
            yield place, changed


def _places(parent: ast.AST, function: str) -> Iterator[Place]:
    """Every expression and statement that runs; annotations, docstrings, imports and decorators do not."""
    for field, value in ast.iter_fields(parent):
        if field in NOT_RUN:
            continue
        for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
                continue
            if field == "args" and at == 0 and _keeps(parent):
                continue
            if isinstance(node, ast.keyword) and node.arg == "strict":
                continue  # `strict` of zip asserts what is always true
            if (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) or _is_for_type_checkers(node):
                continue
            if isinstance(node, ast.expr | ast.stmt):
                yield Place(function, parent, field, at, node)
            yield from _places(node, _inside(node, _around(parent, node, function)))


def _is_for_type_checkers(node: ast.AST) -> bool:
    """Whether it is `__all__` (nothing is imported with an asterisk) or a type variable."""
    if not isinstance(node, ast.Assign):
        return False
    return ast.unparse(node.targets[0]) == "__all__" or ast.unparse(node.value).startswith("TypeVar(")


def _keeps(node: ast.AST) -> bool:
    """Whether it is a call of `once` or `always`, in which the name of the cached result does not matter."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("once", "always")


def _inside(node: ast.AST, function: str) -> str:
    """The name of the outermost function, with its class; names of inner functions are not needed."""
    if isinstance(node, ast.ClassDef) and not function.endswith("()"):
        return f"{function}{node.name}."
    if isinstance(node, ast.FunctionDef) and not function.endswith("()"):
        return f"{function}{node.name}()"
    return function


def _around(parent: ast.AST, node: ast.AST, function: str) -> str:
    """Where a part of a function runs: its defaults run where it is defined."""
    if isinstance(parent, ast.FunctionDef) and isinstance(node, ast.arguments):
        return function.removesuffix(f"{parent.name}()")
    return function


def _short(node: ast.AST) -> str:
    """A node on one line; of an `if` only its condition."""
    if isinstance(node, ast.If | ast.While):
        return f"if {_short(node.test)}"
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= 100 else f"{text[:97]}..."
