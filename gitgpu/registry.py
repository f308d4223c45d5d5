"""A folder is a registry: each module in it contributes one value under one agreed name."""

from importlib import import_module
from importlib.util import find_spec
from os import listdir
from types import ModuleType
from typing import TypeVar

Kind = TypeVar("Kind")


def names(package: ModuleType) -> tuple[str, ...]:
    """The modules of a package, sorted, without importing them."""
    files = (name for folder in package.__path__ for name in listdir(folder))  # pkgutil asks more, and takes longer
    return tuple(sorted(name.removesuffix(".py") for name in files if name.endswith(".py") and name[0] != "_"))


def load(package: ModuleType, module: str, name: str, kind: type[Kind]) -> Kind:
    """The value `name` of one module of a package. Raises TypeError when it is not a `kind`."""
    value = getattr(import_module(f"{package.__name__}.{module}"), name)
    if not isinstance(value, kind):
        raise TypeError(f"{package.__name__}.{module}.{name} is a {type(value).__name__}, not a {kind.__name__}")
    return value


def collect(package: ModuleType, name: str, kind: type[Kind]) -> tuple[Kind, ...]:
    """The value `name` of every module of a package, in order of module name."""
    return tuple(load(package, module, name, kind) for module in names(package))


def summary(package: ModuleType, module: str) -> str:
    """The first line of a module's docstring, read without running the module: a long list stays cheap."""
    spec = find_spec(f"{package.__name__}.{module}")
    read = getattr(spec and spec.loader, "get_source", None)
    source = (read(spec.name) or "") if spec and read else ""
    return source.split('"""', 2)[1].strip().splitlines()[0] if '"""' in source else ""
