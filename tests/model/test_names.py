"""Names of the field have one home: gitgpu/model/names."""

import ast
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from gitgpu.model.names.kinds import GroupKind

ROOT = Path(__file__).parents[2] / "gitgpu"
HOME = ROOT / "model/names"
MODULES = {path.stem: import_module(f"gitgpu.model.names.{path.stem}") for path in sorted(HOME.glob("[a-z]*.py"))}
NAMES = {
    (module, constant): value
    for module, imported in MODULES.items()
    for constant, value in vars(imported).items()
    if constant.isupper() and isinstance(value, str | GroupKind)
}
TEXTS = {value for value in NAMES.values() if isinstance(value, str) and not value.isalpha()}  # others are also words
KINDS = {value for value in NAMES.values() if isinstance(value, GroupKind)}
QUALIFIED = {f"{kind.group}/{kind.kind}" for kind in KINDS if kind.group}
# A kind that is also a word of Kubernetes, Kustomize or gitgpu is no name of its own.
_WORDS = ("HelmValues", "Job", "Kustomization", "Pipeline", "Rollout", "Service", "Task", "Workload")
OF_OTHERS = {kind.kind for kind in KINDS if "." in kind.group and kind.kind not in _WORDS}


FOLDERS = sorted({path.relative_to(ROOT).parts[0] for path in ROOT.rglob("*.py")})


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_other_module_writes_a_name_as_a_text_of_its_own(folder: str) -> None:
    path = ROOT / folder
    modules = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    for module in (module for module in modules if module.parent != HOME):
        code = list(nodes(ast.parse(module.read_text(encoding="utf-8"))))
        texts = {node.value for node in code if isinstance(node, ast.Constant)}
        assert texts & (TEXTS | QUALIFIED | OF_OTHERS) == set(), module
        pairs = {pair for node in code for pair in pairwise(parts(node))}
        assert pairs & KINDS == set(), module


def test_a_name_has_one_constant() -> None:
    constants: dict[object, set[str]] = {}
    for (_, constant), value in NAMES.items():
        constants.setdefault(value, set()).add(constant)
    assert [names for names in constants.values() if len(names) > 1] == []


def nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of code, without docstrings and parts of longer texts."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if is_docstring or isinstance(node, ast.JoinedStr):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from nodes(child)


def parts(node: ast.AST) -> list[object]:
    """The texts in a row in a list, a tuple or the arguments of a call."""
    row = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
    return [part.value if isinstance(part, ast.Constant) else None for part in row]
