"""A folder as a registry: its modules in order, imported one at a time, and which values are refused."""

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path
from types import ModuleType

import pytest

from gitgpu.registry import collect, folders, load, names, summary

FILES = {
    "__init__.py": "",
    "_shared.py": "raise AssertionError",
    ".hidden.py": "raise AssertionError",
    "second.py": '"""The second one.\n\nMore of it.\n"""\n\nVALUE = 2\n',
    "first.py": '"""The first one."""\nVALUE = 1\n',
    "text.py": 'VALUE = "3"\n',
    "broken.py": "raise RuntimeError(1)\n",
    "notes.txt": "",
    "b/__init__.py": "",
    "b/third.py": "VALUE = 3\n",
    "b/_own.py": "raise AssertionError",
    "a/__init__.py": "",
    "a/fourth.py": '"""The fourth one."""\nVALUE = 4\n',
    "_private/fifth.py": "raise AssertionError",
    ".cache/sixth.py": "raise AssertionError",
}
COUNTED = ("a.fourth", "b.third", "broken", "first", "second", "text")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package on disk that is removed from sys.modules after the test."""
    for file, content in FILES.items():
        path = tmp_path / "registered" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    invalidate_caches()
    yield import_module("registered")
    for name in [name for name in sys.modules if name.partition(".")[0] == "registered"]:
        del sys.modules[name]


def imported() -> set[str]:
    """The modules of the package that have been imported."""
    return {name.removeprefix("registered.") for name in sys.modules if name.startswith("registered.")}


def test_the_modules_of_a_package_and_of_its_folders_are_named_without_importing_them(package: ModuleType) -> None:
    assert names(package) == COUNTED
    assert folders(package) == ("a", "b")
    assert imported() == set()


def test_a_value_is_loaded_alone_and_is_the_same_however_it_is_imported(package: ModuleType) -> None:
    assert load(package, "first", "VALUE", int) == 1
    assert imported() == {"first"}
    module = import_module("registered.first")
    assert package.first is module
    module.VALUE = 9
    assert load(package, "first", "VALUE", int) == 9  # the module has not been run again


def test_a_value_of_a_module_in_a_folder(package: ModuleType) -> None:
    assert load(package, "b.third", "VALUE", int) == 3
    assert imported() == {"b", "b.third"}
    assert import_module("registered.b").third is import_module("registered.b.third")


def test_a_value_of_another_type_is_refused(package: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"^registered\.text\.VALUE is a str, not a int$"):
        load(package, "text", "VALUE", int)
    assert load(package, "text", "VALUE", str) == "3"


def test_a_module_that_raises_is_not_kept(package: ModuleType) -> None:
    for _ in range(2):
        with pytest.raises(RuntimeError):
            load(package, "broken", "VALUE", int)
    assert imported() == set()
    assert not hasattr(package, "broken")


def test_all_values_are_collected_in_order_of_their_modules(package: ModuleType) -> None:
    for file in ("text", "broken"):
        Path(f"{package.__path__[0]}/{file}.py").unlink()
    assert collect(package, "VALUE", int) == (4, 3, 1, 2)


@pytest.mark.parametrize(("module", "text"), [("first", "The first one."), ("second", "The second one."), ("text", "")])
def test_the_summary_of_a_module_is_the_first_line_of_its_docstring(
    package: ModuleType, module: str, text: str
) -> None:
    assert summary(package, module) == text
    assert imported() == set()


def test_a_summary_of_a_module_in_a_folder(package: ModuleType) -> None:
    assert summary(package, "a.fourth") == "The fourth one."
    assert imported() == set()
