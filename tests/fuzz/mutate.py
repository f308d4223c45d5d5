"""Changes to documents, as made by mistake, by a program, or on purpose."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.fuzz.material import documents, dumped
from tests.helping.nested import entries

Parent = tuple[Any, Any]
"""A mapping or a list, and the key or the index of one of its values."""


def deep(levels: int, *, lists: bool) -> Any:
    """A value inside of many."""
    value: Any = "x"
    for _ in range(levels):
        value = [value] if lists else {"a": value}
    return value


ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.5, 10**30, -(10**30), float("inf"), float("nan"), "", " ", "0", "-1", "1.5",
    "9" * 40, "1e400", "1e-400", "100%", "Never", "10m", "1Ei", "0x10", "٣", "null", "~", "x" * 5000, "a\nb", "\u202e",
    "\U0001f4a9", "${VAR}", "{{ .Values.x }}", "../../x", "/", "a/b/c", "*", "**", "(", "^(a+)+$", "%", "\x85",
    [], {}, [[]], [None], [{}], {"": None}, {"a": None}, ["x", 1, None, {}], {"x": [{}]}, deep(60, lists=True),
    deep(60, lists=False), "2026-13-45", "@weekly", "* * * * *", "60 25 32 13 8", "sum(", "{", "[", "&a", "NaN", "<<",
    "Standard_NC24ads_A100_v4", "nvidia.com/gpu", "karpenter.sh/nodepool", "kubernetes.azure.com/scalesetpriority",
)  # fmt: skip


def mutated(text: str, random: Random, donors: list[dict[str, Any]]) -> str:
    """The text after some changes: mostly to its documents, now and then to its characters."""
    if random.random() < 0.15:
        return _garbled(text, random)
    many = deepcopy(documents(text))
    if not many:
        return _garbled(text, random)
    for _ in range(random.choice((1, 1, 2, 3, 6))):
        places = list(_places(many))
        if not places:
            break
        parent, key = random.choice(places)
        random.choice(CHANGES)(parent, key, random, donors)
    if random.random() < 0.1:
        random.shuffle(many)
    return dumped(many)


def _places(value: Any) -> Iterator[Parent]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        for key, inner in list(entries(here)):
            yield here, key
            waiting.append(inner)


def _odd(parent: Any, key: Any, random: Random, _: Any) -> None:
    parent[key] = deepcopy(random.choice(ODD))


def _gone(parent: Any, key: Any, *_: Any) -> None:
    del parent[key]


def _twice(parent: Any, key: Any, random: Random, _: Any) -> None:
    if isinstance(parent, list):
        parent[key:key] = [deepcopy(parent[key])] * random.choice((1, 1, 3, 50))
    else:
        parent[f"{key}{random.choice(('', 's', '2', 'X'))}"] = deepcopy(parent[key])


def _wrapped(parent: Any, key: Any, random: Random, _: Any) -> None:
    parent[key] = random.choice(([parent[key]], {"value": parent[key]}, {str(key): parent[key]}))


def _unwrapped(parent: Any, key: Any, random: Random, _: Any) -> None:
    value = parent[key]
    inner = [item for _, item in entries(value)] if isinstance(value, dict | list) else [str(value)]
    parent[key] = random.choice(inner) if inner else None


def _foreign(parent: Any, key: Any, random: Random, donors: list[dict[str, Any]]) -> None:
    other, at = random.choice(list(_places(random.choice(donors))))
    parent[key] = deepcopy(other[at])


def _renamed(parent: Any, key: Any, random: Random, donors: list[dict[str, Any]]) -> None:
    if isinstance(parent, dict):
        names = [at for _, at in _places(random.choice(donors)) if isinstance(at, str)]
        name: Any = random.choice([*names, str(key).upper(), f"{key}x", "", None, 1, True, "x" * 300])
        parent[name] = parent.pop(key)


def _tweaked(parent: Any, key: Any, random: Random, _: Any) -> None:
    value = parent[key]
    if isinstance(value, bool) or value is None:
        parent[key] = str(value)
    elif isinstance(value, int | float):
        parent[key] = random.choice((-value, value * 10**20, value + 0.5, str(value), f"{value}m", value * 1000))
    elif isinstance(value, str):
        at = random.randrange(len(value) + 1)
        sign = random.choice(("", " ", "\t", ":", "/", "@", "-", ".", "9" * 30, "\u00e9", "\u200b", "$", "=", ",", "["))
        parent[key] = value[:at] + sign + value[at + random.choice((0, 0, 1, 5)) :]
    else:
        parent[key] = str(value)[:200]


CHANGES: tuple[Callable[..., None], ...] = (
    _odd, _odd, _odd, _gone, _gone, _twice, _wrapped, _unwrapped, _foreign, _foreign, _renamed, _tweaked, _tweaked,
)  # fmt: skip
NOISE = "{}[]:-,&*!|>#'\"%@`\n\t aA1.~=<$?\\\u00e9\u2028"


def _garbled(text: str, random: Random) -> str:
    """A text with a piece cut out, doubled, or replaced by noise."""
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((0, 1, 5, 40, 4000)))
    noise = "".join(random.choice(NOISE) for _ in range(random.randrange(6)))
    return text[:start] + random.choice(("", noise, noise, text[start:end] * 2)) + text[end:]
