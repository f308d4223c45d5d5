"""Where the cache of an output directory is. Looking for it is much faster than importing what reads it."""

import os

FOLDER = ".gitgpu_cache"


def cache_path(root: str) -> str:
    """The file with the cache of an output directory. Its folder has its own .gitignore."""
    parent, name = os.path.split(os.path.abspath(root))
    return os.path.join(parent, FOLDER, f"{name}.cache")


def has_cache(root: str) -> bool:
    """Whether there is a cache of an output directory: in a new checkout, there is none."""
    return os.path.exists(cache_path(root))
