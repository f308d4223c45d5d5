"""Files that are applied by hand together with an entry point, because they are in the same directory."""

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname

from gitgpu.objects.delivery.graph import Unit
from gitgpu.objects.delivery.tree import above
from gitgpu.objects.grouping.alternatives import common_folder


def files_beside(groups: Sequence[Sequence[str]], loose: Sequence[Unit], units: Mapping[str, Unit]) -> list[list[str]]:
    """For each group, the loose files in directories of its own loose files: a directory is applied as a whole."""
    group_of: dict[str, int] = {}  # the last group of each directory
    for index, names in enumerate(groups):
        folders = [dirname(name) for name in names if not units[name].kustomizations]
        shared = common_folder(folders)
        group_of.update(dict.fromkeys((*folders, *([shared] if shared else [])), index))
    beside: list[list[str]] = [[] for _ in groups]
    for unit in loose:
        nearest = next((folder for folder in _folders(unit.name) if folder in group_of), None)
        if nearest is not None:
            beside[group_of[nearest]].append(unit.name)
    return beside


def _folders(name: str) -> Iterator[str]:
    """The directories that contain a file, nearest first; "" only for a file that is in no directory."""
    folders = above(name)
    return iter(folders if folders[0] == "" else filter(None, folders))
