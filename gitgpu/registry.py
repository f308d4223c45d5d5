"""A folder is a registry: each module in it contributes one value under one agreed name."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from os import scandir
from sys import modules
from types import ModuleType
from typing import TypeVar

Kind = TypeVar("Kind")


def names(package: ModuleType) -> tuple[str, ...]:
    """The modules of a package and of its folders ("folder.module"), sorted, without importing them."""
    return tuple(sorted(chain.from_iterable(map(_modules, package.__path__))))


def folders(package: ModuleType) -> tuple[str, ...]:
    """The folders of a package that are packages too, sorted, without importing them."""
    entries = chain.from_iterable(map(scandir, package.__path__))
    return tuple(sorted(entry.name for entry in entries if entry.is_dir() and not entry.name.startswith(("_", "."))))


def _modules(folder: str) -> Iterator[str]:
    for entry in scandir(folder):  # pkgutil checks more, and takes longer
        if entry.name.startswith(("_", ".")):
            continue
        if entry.name.endswith(".py"):
            yield entry.name.removesuffix(".py")
        elif entry.is_dir():
            yield from (f"{entry.name}.{module}" for module in _modules(entry.path))


def load(package: ModuleType, module: str, name: str, kind: type[Kind]) -> Kind:
    """The value `name` of one module of a package. Raises TypeError if it is not a `kind`."""
    value = getattr(_module(package, module), name)
    if not isinstance(value, kind):
        raise TypeError(f"{package.__name__}.{module}.{name} is a {type(value).__name__}, not a {kind.__name__}")
    return value


def _module(package: ModuleType, name: str) -> ModuleType:
    """Imports a module of a package from its file, which is known: Python's search takes longer than running it."""
    full = f"{package.__name__}.{name}"
    # For a module in a folder ("folder.module"), the folder has to be imported first.
    spec = spec_from_file_location(full, _path(package, name)) if full not in modules and "." not in name else None
    if spec is None or spec.loader is None:
        return import_module(full)
    module = modules[full] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del modules[full]
        raise
    setattr(package, name, module)  # as an import does
    return module


def collect(package: ModuleType, name: str, kind: type[Kind]) -> tuple[Kind, ...]:
    """The value `name` of every module of a package, in order of module name."""
    return tuple(load(package, module, name, kind) for module in names(package))


def summary(package: ModuleType, module: str) -> str:
    """The first line of a module's docstring, read without running the module, so that long lists are fast."""
    _, _, docstring = source(package, module).partition('"""')
    first, _, _ = docstring.partition('"""')[0].strip().partition("\n")
    return first


def source(package: ModuleType, module: str) -> str:
    """The text of a module, which is read much faster than the module is imported."""
    with open(_path(package, module), "rb", buffering=0) as file:  # for hundreds of modules: text takes longer to open
        return file.read().decode()


def _path(package: ModuleType, module: str) -> str:
    return f"{package.__path__[0]}/{module.replace('.', '/')}.py"
