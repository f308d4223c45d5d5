"""Random changes on top of each other: what a search tries after all single changes of an example.

Values come from examples of any rule, at the same place of an object of the same kind; from the words of the rule; and
from the other documents of the case, so that names can refer to each other.
"""

import random
from collections.abc import Callable
from typing import Any

import yaml

from tests.mutants.random_documents import of_document
from tests.mutants.random_text import another_word, number_in, same_as_another, word_in
from tests.mutants.sampled import Words, new_key
from tests.mutants.single_steps import VALUES
from tests.mutants.values import Place, Stock, places, texts, usual_place
from tests.rules.case_documents import CLUSTER
from tests.rules.recorded_cases import Bodies, Case, Step, applied


def changed(case: Case, named: Callable[[str], Bodies], stock: Stock, rng: random.Random) -> Case | None:
    """A case with one more random change; None if that does not work out."""
    try:
        step = _step(applied(case, named), stock, rng)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, yaml.YAMLError):
        return None
    return case._replace(steps=(*case.steps, step)) if step else None


def _step(bodies: Bodies, stock: Stock, rng: random.Random) -> Step | None:
    if not bodies or rng.random() < 0.12:
        return {"add": rng.choice(stock.others)} if stock.others else None
    at = rng.randrange(len(bodies))
    if bodies[at]["kind"] == CLUSTER:
        return None
    if rng.random() < 0.2:
        return of_document(at, bodies, rng)
    if rng.random() < 0.3:
        return _of_schema(at, bodies, stock, rng)
    return _of_place(at, bodies, stock, rng)


def _of_place(at: int, bodies: Bodies, stock: Stock, rng: random.Random) -> Step | None:
    """A change of a value in a document, or a key that it does not have."""
    body = bodies[at]
    fields = [(place, value) for place, value in places(body, ()) if place[:1] not in (("apiVersion",), ("kind",))]
    of_charts = [(place, value) for place, value in fields if place in VALUES.get(body["kind"], ())]
    place, value = rng.choice(of_charts if of_charts and rng.random() < 0.3 else fields)
    if place and rng.random() < 0.15:
        return {"remove": [at, *place]}
    if isinstance(value, dict) and rng.random() < 0.8:
        return _key_of_examples(at, (body, place), stock, rng)
    if isinstance(value, list) and value and rng.random() < 0.6:
        return {"set": [at, *place, len(value)], "to": rng.choice([*value, *stock.known.words])}
    if not place:
        return None
    donors = stock.values.get(usual_place(body["kind"], place), ())
    if donors and rng.random() < 0.4:
        return {"set": [at, *place], "to": rng.choice(donors)}
    return {"set": [at, *place], "to": _other(value, bodies, stock, rng)}


def _of_schema(at: int, bodies: Bodies, stock: Stock, rng: random.Random) -> Step | None:
    """A key that the schema of a document allows."""
    body = bodies[at]
    place = rng.choice([place for place, value in places(body, ()) if isinstance(value, dict)])
    words = Words(stock.known.words, stock.known.numbers, texts(bodies), rng)
    if place[-1:] == ("metadata",) and rng.random() < 0.7:
        field, word = rng.choice(("annotations", "labels")), rng.choice(words.own)
        return {"set": [at, *place, field, rng.choice(words.own)], "to": rng.choice([word, "true", "false", "x"])}
    key = new_key(stock.side, body, place, words)
    return {"set": [at, *place, key[0]], "to": key[1]} if key else None


def _key_of_examples(at: int, where: tuple[dict[str, Any], Place], stock: Stock, rng: random.Random) -> Step | None:
    """A key that a mapping may have: as in another example, or as the rule names it."""
    body, place = where
    usual = usual_place(body["kind"], place)
    if rng.random() < 0.7 and (keys := stock.values.get((*usual, "{}"))):
        key = rng.choice(keys)
        donors = stock.values[usual_place(body["kind"], (*place, key))]
        return {"set": [at, *place, key], "to": rng.choice(donors)}
    if not stock.known.paths:
        return None
    words, numbers = stock.known.words or ("x",), stock.known.numbers
    new: Any = rng.choice([rng.choice(words), rng.choice(words), rng.choice(numbers), True, False, {}, [], "x", ""])
    if rng.random() < 0.15:
        new = [new]
    elif rng.random() < 0.15:
        new = {rng.choice(words): new}
    return {"set": [at, *place, *rng.choice(stock.known.paths)], "to": new}


def _other(value: Any, bodies: Bodies, stock: Stock, rng: random.Random) -> Any:
    if rng.random() < 0.08:
        return None
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return rng.choice([value + 1, value - 1, value * 2, value * 10, value // 2, 0, 1, *stock.known.numbers])
    if not isinstance(value, str):
        return value[:-1] if isinstance(value, list) else {}
    ways = (_text_of_yaml, number_in, word_in, same_as_another, another_word, another_word)
    return rng.choice(ways)(value, bodies, stock, rng)


def _text_of_yaml(value: str, bodies: Bodies, stock: Stock, rng: random.Random) -> str:
    """A change inside a text that is YAML or JSON itself, such as a file in a ConfigMap."""
    inner = yaml.load(value, yaml.CSafeLoader) if len(value) > 10 else None
    if not isinstance(inner, dict | list):
        return another_word(value, bodies, stock, rng)
    body = {"kind": "", "metadata": {"name": "x"}, "inner": inner}
    step = _of_place(0, [body], stock, rng) or {}
    return str(yaml.safe_dump(applied(Case("", (step,)), lambda _: [body])[0]["inner"], sort_keys=False))


def shorter(case: Case, is_enough: Callable[[Case], bool]) -> Case:
    """A case without the steps that it does not need."""
    for step in case.steps:
        without = case._replace(steps=tuple(each for each in case.steps if each is not step))
        if is_enough(without):
            case = without
    return case
