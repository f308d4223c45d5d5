"""The mutation operators: what each kind of expression or statement of a module can become."""

import ast
import copy
import re
from collections.abc import Iterator

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any", "startswith": "endswith", "endswith": "startswith"}
KEY = re.compile(r"[A-Za-z][\w./:-]*")  # a key, a label or a name; anything with a space is a message, and "://" a link


def changes(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """The possible replacements of a node."""
    return _expressions(node) if isinstance(node, ast.expr) else _statements(node)


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.IfExp):
        yield from _conditions(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_type(node):
        yield ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        yield from _comprehensions(node)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)


def _conditions(node: ast.Compare | ast.BoolOp | ast.UnaryOp | ast.IfExp) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for other in COMPARISONS[type(node.ops[0])]:
            yield ast.Compare(node.left, [other(), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for at in range(len(node.values)):
            rest = node.values[:at] + node.values[at + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node.op, ast.Not):
        yield node.operand


def _is_type(node: ast.BinOp) -> bool:
    """Whether it is a union of types such as `int | None`, in a call of isinstance or a type alias."""
    return isinstance(node.op, ast.BitOr) and any(
        isinstance(side, ast.Subscript)
        or (isinstance(side, ast.Constant) and side.value is None)
        or (isinstance(side, ast.Name) and (side.id[0].isupper() or side.id in {"str", "int", "float", "bool"}))
        or (isinstance(side, ast.Attribute) and side.attr[0].isupper())
        for side in (node.left, node.right)
    )


def _comprehensions(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[ast.AST]:
    for at, generator in enumerate(node.generators):
        if generator.ifs:
            changed = copy.deepcopy(node)
            changed.generators[at].ifs = []
            yield changed


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in SWAPPED:
        yield ast.Call(ast.Name(SWAPPED[node.func.id], ast.Load()), node.args, node.keywords)
    elif isinstance(node.func, ast.Attribute) and node.func.attr in SWAPPED:
        other = ast.Attribute(node.func.value, SWAPPED[node.func.attr], ast.Load())
        yield ast.Call(other, node.args, node.keywords)


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, str) and KEY.fullmatch(node.value) and "://" not in node.value:
        yield ast.Constant(f"x{node.value}")


def _statements(node: ast.stmt) -> Iterator[ast.AST]:
    if isinstance(node, ast.If | ast.While):
        changed = copy.deepcopy(node)
        changed.test = ast.UnaryOp(ast.Not(), changed.test)
        yield changed
    elif isinstance(node, ast.Return) and node.value is not None:
        if not isinstance(node.value, ast.Constant):
            yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Expr | ast.AugAssign | ast.Continue | ast.Break | ast.Raise):
        yield ast.Pass()
