"""The texts of many files in little memory: most files of two clusters differ only in the name of the cluster."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from gitgpu.load.generated import advice
from gitgpu.write.render import header_text


class Parts(NamedTuple):
    """The text before and after the header line with its path. A text without such a line has no `after`."""

    before: str
    after: str | None = None

    def text(self, path: str) -> str:
        """The whole text for this path."""
        return self.before if self.after is None else f"{self.before}{header_text(advice(path))}{self.after}"


class Texts(Protocol):
    """The part of a mapping from paths to texts that writing needs."""

    def __getitem__(self, path: str, /) -> str:
        """The text of a file. Raises KeyError."""
        ...

    def get(self, path: str, default: str, /) -> str:
        """The text of a file, or the default."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The paths."""
        ...

    def items(self) -> Iterable[tuple[str, str]]:
        """The paths and texts."""
        ...

    def __len__(self) -> int:
        """How many files there are."""
        ...


class ClusterFiles(NamedTuple):
    """The files of a cluster: their sorted paths below its folder, and the text of each, split at the cluster's name.

    Many clusters differ only in their name. Without it, their files are equal, and share their memory.
    """

    names: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]


def cluster_files(cluster: str, files: Mapping[str, Parts], shared: dict[Any, Any]) -> ClusterFiles:
    """The files of a cluster, by their whole paths. Texts that are equal to one in `shared` share its memory."""
    paths = sorted(files)
    names = tuple(path.removeprefix(f"{cluster}/") for path in paths)
    texts = (tuple(files[path].text(path).split(cluster)) for path in paths)
    new = ClusterFiles(names, tuple(shared.setdefault(text, text) for text in texts))
    same: ClusterFiles = shared.setdefault(new, new)
    return same


class FileTexts:
    """Texts by path, which are joined only when they are read, because most of their parts are shared."""

    def __init__(self, clusters: Mapping[str, ClusterFiles] = MappingProxyType({})) -> None:
        self._clusters = clusters

    def keys(self) -> tuple[str, ...]:
        """The paths."""
        return tuple(self)

    def items(self) -> Iterator[tuple[str, str]]:
        """Yields the paths and texts."""
        for cluster, files in self._clusters.items():
            for name, text in zip(*files, strict=True):
                yield f"{cluster}/{name}", cluster.join(text)

    def get(self, path: str, default: str, /) -> str:
        """The text of a file, or the default."""
        try:
            return self[path]
        except KeyError:
            return default

    def __getitem__(self, path: str) -> str:
        """The text of a file. Raises KeyError."""
        cluster, _, below = path.partition("/")
        names, texts = self._clusters[cluster]
        index = bisect_left(names, below)
        if names[index : index + 1] != (below,):
            raise KeyError(path)
        return cluster.join(texts[index])

    def __iter__(self) -> Iterator[str]:
        """The paths."""
        for cluster, files in self._clusters.items():
            yield from (f"{cluster}/{name}" for name in files.names)

    def __len__(self) -> int:
        """How many files there are."""
        return sum(len(files.names) for files in self._clusters.values())
