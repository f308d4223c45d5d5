"""The texts of many files in little memory: most differ between clusters in the line of their path alone."""

from collections.abc import Iterator, KeysView, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

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

    def __len__(self) -> int:
        """How many files there are."""
        ...


class FileTexts:
    """Texts that are joined when they are read. Files that share a part share its memory."""

    def __init__(self, parts: Mapping[str, Parts] = MappingProxyType({})) -> None:
        self._parts = parts

    def keys(self) -> KeysView[str]:
        """The paths."""
        return self._parts.keys()

    def get(self, path: str, default: str, /) -> str:
        """The text of a file; the default where there is none."""
        return self[path] if path in self._parts else default

    def __getitem__(self, path: str) -> str:
        """The text of a file. Raises KeyError."""
        return self._parts[path].text(path)

    def __iter__(self) -> Iterator[str]:
        """The paths."""
        return iter(self._parts)

    def __len__(self) -> int:
        """How many files there are."""
        return len(self._parts)
