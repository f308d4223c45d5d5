"""All changes at a single location of some documents that keep them valid."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tests.helping.nested import entries
from tests.mutants.vocabulary import Vocabulary
from tests.rules.example_changes import ALTERNATIVES
from tests.rules.recorded_cases import Bodies, Case, Side, Step, applied

_TOKEN = re.compile(r"[A-Za-z_][\w.-]*")
VALUES = {"HelmRelease": (("spec", "values"),), "Application": (("spec", "source", "helm", "valuesObject"),)}


def steps(side: Side, bodies: Bodies, known: Vocabulary) -> Iterator[Step]:
    """Each change of one place of the documents that leaves them valid."""
    for number, body in enumerate(bodies):
        yield {"remove": [number]}
        yield {"copy": number, "name": "other"}
        yield {"copy": number, "namespace": "other"}
        fits = partial(_fits, side, body)
        yield from _added(body, [number], known, fits)
        yield from (step for step in _inside(body, [number], known) if fits(step))
        for place in VALUES.get(body["kind"], ()):
            sets = (
                {"set": [number, *place, *keys], "to": new}
                for keys in known.paths
                for new in (True, False, *known.words)
            )
            yield from (step for step in sets if fits(step))


def _fits(side: Side, body: dict[str, Any], step: Step) -> bool:
    place = "set" if "set" in step else "remove"
    try:
        (changed,) = applied(Case("", ({**step, place: [0, *step[place][1:]]},)), lambda _: [body])
    except (KeyError, IndexError, TypeError, AttributeError):
        return False
    return side.fits(changed)


def _added(value: Any, path: list[str | int], known: Vocabulary, fits: Callable[[Step], bool]) -> Iterator[Step]:
    """Keys that a mapping does not have."""
    if isinstance(value, Mapping):
        for keys in known.paths:
            if keys[0] not in value and len(path) > (1 if "/" in keys[0] else 0):
                place = [*path, *keys]
                for samples in _samples(known):
                    new = ({"set": place, "to": sample} for sample in samples)
                    yield from (step for step in new if fits(step))
    for key, inner in entries(value):
        yield from _added(inner, [*path, key], known, fits)


def _inside(value: Any, path: list[str | int], known: Vocabulary) -> Iterator[Step]:
    if isinstance(value, list):
        for item in value[:1]:
            yield {"set": [*path, len(value)], "to": item}
        if value and isinstance(value[0], str):
            yield from ({"set": [*path, len(value)], "to": word} for word in known.words)
        if len(value) > 1:
            yield {"set": path, "to": value[::-1]}
    for key, inner in entries(value):
        place = [*path, key]
        if place[1:] not in (["apiVersion"], ["kind"]):
            yield {"remove": place}
            yield from ({"set": place, "to": new} for new in _others(inner, known) if new != inner)
        yield from _inside(inner, place, known)


def _samples(known: Vocabulary) -> Iterator[Sequence[Any]]:
    """Values of each type: if the first one is not valid, none of that type is tried."""
    yield (*known.words, "x", "", "8")
    yield known.numbers
    yield (True, False)
    yield ({}, {"x": "x"}, *({word: "true"} for word in known.words))
    yield ([], ["x"], *([word] for word in known.words))


def _others(value: Any, known: Vocabulary) -> Iterator[Any]:
    yield None  # the schemas of Kubernetes allow it for each field, and rules then see the field as missing
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from dict.fromkeys((*known.numbers, value - 1, value + 1, value * 10))
    elif isinstance(value, str):
        yield from dict.fromkeys((*known.words, "", f"{value}x", f"x{value}", *map(str, known.numbers)))
        yield from (word for words in ALTERNATIVES if value in words for word in words)
        yield from _in_text(value, known)
    elif isinstance(value, list | dict) and value:
        yield type(value)()


def _in_text(value: str, known: Vocabulary) -> Iterator[str]:
    """Changes inside a query or another text of several words."""
    tokens = list(dict.fromkeys(_TOKEN.findall(value)))
    if len(tokens) > 1 or "(" in value:
        for token in tokens:
            yield from (value.replace(token, word) for word in known.words if word != token)
        yield from (f"{word}({value})" for word in known.words if word.isidentifier())
        yield from (f"{value} {word} {value}" for word in (*known.words, "+", "or", ">"))
        yield from (f"sum by (pod) ({value})", f"sum({value})", f"{value}[5m]", f"sum without (pod) ({value})")
