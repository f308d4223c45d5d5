"""The changes of examples that are tried: with the words and numbers that a rule is written with."""

import ast
import random
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from gitgpu.conform.kinds import Kinds
from gitgpu.rule import AnyRule
from tests.check.examples import CATALOG
from tests.mutants.operators import KEY
from tests.mutants.settings import with_second, with_settings
from tests.rule_cases import Bodies, Case, Side, Step, applied, examples
from tests.rule_changes import ALTERNATIVES
from tests.rule_examples import every_example

WORDS = 40  # of the catalog, at most
_TOKEN = re.compile(r"[A-Za-z_][\w.-]*")
VALUES = {"HelmRelease": (("spec", "values"),), "Application": (("spec", "source", "helm", "valuesObject"),)}
PAIRS = 2000  # of changes that are tried together, at most
NO_WORDS = frozenset(
    {"code", "name", "severity", "summary", "help", "sources", "bad", "good", "variants", "near_misses"}
)


class Vocabulary(NamedTuple):
    """What the module of a rule names: words, paths of keys, and numbers."""

    words: Sequence[str]
    paths: Sequence[tuple[str, ...]]
    numbers: Sequence[int]


def trials(side: Side, rule: AnyRule, lines: Collection[int], lot: random.Random) -> Iterator[Case]:
    """Each change of the examples of a rule with the words on these lines of its module, then with all its words.

    Then the examples of the other rules of the room, alone and added to its own, and two changes at once.
    """
    named = examples(side, rule)
    single: list[Case] = []
    for found, known in enumerate((vocabulary(rule, lines), vocabulary(rule))):
        fresh = [Case(name, (step,)) for name, _ in every_example(rule) for step in steps(side, named(name), known)]
        lot.shuffle(fresh)
        yield from fresh
        single += fresh
        if not found:
            settings = list(_with_settings(side, rule))
            lot.shuffle(settings)
            yield from settings
            single += settings
        others = list(others_of_room(side, rule)) if not found else list(with_kinds(side, rule, known.words))
        yield from map(Case, others)
        added = [Case(name, ({"add": other},)) for name, _ in every_example(rule) for other in others]
        lot.shuffle(added)
        yield from added[:100]
        for _ in range(PAIRS if single else 0):
            first, second = lot.choice(single), lot.choice(single)
            if first.of == second.of:
                yield Case(first.of, (*first.steps, *second.steps))


def _with_settings(side: Side, rule: AnyRule) -> Iterator[Case]:
    """For rules about fleets: settings of other examples, in the documents of an example and in more of them."""
    for name, text in every_example(rule):
        bodies = side.bodies(text)
        yield from (Case(name, (step,)) for step in with_settings(side, bodies))
        yield from (Case(name, steps) for steps in with_second(side, bodies))


def others_of_room(side: Side, rule: AnyRule) -> Iterator[str]:
    """The examples of the other rules of the room."""
    room = rule.check.__module__.rpartition(".")[0]
    for other in side.rules:
        if other is not rule and other.check.__module__.rpartition(".")[0] == room:
            yield from (f"{other.code} {name}" for name, _ in every_example(other))


def with_kinds(side: Side, rule: AnyRule, words: Sequence[str]) -> Iterator[str]:
    """Examples of any rule with objects of the kinds that a rule or its room names, a few for each kind."""
    declared = getattr(sys.modules[rule.check.__module__.rpartition(".")[0]], "KINDS", None)
    read = sorted(kind for _, kind in declared.about | declared.beside) if isinstance(declared, Kinds) else []
    found = [
        name
        for word in dict.fromkeys((*words, *read))
        for name in _by_kind(side)[word]
        if name.partition(" ")[0] != rule.code
    ]
    yield from dict.fromkeys(found)


@cache
def _by_kind(side: Side) -> Mapping[str, Sequence[str]]:
    kinds: dict[str, list[str]] = defaultdict(list)
    for other in side.rules:
        for name, text in every_example(other):
            for kind in {body["kind"] for body in side.bodies(text)}:
                kinds[kind].append(f"{other.code} {name}")
    return defaultdict(list, {kind: names[:: max(len(names) // 6, 1)] for kind, names in kinds.items()})


def vocabulary(rule: AnyRule, lines: Collection[int] = ()) -> Vocabulary:
    """The words, paths and numbers in the module of a rule, or on some of its lines."""
    path = Path(str(sys.modules[rule.check.__module__].__file__))
    every = _nodes(ast.parse(path.read_text(encoding="utf-8")))
    nodes = [node for node in every if not lines or getattr(node, "lineno", 0) in lines]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    words = dict.fromkeys(text for text in texts if KEY.fullmatch(text) or len(text) < 25)
    numbers = [node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is int]
    groups = [_constants(node) for node in nodes if isinstance(node, ast.Call | ast.Tuple)]
    paths = dict.fromkeys((*((word,) for word in words), *(group for group in groups if len(group) > 1)))
    paths |= dict.fromkeys(tuple(text.split(".")) for text in words if "." in text and "/" not in text)
    facts = [word for group in groups if not lines and len(group) > 1 for word in _facts(*group[:2])]
    words |= dict.fromkeys(facts[:WORDS])
    paths |= dict.fromkeys((word,) for word in facts[:WORDS] if "/" in word)
    near = {number + step for number in numbers for step in (-1, 0, 1)}
    return Vocabulary([*words], [*paths], sorted(near | {0, 1, 2}))


def _facts(kind: str, name: str) -> Iterator[str]:
    """The words of a row of the catalog, if it is one."""
    try:
        row = CATALOG.facts(kind, name)
    except KeyError:
        return
    values: list[Any] = [row]
    for value in values:  # grows
        if isinstance(value, str) and KEY.fullmatch(value):
            yield value
        elif isinstance(value, Mapping):
            values += [*value, *value.values()]
        elif isinstance(value, list | tuple):
            values += value


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module without docstrings and the texts of its rule."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.keyword) and child.arg in NO_WORDS:
            continue
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield child
            yield from _nodes(child)


def _constants(node: ast.Call | ast.Tuple) -> tuple[str, ...]:
    parts = node.args if isinstance(node, ast.Call) else node.elts
    return tuple(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


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
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from _added(inner, [*path, key], known, fits)


def _inside(value: Any, path: list[str | int], known: Vocabulary) -> Iterator[Step]:
    if isinstance(value, list):
        for item in value[:1]:
            yield {"set": [*path, len(value)], "to": item}
        if value and isinstance(value[0], str):
            yield from ({"set": [*path, len(value)], "to": word} for word in known.words)
        if len(value) > 1:
            yield {"set": path, "to": value[::-1]}
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
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
