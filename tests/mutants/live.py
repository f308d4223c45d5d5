"""Puts a mutant into the modules that this process has imported."""

import ast
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

Functions = Mapping[tuple[str, str], Sequence[FunctionType]]


def functions() -> Functions:
    """All live functions of gitgpu, by the path of their module and their qualified name."""
    found: dict[tuple[str, str], list[FunctionType]] = {}
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__module__ and function.__module__.startswith("gitgpu."):
            key = os.path.realpath(function.__code__.co_filename), function.__code__.co_qualname
            found.setdefault(key, []).append(function)
    return found


def put(tree: ast.Module, file: str, live: Sequence[FunctionType]) -> bool:
    """Give live functions the code that they have in a mutant; False if that cannot be done."""
    (name,) = {function.__code__.co_qualname for function in live}
    code = compile(tree, file, "exec")
    found = [inner for inner in _codes(code) if inner.co_qualname == name]
    if len(found) != 1 or any(found[0].co_freevars != function.__code__.co_freevars for function in live):
        return False
    for function in live:
        function.__code__ = found[0]
    return True


def _codes(code: CodeType) -> list[CodeType]:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [code, *(found for each in inner for found in _codes(each))]


def is_constant(source: str, line: int) -> bool:
    """Is a line part of an assignment at the top of a module?"""
    for node in ast.parse(source).body:
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            return isinstance(node, ast.Assign | ast.AnnAssign)
    return False


def put_constants(tree: ast.Module, module: ModuleType) -> None:
    """Give a module, and those that import them from it, tests too, the constants of a mutant.

    What another module computed from a constant when it was imported stays as it was.
    """
    changed = ModuleType(module.__name__)
    changed.__dict__.update(__file__=module.__file__, __package__=module.__package__)
    exec(compile(tree, str(module.__file__), "exec"), changed.__dict__)
    for name in _assigned(tree):
        before, after = module.__dict__.get(name), changed.__dict__[name]
        for other in _importers(name, before):
            other[name] = after


def _assigned(tree: ast.Module) -> list[str]:
    """The names that a module assigns at its top."""
    found = []
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names = [inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)]
        found += [name for name in names if not name.startswith("__")]
    return found


def _importers(name: str, value: Any) -> list[dict[str, Any]]:
    """The contents of the modules that have this value under this name."""
    modules = [module for known, module in sys.modules.items() if known.partition(".")[0] in ("gitgpu", "tests")]
    return [module.__dict__ for module in modules if module.__dict__.get(name) is value and name in module.__dict__]
