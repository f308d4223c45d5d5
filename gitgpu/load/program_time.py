"""When gitgpu's code was last changed. In a checkout, the version does not show that."""

import os
from functools import cache

from gitgpu.load.read import PACKAGE, data_root


@cache
def program_time() -> float:
    """When the newest file of a checkout was changed, in seconds since 1970; 0 if installed: the version is enough."""
    if data_root().startswith(PACKAGE):
        return 0.0
    return max(_newest(PACKAGE), _newest(os.path.join(data_root(), "schemas")))


def _newest(folder: str) -> float:
    """When the newest source file below a folder was changed. `os.walk` would take three times as long."""
    newest = 0.0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith((".py", ".json")):
                newest = max(newest, entry.stat().st_mtime)
            elif entry.is_dir() and entry.name != "__pycache__":
                newest = max(newest, _newest(entry.path))
    return newest
