"""Puts a mutant into the modules that this process has imported."""

import ast
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from inspect import unwrap
from types import CodeType, FunctionType, ModuleType
from typing import Any

Functions = Mapping[tuple[str, str], Sequence[FunctionType]]


def functions() -> Functions:
    """All live functions of gitgpu, by the path of their module and their qualified name."""
    by_name: dict[tuple[str, str], list[FunctionType]] = {}
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__module__ and function.__module__.startswith("gitgpu."):
            key = os.path.realpath(function.__code__.co_filename), function.__code__.co_qualname
            by_name.setdefault(key, []).append(function)
    return by_name


def put(tree: ast.Module, file: str, name: str, live: Functions) -> bool:
    """Give a live function, and those that it made before, the code of a mutant; False if that cannot be done."""
    path = os.path.realpath(file)
    if (path, name) not in live:
        return False
    new: dict[str, list[CodeType]] = {}
    for code in _codes(compile(tree, file, "exec")):
        if code.co_qualname == name or code.co_qualname.startswith(f"{name}.<locals>."):
            new.setdefault(code.co_qualname, []).append(code)
    codes = [(function, new[inner]) for inner in new for function in live.get((path, inner), ())]
    if any(len(made) != 1 or made[0].co_freevars != function.__code__.co_freevars for function, made in codes):
        return False
    for function, (code,) in codes:
        function.__code__ = code
    return True


def _codes(code: CodeType) -> list[CodeType]:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [code, *(below for each in inner for below in _codes(each))]


def is_constant(source: str, line: int) -> bool:
    """Whether a line is part of an assignment at module level, or of the head of a function there."""
    return isinstance(_statement(source, line), ast.Assign | ast.AnnAssign | ast.FunctionDef)


def constants(source: str, line: int) -> list[str]:
    """The names that an assignment at the top of a module, on this line, gives a value."""
    node = _statement(source, line)
    return _names(node) if node else []


def _statement(source: str, line: int) -> ast.stmt | None:
    nodes = ast.parse(source).body
    return next((node for node in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)), None)


def put_constants(tree: ast.Module, module: ModuleType) -> None:
    """Give a module, and those that import them from it, tests too, the constants and the defaults of a mutant.

    Values that other modules computed from a constant at import do not change.
    """
    changed = ModuleType(module.__name__)
    changed.__dict__.update(__file__=module.__file__, __package__=module.__package__)
    exec(compile(tree, str(module.__file__), "exec"), changed.__dict__)
    for name in _assigned(tree):
        before, after = module.__dict__.get(name), changed.__dict__[name]
        for other in _importers(name, before):
            other[name] = after
    for name, new in _functions(changed).items():
        old = _functions(module).get(name)
        if old:
            old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__


def _functions(module: ModuleType) -> Mapping[str, FunctionType]:
    """The functions at the top of a module, without what wraps them."""
    values = {name: unwrap(value) for name, value in module.__dict__.items() if callable(value)}
    return {name: value for name, value in values.items() if isinstance(value, FunctionType)}


def _assigned(tree: ast.Module) -> list[str]:
    """The names that a module assigns at its top."""
    assigned = []
    for node in tree.body:
        assigned += _names(node)
    return assigned


def _names(node: ast.stmt) -> list[str]:
    """The names that a statement assigns."""
    assigned = []
    for target in _targets(node):
        names = [inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name)]
        assigned += [name for name in names if not name.startswith("__")]
    return assigned


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []


def _importers(name: str, value: Any) -> list[dict[str, Any]]:
    """The contents of the modules that have this value under this name, with those of tests."""
    modules = [module for known, module in sys.modules.items() if known.partition(".")[0] in ("gitgpu", "tests")]
    return [module.__dict__ for module in modules if module.__dict__.get(name) is value and name in module.__dict__]
