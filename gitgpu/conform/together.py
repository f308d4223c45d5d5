"""Which files are applied together: what kustomizations name, and of the rest what does not define one object twice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from posixpath import dirname
from typing import TypeAlias

from gitgpu.conform.objects import Identity, identity
from gitgpu.load.kustomize import Kustomization, Part, group, roots
from gitgpu.load.objects import Loaded

Files: TypeAlias = Mapping[str, Sequence[Loaded]]


def together(known: Mapping[str, Kustomization], files: Files) -> Iterator[list[Part]]:
    """The files that are applied together: those of a kustomization, and those that none of them names."""
    taken: set[str] = set()
    for root in roots(known):
        parts = list(group(root, known))
        taken.update(part.file for part in parts)
        yield parts
    loose = sorted(file for file in files if file not in taken)
    yield from ([Part(file) for file in names] for names in _apart(loose, files))


def _apart(names: Sequence[str], files: Files) -> Iterator[Sequence[str]]:
    """Files that define one object twice are alternatives: then each folder, or each file, stands for itself."""
    if len(names) < 2 or not _clash(names, files):
        if names:
            yield names
        return
    folders = [list(inside) for _, inside in groupby(sorted(names, key=lambda n: (dirname(n), n)), key=dirname)]
    if len(folders) == 1:
        yield from ([name] for name in names)
        return
    for folder in folders:
        yield from _apart(folder, files)


def _clash(names: Iterable[str], files: Files) -> bool:
    seen: set[Identity] = set()
    for name in names:
        mine = {identity(one.body) for one in files[name]}
        if mine & seen:
            return True
        seen |= mine
    return False
