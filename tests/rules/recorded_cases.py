"""Recorded cases of rules: what a rule reports for a modified example.

`tests/mutants/rules.py` finds modifications that detect a fault in a rule that no other test detects. It records them
in the folder `cases` next to the tests of the rules. A case names an example and the steps that change its documents:
`{set: [0, spec, weight], to: 10}` in document 0, `{remove: [0, spec, weight]}`, `{remove: [0]}` for the whole document,
`{copy: 0, name: other}` for a copy of it, and `{add: NPL003 bad 1}` for the documents of an example of another rule.
`{convert: 0, kind: CronJob}` turns document 0 into the equivalent object of another kind. `{about: 0, patch: true}`
sets what is not part of a document, such as that it is a patch, or that an ApplicationSet applies it (`by`).
`{cluster: {kubernetes: "1.31"}}` sets facts about the cluster: its version, `today`, and `beyond`, the kinds whose
it may have further objects.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gitgpu.rule import AnyRule
from tests.rules.case_documents import CLUSTER, about, converted
from tests.rules.named_examples import every_example

Bodies = list[dict[str, Any]]
Step = Mapping[str, Any]


class Case(NamedTuple):
    """An example by name, such as "bad 1" or "NPL003 bad 1" for one of another rule, and the steps that change it."""

    of: str
    steps: tuple[Step, ...] = ()

    @property
    def text(self) -> str:
        """The case as a line of a snapshot."""
        return " and ".join([self.of, *(_line(step) for step in self.steps)])


class Side(NamedTuple):
    """Fleet rules or object rules: where their cases are, and how their examples are read and checked.

    `bodies` returns the documents of an example. `fits` is whether a document fits its schema. `subjects` returns the
    input of rules for some documents, once for each of `views`; None if a document is invalid. `lines` returns the
    findings. `shape` returns the schema of a document, and a function that resolves a `$ref` in it.
    """

    folder: Path
    rules: Sequence[AnyRule]
    views: Sequence[str]
    bodies: Callable[[str], Bodies]
    fits: Callable[[Mapping[str, Any]], bool]
    subjects: Callable[[Bodies], list[Any] | None]
    lines: Callable[[Callable[[Any], Any], Any], list[str]]
    shape: Callable[[Mapping[str, Any]], tuple[Mapping[str, Any], Callable[[str], Mapping[str, Any]]]]


def recorded(side: Side, folder: str) -> dict[str, list[Case]]:
    """The cases of the rules of a folder, by code."""
    return dict(_read(side.folder / f"{folder}.yaml"))


@cache
def _read(path: Path) -> Mapping[str, list[Case]]:
    if not path.exists():
        return {}
    by_code = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) or {}
    return {code: [Case(case["of"], tuple(case.get("steps", ()))) for case in cases] for code, cases in by_code.items()}


def recorded_of(side: Side, rule: AnyRule) -> Sequence[Case]:
    """The cases of a rule."""
    return recorded(side, rule.check.__module__.split(".")[-2]).get(rule.code, ())


def shown(side: Side, rule: AnyRule) -> str:
    """The cases of a rule, each with its findings."""
    lines = []
    for case in recorded_of(side, rule):
        subjects = side.subjects(applied(case, examples(side, rule)))
        assert subjects is not None, f"not valid: {case.text}"
        lines += [case.text, *(f"  {line}" for line in outcome(side, rule.check, subjects))]
    return "\n".join(lines)


def examples(side: Side, rule: AnyRule) -> Callable[[str], Bodies]:
    """Returns a function that looks up the documents of an example by the name that a case of this rule uses."""
    every = {each.code: each for each in side.rules}

    def named(name: str) -> Bodies:
        code, _, own = name.partition(" ") if name[:3].isupper() else (rule.code, "", name)
        return side.bodies(dict(every_example(every[code]))[own])

    return named


def applied(case: Case, named: Callable[[str], Bodies]) -> Bodies:
    """The documents of a case. Unchanged documents are the same objects, not copies."""
    bodies = list(named(case.of))
    for step in case.steps:
        if "add" in step:
            bodies += named(step["add"])
        elif "copy" in step:
            again = bodies[step["copy"]]
            new = {key: value for key, value in step.items() if key != "copy"}
            bodies.append({**again, "metadata": {**again["metadata"], **new}})
        elif "convert" in step:
            bodies[step["convert"]] = converted(bodies[step["convert"]], step["kind"])
        elif "about" in step:
            bodies[step["about"]] = about(bodies[step["about"]], step)
        elif "cluster" in step:
            bodies.append({"kind": CLUSTER, "metadata": {"name": ""}, **step["cluster"]})
        elif "remove" in step:
            bodies = _changed(bodies, step["remove"], _without)
        else:
            bodies = _changed(bodies, step["set"], partial(_with, step["to"]))
    return bodies


def _changed(value: Any, path: Sequence[str | int], change: Callable[[Any, str | int], None]) -> Any:
    """A copy of a value with a change at the end of a path."""
    key, *rest = path
    new: Any = dict(value) if isinstance(value, Mapping) else list(value)
    if rest:
        inner = new.get(key, {}) if isinstance(new, dict) else new[key]
        new[key] = _changed(inner, rest, change)
    else:
        change(new, key)
    return new


def _without(owner: Any, key: str | int) -> None:
    del owner[key]


def _with(new: Any, owner: Any, key: str | int) -> None:
    if isinstance(owner, list) and key == len(owner):
        owner.append(new)
    else:
        owner[key] = new


def outcome(side: Side, check: Callable[[Any], Any], subjects: Sequence[Any]) -> Iterator[str]:
    """The findings for the first subject, and for each subject for which they differ, a line each."""
    outcomes = [side.lines(check, subject) for subject in subjects]
    for number, lines in enumerate(outcomes):
        if number == 0 or lines != outcomes[0]:
            yield f"{len(lines)} reported{side.views[number]}"
            yield from (f"  {line}" for line in lines)


def _line(step: Step) -> str:
    (verb, place), *rest = step.items()
    where = ".".join(map(str, place)) if isinstance(place, list) else place
    return " ".join([f"{verb} {where}", *(f"{key} {value!r}" for key, value in rest)])
