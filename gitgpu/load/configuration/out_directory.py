"""The output directory of a build, and its path in the repository that Flux or Argo CD reads."""

import os
from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.load.allowed_paths import real_path, work_tree
from gitgpu.source import Span

DEFAULT_OUT = "overlays"


class OutDirectory(NamedTuple):
    """`folder` is relative to the current directory, and `path` to the root of its Git work tree.

    Without a work tree (`rooted` is false), `path` is relative to the configuration, and the root may be above it. If
    the folder is outside the work tree, or if its name is not UTF-8 (`known` is false), `path` is the default.
    `out_at` is the place of `out` in the configuration, with line 0 if it is not set. `skipped` are the real paths of
    directories without specs.
    """

    folder: str = DEFAULT_OUT
    path: str = DEFAULT_OUT
    rooted: bool = False
    known: bool = False
    out_at: Span = Span("")
    skipped: frozenset[str] = frozenset()


def out_directory(folder: str, config: str, out_at: Span, catalogs: Sequence[str]) -> OutDirectory:
    """The output directory from a configuration file (or "") or the command line."""
    whole = real_path(folder)
    root = work_tree(whole)
    path = os.path.relpath(whole, root or real_path(os.path.dirname(config) or os.curdir)).replace(os.sep, "/")
    known = is_utf8(path) and path.partition("/")[0] != ".."
    skipped = frozenset(real_path(path) for path in (folder, *catalogs))
    return OutDirectory(folder, path if known else DEFAULT_OUT, bool(root), known, out_at, skipped)


def is_utf8(path: str) -> bool:
    """Whether the path is valid UTF-8. Python reads other bytes of a name as surrogates."""
    return not any(0xD800 <= ord(letter) <= 0xDFFF for letter in path)
