"""Which of a pool's requirements no size meets, and what to write instead."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.load.explain.messages import value_text
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.size_selection import matching_sizes, plain
from gitgpu.source import Pointer
from gitgpu.spelling import first_names, nearest

_EVERY = "`gitgpu sku list` shows every size and its facts"
_WORDS = re.compile(r"[\s_-]+")
_OF_GPU = ("model", "manufacturer", "architecture")
_MAX_SHORT_LENGTH = 2  # letters of a name, such as T4, that many other words contain by chance


class Unmet(NamedTuple):
    """The key below `requirements` that has to change, or () for all; what is wrong; and what to do."""

    place: Pointer
    message: str
    remedy: str


def unmet(catalog: Catalog, wanted: Mapping[str, Any]) -> Unmet:
    """The first requirement that no size meets, or else the first one whose removal lets some size meet the others."""
    leaves = list(_leaves(wanted))
    for path, value in leaves:
        if not matching_sizes(catalog, _only(path, value)):
            return Unmet(path, f"no size has {_described(path, value)}", _instead(catalog, path, value))
    for path, value in leaves:
        left = matching_sizes(catalog, _without(wanted, path))
        if left:
            message = f"no size has {_described(path, value)} and meets the other requirements too"
            return Unmet(path, message, f"relax or remove it: {left[0].name} meets the others; {_EVERY}")
    return Unmet((), "no size meets these requirements together", f"relax several of them; {_EVERY}")


def unknown_names(catalog: Catalog, wanted: Mapping[str, Any]) -> Iterator[Unmet]:
    """Each name in the lists of requirements that no GPU or size of the catalog has, at its place."""
    for path, value in _leaves(wanted):
        names = {plain(name) for name in _names(catalog, str(path[-1]))}
        for index, name in enumerate(value if names and isinstance(value, list) else ()):
            if plain(name) not in names:
                yield Unmet((*path, index), f"no size has {_described(path, name)}", _instead(catalog, path, name))


def _names(catalog: Catalog, key: str) -> set[str]:
    """Every name that a requirement may have, even of retired sizes; empty if its values are not names."""
    if key == "series":
        return {sku.series for sku in catalog.skus if sku.series}
    if key in _OF_GPU:
        return {getattr(gpu, key) for gpu in catalog.gpus} - {None}
    return set()


def _leaves(wanted: Mapping[str, Any]) -> Iterator[tuple[Pointer, Any]]:
    for key, value in wanted.items():
        if isinstance(value, Mapping):
            for below, entry in value.items():
                yield (key, below), entry
        else:
            yield (key,), value


def _only(path: Pointer, value: Any) -> Mapping[str, Any]:
    """Only this requirement. Parts of a GPU are allowed, because they are another requirement."""
    alone = {str(path[-1]): value}
    if len(path) > 1:
        return {"gpu": {"fractional": True, **alone}}
    return {"gpu": {"fractional": True}, **alone}


def _without(wanted: Mapping[str, Any], path: Pointer) -> Mapping[str, Any]:
    if len(path) == 1:
        return {key: value for key, value in wanted.items() if key != path[0]}
    kept = {key: value for key, value in wanted[str(path[0])].items() if key != path[1]}
    return {**wanted, str(path[0]): kept}


def _described(path: Pointer, value: Any) -> str:
    return f"{'.'.join(map(str, path))} {' or '.join(map(value_text, _listed(value)))}"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _instead(catalog: Catalog, path: Pointer, value: Any) -> str:
    """A remedy with the name that is probably meant, or else with all names that sizes have."""
    key = str(path[-1])
    if key in _OF_GPU:
        names = sorted(name for name in _names(catalog, key) if matching_sizes(catalog, _only(path, name)))
    elif key == "series":
        names = sorted({sku.series for sku in catalog.skus if sku.series and sku.obtainable})
    else:
        return f"relax it; {_EVERY}"
    suggestions = [_meant(str(entry), names) for entry in _listed(value)]
    if all(suggestions):
        return f"did you mean {' and '.join(dict.fromkeys(suggestions))}?"
    return f"use one of {first_names(names)}; {_EVERY}"


def _meant(value: str, names: list[str]) -> str:
    """The longest name that is part of the value, as in Tesla T4 or A100-SXM4-80GB, or else the most similar one."""
    inside = [name for name in names if _contains(value, name)]
    return max(inside, key=len) if inside else nearest(value, names)


def _contains(value: str, name: str) -> bool:
    if len(name) > _MAX_SHORT_LENGTH and plain(name) in plain(value):
        return True
    return plain(name) in map(plain, _WORDS.split(value))
