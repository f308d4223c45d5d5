"""Random changes on top of changes: what a search tries after each single change of an example.

Values come from examples of any rule, at the same place of an object of the same kind; from the words of the rule; and
from the other documents of the case, so that names can refer to each other.
"""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import yaml

from tests.case_documents import ABOUT, CLUSTER
from tests.mutants.sampled import Words, new_key
from tests.mutants.trials import VALUES, Vocabulary
from tests.rule_cases import Bodies, Case, Side, Step, applied, examples
from tests.rule_changes import ALTERNATIVES
from tests.rule_examples import every_example

Place = tuple[str | int, ...]
_TEMPLATES: tuple[Place, ...] = (
    ("spec", "jobTemplate", "spec", "template"),
    ("spec", "jobTargetRef", "template"),
    ("spec", "template"),
)
_WORKLOADS = ("Pod", "CronJob", "Job", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ScaledJob")
_CONVERTIBLE: Mapping[str, tuple[str, ...]] = {
    "HelmRelease": ("Application", "HelmValues"),
    "Workspace": ("InferenceSet",),
}
_RELEASES = ("1.28", "1.31", "1.33", "1.36")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[A-Za-z_][\w.-]*")


class Stock(NamedTuple):
    """Where new values come from: values of examples by place, the words of the rule, and examples to add."""

    values: Mapping[Place, Sequence[Any]]
    known: Vocabulary
    others: Sequence[str]
    named: Callable[[str], Bodies]
    side: Side


def stock(side: Side, known: Vocabulary, others: Sequence[str]) -> Stock:
    """The values to choose from for a rule."""
    return Stock(_values(side), known, others, examples(side, side.rules[0]), side)


def changed(case: Case, named: Callable[[str], Bodies], stock: Stock, lot: random.Random) -> Case | None:
    """A case with one more random change; None if that does not work out."""
    try:
        step = _step(applied(case, named), stock, lot)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, yaml.YAMLError):
        return None
    return case._replace(steps=(*case.steps, step)) if step else None


def _step(bodies: Bodies, stock: Stock, lot: random.Random) -> Step | None:
    if not bodies or lot.random() < 0.12:
        return {"add": lot.choice(stock.others)} if stock.others else None
    at = lot.randrange(len(bodies))
    if bodies[at]["kind"] == CLUSTER:
        return None
    if lot.random() < 0.2:
        return _of_document(at, bodies, lot)
    if lot.random() < 0.3:
        return _of_schema(at, bodies, stock, lot)
    return _of_place(at, bodies, stock, lot)


def _of_document(at: int, bodies: Bodies, lot: random.Random) -> Step:
    """A change of a whole document, or of what is around all of them."""
    known = [(body, body["metadata"]) for body in bodies if "metadata" in body]
    senders = ["/".join((body["kind"], meta.get("namespace", ""), meta["name"])) for body, meta in known]
    names = [meta["name"] for _, meta in known] + ["other"]
    changes: list[Step] = [
        {"remove": [at]},
        {"copy": at, "name": lot.choice(names)},
        {"copy": at, "namespace": "other"},
        {"copy": at, "name": "other", "namespace": "other"},
    ]
    if "apiVersion" in bodies[at]:
        changes += [
            {"about": at, "patch": True},
            {"about": at, "by": lot.choice([*senders, "ApplicationSet/argocd/other"])},
            {"cluster": {"kubernetes": lot.choice(_RELEASES)}},
            {"cluster": {"beyond": [["*", "*"]]}},
            {"cluster": {"today": "2030-06-10"}},
        ]
    kind = bodies[at]["kind"]
    if kind == "HelmRelease":
        changes.append({"set": [at, "spec", "valuesFrom"], "to": [{"kind": "ConfigMap", "name": "own"}]})
    into = _WORKLOADS if kind in _WORKLOADS else _CONVERTIBLE.get(kind, ())
    changes += [{"convert": at, "kind": other} for other in into]
    return lot.choice(changes)


def _of_place(at: int, bodies: Bodies, stock: Stock, lot: random.Random) -> Step | None:
    """A change of a value in a document, or a key that it does not have."""
    body = bodies[at]
    places = [(place, value) for place, value in _places(body, ()) if place[:1] not in (("apiVersion",), ("kind",))]
    settings = [(place, value) for place, value in places if place in VALUES.get(body["kind"], ())]
    place, value = lot.choice(settings if settings and lot.random() < 0.3 else places)
    if place and lot.random() < 0.15:
        return {"remove": [at, *place]}
    if isinstance(value, dict) and lot.random() < 0.8:
        return _new_key(at, (body, place), stock, lot)
    if isinstance(value, list) and value and lot.random() < 0.6:
        return {"set": [at, *place, len(value)], "to": lot.choice([*value, *stock.known.words])}
    if not place:
        return None
    donors = stock.values.get(_usual(body["kind"], place), ())
    if donors and lot.random() < 0.4:
        return {"set": [at, *place], "to": lot.choice(donors)}
    return {"set": [at, *place], "to": _other(value, bodies, stock, lot)}


def _of_schema(at: int, bodies: Bodies, stock: Stock, lot: random.Random) -> Step | None:
    """A key that the schema of a document allows."""
    body = bodies[at]
    place = lot.choice([place for place, value in _places(body, ()) if isinstance(value, dict)])
    words = Words(stock.known.words, stock.known.numbers, _texts(bodies), lot)
    if place[-1:] == ("metadata",) and lot.random() < 0.7:
        field, word = lot.choice(("annotations", "labels")), lot.choice(words.own)
        return {"set": [at, *place, field, lot.choice(words.own)], "to": lot.choice([word, "true", "false", "x"])}
    found = new_key(stock.side, body, place, words)
    return {"set": [at, *place, found[0]], "to": found[1]} if found else None


def _new_key(at: int, where: tuple[dict[str, Any], Place], stock: Stock, lot: random.Random) -> Step | None:
    """A key that a mapping may have: as in another example, or as the rule names it."""
    body, place = where
    usual = _usual(body["kind"], place)
    if lot.random() < 0.7 and (keys := stock.values.get((*usual, "{}"))):
        key = lot.choice(keys)
        donors = stock.values[_usual(body["kind"], (*place, key))]
        return {"set": [at, *place, key], "to": lot.choice(donors)}
    if not stock.known.paths:
        return None
    words, numbers = stock.known.words or ("x",), stock.known.numbers
    new: Any = lot.choice([lot.choice(words), lot.choice(words), lot.choice(numbers), True, False, {}, [], "x", ""])
    new = [new] if lot.random() < 0.15 else {lot.choice(words): new} if lot.random() < 0.15 else new
    return {"set": [at, *place, *lot.choice(stock.known.paths)], "to": new}


def _other(value: Any, bodies: Bodies, stock: Stock, lot: random.Random) -> Any:
    if lot.random() < 0.08:
        return None
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return lot.choice([value + 1, value - 1, value * 2, value * 10, value // 2, 0, 1, *stock.known.numbers])
    if not isinstance(value, str):
        return value[:-1] if isinstance(value, list) else {}
    ways = (_text_of_yaml, _number_in, _word_in, _same_as_another, _another_word, _another_word)
    return lot.choice(ways)(value, bodies, stock, lot)


def _text_of_yaml(value: str, bodies: Bodies, stock: Stock, lot: random.Random) -> str:
    """A change inside a text that is YAML or JSON itself, such as a file in a ConfigMap."""
    inner = yaml.safe_load(value) if len(value) > 10 else None
    if not isinstance(inner, dict | list):
        return _another_word(value, bodies, stock, lot)
    body = {"kind": "", "metadata": {"name": "x"}, "inner": inner}
    step = _of_place(0, [body], stock, lot) or {}
    return str(yaml.safe_dump(applied(Case("", (step,)), lambda _: [body])[0]["inner"], sort_keys=False))


def _number_in(value: str, bodies: Bodies, stock: Stock, lot: random.Random) -> str:
    found = list(_NUMBER.finditer(value))
    if not found:
        return lot.choice(["8", f"{value}8", f"{value},{value}", "0", "-1", "1.5", "²"])
    match = lot.choice(found)
    number = int(match[0])
    new = lot.choice([number + 1, abs(number - 1), number * 2, number * 10, number // 2, 0])
    return f"{value[: match.start()]}{new}{value[match.end() :]}"


def _word_in(value: str, bodies: Bodies, stock: Stock, lot: random.Random) -> str:
    """A text with one of its words replaced, removed or repeated."""
    found = list(_WORD.finditer(value))
    if not found:
        return lot.choice([value + value, value[1:], value[:-1], value.upper()])
    match = lot.choice(found)
    near = [word for words in ALTERNATIVES if match[0] in words for word in words]
    new = lot.choice([*near, lot.choice(stock.known.words or ("x",)), "", match[0].upper(), f"{match[0]}x"])
    return f"{value[: match.start()]}{new}{value[match.end() :]}"


def _same_as_another(value: str, bodies: Bodies, stock: Stock, lot: random.Random) -> str:
    return lot.choice(_texts(bodies))


def _texts(bodies: Bodies) -> Sequence[str]:
    return [text for body in bodies for _, text in _places(body, ()) if isinstance(text, str)]


def _another_word(value: str, bodies: Bodies, stock: Stock, lot: random.Random) -> str:
    words = stock.known.words or ("x",)
    near = [word for words in ALTERNATIVES if value in words for word in words]
    return lot.choice([lot.choice(words), lot.choice(words), *near, "", f"{value}x", f"x{value}", f"{value}*"])


def _places(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    """Every value in a document with its place."""
    yield place, value
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if key != ABOUT:
            yield from _places(inner, (*place, key))


def _usual(kind: str, place: Place) -> Place:
    """A place as it is called for values of several examples: any item of a list, any kind of workload."""
    cut = next((len(start) for start in _TEMPLATES if kind in _WORKLOADS and place[: len(start)] == start), 0)
    owner = "Pod" if cut else kind
    return (owner, *("*" if isinstance(key, int) else key for key in place[cut:]))


@cache
def _values(side: Side) -> Mapping[Place, Sequence[Any]]:
    """The values in all examples by place, and the keys of mappings at (place, "{}"), each once."""
    found: dict[Place, dict[str, Any]] = defaultdict(dict)
    for rule in side.rules:
        for _, text in every_example(rule):
            for body in side.bodies(text):
                for place, value in _places(body, ()):
                    found[_usual(body["kind"], place)].setdefault(repr(value), value)
                    if place:
                        found[*_usual(body["kind"], place[:-1]), "{}"].setdefault(repr(place[-1]), place[-1])
    return {place: list(values.values()) for place, values in found.items()}


def shorter(case: Case, is_enough: Callable[[Case], bool]) -> Case:
    """A case without the steps that it does not need."""
    for step in case.steps:
        without = case._replace(steps=tuple(each for each in case.steps if each is not step))
        if is_enough(without):
            case = without
    return case
