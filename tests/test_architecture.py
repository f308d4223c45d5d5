"""The budgets and habits of the house, where a linter has no rule for them."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "gitgpu").rglob("*.py"))
LINES_OF_A_MODULE, LINES_OF_A_FUNCTION, MODULES_OF_A_FOLDER = 200, 30, 30
BASES = {"Protocol", "StrEnum", "Exception", "NamedTuple", "Generic"}
CATCH_ALL = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
TEXTS = {".py", ".md", ".yaml", ".yml", ".json", ".toml", ".txt", ".cfg", ".lock", ""}
FOLDERS = (("gitgpu", "__init__.py"), ("tests", "test_*.py"))
APART = {"catalog", "e2e", "fuzz", "journeys", "lint"}  # tests that are not about one stage
OPEN_SETS = {"kinds"}  # one module for each kind of object that gitgpu emits, under the name of the kind
IGNORED = {".git", ".venv", ".hypothesis", "__pycache__", "dist", "build"}

every_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
Function = ast.FunctionDef | ast.AsyncFunctionDef


def tree(path: Path) -> ast.Module:
    """A module, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


def public(node: ast.AST) -> Iterator[Function | ast.ClassDef]:
    """Public functions, classes and their public methods; what a function keeps to itself is its own business."""
    for child in getattr(node, "body", ()):
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            yield child
            if isinstance(child, ast.ClassDef):
                yield from public(child)


@every_module
def test_a_module_is_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES_OF_A_MODULE


@every_module
def test_a_function_is_small(path: Path) -> None:
    found = [node for node in ast.walk(tree(path)) if isinstance(node, Function)]
    assert [one.name for one in found if (one.end_lineno or 0) - one.lineno >= LINES_OF_A_FUNCTION] == []


@every_module
def test_everything_public_says_what_it_is(path: Path) -> None:
    module = tree(path)
    assert ast.get_docstring(module)
    assert [one.name for one in public(module) if not ast.get_docstring(one)] == []


@every_module
def test_nothing_is_inherited(path: Path) -> None:
    classes = [node for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)]
    assert [one.name for one in classes if {ast.unparse(base).partition("[")[0] for base in one.bases} - BASES] == []


@every_module
def test_no_hidden_state_and_no_hidden_imports(path: Path) -> None:
    module = tree(path)
    assert [node.lineno for node in ast.walk(module) if isinstance(node, ast.Global | ast.Nonlocal)] == []
    assert [node.lineno for node in ast.walk(module) if isinstance(node, ast.Name) and node.id == "TYPE_CHECKING"] == []


RULES = [path for path in MODULES if path.parents[1].name == "rules"]


def test_every_rule_is_in_a_folder_of_its_subject() -> None:
    assert [path for path in MODULES if path.parent.name == "rules" and path.stem != "__init__"] == []


def test_a_folder_is_small_enough_to_read() -> None:
    named = (path.relative_to(ROOT) for path in MODULES if not path.stem.startswith("_"))
    sizes = Counter(path.parent for path in named if path.parent.name not in OPEN_SETS)
    assert [(folder, size) for folder, size in sizes.items() if size > MODULES_OF_A_FOLDER] == []


@pytest.mark.parametrize("path", RULES, ids=lambda path: "/".join(path.parts[-4:]))
def test_a_rule_does_not_know_another(path: Path) -> None:
    rules = {".".join(rule.relative_to(ROOT).with_suffix("").parts) for rule in RULES if rule.stem[0] != "_"}
    imported = [node for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom)]
    names = {node.module or "" for node in imported}
    names |= {f"{node.module}.{alias.name}" for node in imported for alias in node.names}
    assert rules & names == set()


def test_no_module_is_a_drawer_for_everything() -> None:
    assert [path for path in MODULES if CATCH_ALL & {*path.relative_to(ROOT).with_suffix("").parts}] == []


def test_every_folder_has_its_tests() -> None:
    """The tests of a stage are in the folder of its name; a folder with another name is one of those listed here."""
    here, there = ({path.parent.name for path in (ROOT / top).glob(f"*/{name}")} for top, name in FOLDERS)
    assert there - APART == here


def test_the_project_does_not_say_how_it_was_made() -> None:
    words = ("/" + "work/", "." + "library")
    found = []
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if IGNORED.intersection(parts) or parts[0].endswith("_cache") or path.suffix not in TEXTS or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{'/'.join(parts)}: {word}" for word in words if word in text]
    assert found == []
