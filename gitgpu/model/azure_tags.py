"""How Azure reads the names of tags."""

from collections.abc import Iterable, Iterator


def tag_name(key: str, *, by_karpenter: bool = False) -> str:
    """The name of a tag in Azure, which ignores case. Karpenter writes an underscore for each slash."""
    return (key.replace("/", "_") if by_karpenter else key).lower()


def same_tags(keys: Iterable[str], *, by_karpenter: bool = False) -> Iterator[list[str]]:
    """The keys that are one tag in Azure, in alphabetical order: only groups of two and more."""
    names: dict[str, list[str]] = {}
    for key in sorted(keys):
        names.setdefault(tag_name(key, by_karpenter=by_karpenter), []).append(key)
    return (same for same in names.values() if len(same) > 1)
