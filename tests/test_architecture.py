"""Limits on the size and style of code that a linter has no rule for."""

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
MODULES = sorted((ROOT / "gitgpu").rglob("*.py"))
LINES_OF_A_MODULE, MEDIAN_OF_MODULES, LINES_OF_A_FUNCTION, MODULES_OF_A_FOLDER = 300, 55, 40, 40
DEPTH_OF_BLOCKS = 4
BASES = {"Protocol", "StrEnum", "Exception", "NamedTuple", "Generic", "dict"}
CATCH_ALL = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc"}
TEXTS = {".py", ".md", ".yaml", ".yml", ".json", ".toml", ".txt", ".cfg", ".lock", ""}
FOLDERS = (("gitgpu", "*/__init__.py"), ("tests", "*/**/test_*.py"))
APART = {"browser", "catalog", "e2e", "fuzz", "journeys", "lint", "tools"}  # tests that are not about one stage
OPEN_SETS = {"kinds"}  # one module for each emitted kind, with the name of the kind
IGNORED = {".git", ".venv", ".hypothesis", "__pycache__", "dist", "build"}

PARTICIPLE = re.compile(r"(?!need|feed|embed)[a-z]+ed(_(by|with|to|of|at|off|out))?")
HIDDEN = re.compile(r"\b(?:global|nonlocal|TYPE_CHECKING)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)


@lru_cache(1)  # the trees of all modules take 300 MB
def tree(path: Path) -> ast.Module:
    """A module, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a module, function or block, and in their blocks, without expressions, which are most nodes."""
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else ():
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                yield child
                yield from statements(child)


@lru_cache(1)
def classes_and_functions(path: Path) -> tuple[Function | ast.ClassDef, ...]:
    """Every class and function of a module, including nested ones."""
    return tuple(node for node in statements(tree(path)) if isinstance(node, Function | ast.ClassDef))


def offences(found_in: Callable[[Path], Iterable[object]], paths: Iterable[Path] = MODULES) -> dict[str, list[object]]:
    """The offences in each module, by path. Modules without an offence are omitted."""
    by_file = {path.relative_to(ROOT).as_posix(): list(found_in(path)) for path in paths}
    return {path: each for path, each in by_file.items() if each}


def public(node: ast.AST) -> Iterator[Function | ast.ClassDef]:
    """Public functions, classes and their public methods. Nested functions are private."""
    for child in getattr(node, "body", ()):
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            yield child
            if isinstance(child, ast.ClassDef):
                yield from public(child)


def test_a_module_is_small() -> None:
    sizes = {path.relative_to(ROOT).as_posix(): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    assert {path: size for path, size in sizes.items() if size > LINES_OF_A_MODULE} == {}


def test_most_modules_are_far_smaller() -> None:
    assert median(len(path.read_text("utf-8").splitlines()) for path in MODULES) <= MEDIAN_OF_MODULES


def large_functions(path: Path) -> Iterator[str]:
    """Functions with too many lines."""
    for node in classes_and_functions(path):
        if isinstance(node, Function) and (node.end_lineno or 0) - node.lineno >= LINES_OF_A_FUNCTION:
            yield node.name


def depth(node: ast.AST) -> int:
    """How deep the blocks of a function are nested. An `elif` is as deep as its `if`; nested functions are separate."""
    deepest = 0
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else ():
            if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case) or isinstance(child, FUNCTIONS):
                continue
            is_elif = isinstance(node, ast.If) and name == "orelse" and isinstance(child, ast.If) and len(value) == 1
            deepest = max(deepest, depth(child) + (isinstance(child, BLOCKS) and not is_elif))
    return deepest


def deep_functions(path: Path) -> Iterator[str]:
    """Functions whose blocks are nested too deeply."""
    for node in classes_and_functions(path):
        if isinstance(node, Function) and depth(node) > DEPTH_OF_BLOCKS:
            yield node.name


def without_docstring(path: Path) -> Iterator[str]:
    """What is public and has no docstring."""
    if not ast.get_docstring(tree(path)):
        yield "the module"
    yield from (node.name for node in public(tree(path)) if not ast.get_docstring(node))


def heirs(path: Path) -> Iterator[str]:
    """Classes that inherit from others than the allowed bases."""
    for node in classes_and_functions(path):
        if isinstance(node, ast.ClassDef) and {ast.unparse(base).partition("[")[0] for base in node.bases} - BASES:
            yield node.name


def hidden(path: Path) -> Iterator[int]:
    """The lines of hidden state and hidden imports."""
    if not HIDDEN.search(path.read_text("utf-8")):
        return  # most modules: walking them takes longer
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Global | ast.Nonlocal) or (isinstance(node, ast.Name) and node.id == "TYPE_CHECKING"):
            yield node.lineno


def named_after_what_was_done(path: Path) -> Iterator[str]:
    """Functions whose name is a participle, such as `joined`: work is named with a verb, a value with a noun."""
    for node in public(tree(path)):
        if isinstance(node, Function) and PARTICIPLE.fullmatch(node.name):
            yield node.name


STYLE: tuple[Callable[[Path], Iterable[object]], ...] = (
    large_functions,
    deep_functions,
    without_docstring,
    heirs,
    hidden,
    named_after_what_was_done,
)


def test_every_module_is_in_style() -> None:
    """Functions are small and flat, all that is public has a docstring, and no state and no import is hidden."""

    def found_in(path: Path) -> Iterator[str]:
        for check in STYLE:
            yield from (f"{check.__name__}: {offence}" for offence in check(path))

    assert offences(found_in) == {}


SIDES = [ROOT / "gitgpu" / "rules" / side for side in ("fleet", "objects")]
RULES = [path for path in MODULES if path.parents[1] in SIDES]


def test_every_rule_is_in_the_folder_of_its_subject() -> None:
    assert [path for path in MODULES if path.parent in SIDES and path.stem != "__init__"] == []


def test_a_folder_is_small_enough_to_read() -> None:
    named = (path.relative_to(ROOT) for path in MODULES if not path.stem.startswith("_"))
    sizes = Counter(path.parent for path in named if path.parent.name not in OPEN_SETS)
    assert [(folder, size) for folder, size in sizes.items() if size > MODULES_OF_A_FOLDER] == []


def test_no_rule_imports_another() -> None:
    rules = {".".join(rule.relative_to(ROOT).with_suffix("").parts) for rule in RULES if rule.stem[0] != "_"}

    def known(path: Path) -> set[str]:
        imported = [node for node in ast.walk(tree(path)) if isinstance(node, ast.ImportFrom)]
        names = {node.module or "" for node in imported}
        return rules & (names | {f"{node.module}.{alias.name}" for node in imported for alias in node.names})

    assert offences(known, RULES) == {}


def test_no_module_has_a_catch_all_name() -> None:
    assert [path for path in MODULES if CATCH_ALL & {*path.relative_to(ROOT).with_suffix("").parts}] == []


def test_every_folder_has_its_tests() -> None:
    """The tests of a stage are in the folder of the same name; folders with other names are listed in APART."""
    here, there = ({path.relative_to(ROOT).parts[1] for path in (ROOT / top).glob(found)} for top, found in FOLDERS)
    assert there - APART == here


def test_no_test_asserts_how_long_something_takes() -> None:
    """A busy machine must not make a test fail: tests count work, and `bench` measures time."""
    clocks = {"time", "perf_counter", "process_time", "thread_time"}

    def timed(path: Path) -> Iterator[int]:
        if "time." not in path.read_text(encoding="utf-8"):  # parsing all tests takes seconds
            return
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Attribute) and node.attr in clocks and ast.unparse(node.value) == "time":
                yield node.lineno

    assert offences(timed, sorted((ROOT / "tests").rglob("test_*.py"))) == {}


def test_the_project_does_not_say_how_it_was_made() -> None:
    words = ("/" + "work/", "." + "library")
    mentions = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in IGNORED and not name.endswith("_cache")]
        for path in (Path(folder, name) for name in names):
            if path.suffix in TEXTS:
                text = path.read_text(encoding="utf-8", errors="replace")
                mentions += [f"{path.relative_to(ROOT)}: {word}" for word in words if word in text]
    assert mentions == []
