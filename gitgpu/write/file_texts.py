"""The texts of many files in little memory: most differ between clusters in the name of the cluster alone."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from gitgpu.load.generated import advice
from gitgpu.write.render import header_text


class Parts(NamedTuple):
    """A text as what is before and after the header line that names its path; without `after`, it has no such line."""

    before: str
    after: str | None = None

    def text(self, path: str) -> str:
        """The whole text, of the file at this path."""
        return self.before if self.after is None else f"{self.before}{header_text(advice(path))}{self.after}"


class Texts(Protocol):
    """The text of each file by its path, as a mapping gives it."""

    def __getitem__(self, path: str, /) -> str:
        """The text of a file. Raises KeyError."""
        ...

    def get(self, path: str, default: str, /) -> str:
        """The text of a file; the default where there is none."""
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
    """The files of a cluster: their sorted paths below its folder, and the text of each, cut at the cluster's name.

    Most clusters of one kind differ in their name alone. Without it their files are equal, and share their memory.
    """

    names: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]


def cluster_files(cluster: str, files: Mapping[str, Parts], shared: dict[Any, Any]) -> ClusterFiles:
    """The files of a cluster from their whole paths. What is equal to a value in `shared` shares its memory."""
    paths = sorted(files)
    names = tuple(path.removeprefix(f"{cluster}/") for path in paths)
    texts = (tuple(files[path].text(path).split(cluster)) for path in paths)
    new = ClusterFiles(names, tuple(shared.setdefault(text, text) for text in texts))
    same: ClusterFiles = shared.setdefault(new, new)
    return same


class FileTexts:
    """Texts that are joined when they are read. Files that share a part share its memory."""

    def __init__(self, clusters: Mapping[str, ClusterFiles] = MappingProxyType({})) -> None:
        self._clusters = clusters

    def keys(self) -> tuple[str, ...]:
        """The paths."""
        return tuple(self)

    def items(self) -> Iterator[tuple[str, str]]:
        """The paths and texts, which are joined one after the other."""
        for cluster, files in self._clusters.items():
            for name, text in zip(*files, strict=True):
                yield f"{cluster}/{name}", cluster.join(text)

    def get(self, path: str, default: str, /) -> str:
        """The text of a file; the default where there is none."""
        try:
            return self[path]
        except KeyError:
            return default

    def __getitem__(self, path: str) -> str:
        """The text of a file. Raises KeyError."""
        cluster, _, below = path.partition("/")
        names, texts = self._clusters[cluster]
        at = bisect_left(names, below)
        if names[at : at + 1] != (below,):
            raise KeyError(path)
        return cluster.join(texts[at])

    def __iter__(self) -> Iterator[str]:
        """The paths."""
        for cluster, files in self._clusters.items():
            yield from (f"{cluster}/{name}" for name in files.names)

    def __len__(self) -> int:
        """How many files there are."""
        return sum(len(files.names) for files in self._clusters.values())
