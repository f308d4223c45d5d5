"""Where commands are: a folder with the module `command` is a command, and folders in it are its subcommands.

The module exports COMMAND, and the first line of its docstring is the summary of the command.
"""

from os.path import isfile
from types import ModuleType

from gitgpu import registry

MODULE = "command"


def command_folders(package: ModuleType) -> dict[str, str]:
    """The folders of a package that are commands, by the name of the command.

    A folder has an underscore at the end if Python or tools reserve the name: `import` is a keyword, and Git, ruff and
    pytest ignore `build`.
    """
    folder = package.__path__[0]
    found = (name for name in registry.folders(package) if isfile(f"{folder}/{name}/{MODULE}.py"))
    return {name.removesuffix("_"): name for name in found}


def summary(package: ModuleType, folder: str) -> str:
    """What the command in a folder does, in a line. The command is not imported."""
    return registry.summary(package, f"{folder}.{MODULE}")
