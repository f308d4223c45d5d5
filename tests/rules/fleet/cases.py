"""Reads and checks the recorded cases of fleet rules."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from gitgpu.load.spec.shape import Document, document_faults, kind_schema
from gitgpu.load.validate.compiler import compile_schema
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.source import Mark, SourceMap, pointer_text
from tests.rules.fleet.examples import CATALOG, RULES, example_documents
from tests.rules.recorded_cases import Bodies, Side

DAYS = ("2027-06-10", "2027-10-15", "2028-07-15")


@cache
def _bodies(text: str) -> Bodies:
    return [document.data for document in example_documents(text)]


def _fits(body: Mapping[str, Any]) -> bool:
    """Whether a document fits its schema."""
    return _schema(body["kind"])(body) and not document_faults(dict(body))


def _subjects(bodies: Bodies) -> list[Inputs] | None:
    """The linked fleet; None if a document is invalid or refers to something that does not exist."""
    if not all(map(_fits, bodies)):
        return None
    lines = count()
    documents = [Document(body["kind"], body, _places(body, lines), "fleet.yaml", sound=True) for body in bodies]
    linked = [link(documents, CATALOG, day) for day in ("", *DAYS)]
    fleets = [inputs for inputs, faults in linked if inputs is not None and not faults]
    return fleets if len(fleets) == len(linked) else None


def _places(body: Mapping[str, Any], lines: Iterator[int]) -> SourceMap:
    """A document whose values are each on its own line."""
    return SourceMap("fleet.yaml", Mark(next(lines), 0), _marks(body, lines))


def _marks(value: Any, lines: Iterator[int]) -> Any:
    if isinstance(value, Mapping):
        return {key: (mark, mark, _marks(inner, lines)) for key, inner in value.items() for mark in (_next(lines),)}
    if isinstance(value, list):
        return [(mark, mark, _marks(inner, lines)) for inner in value for mark in (_next(lines),)]
    return None


def _next(lines: Iterator[int]) -> Mark:
    return Mark(next(lines), 0)


def _lines(check: Callable[[Any], Any], subject: Inputs) -> list[str]:
    """The place, message and remedy of each finding."""
    return [
        f"{fault.origin.ref.kind} {fault.origin.ref.name}{pointer_text(fault.pointer)}: {fault.message}; {fault.help}"
        for fault in check(subject)
    ]


def _shape(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], Callable[[str], Mapping[str, Any]]]:
    schema = kind_schema(body["kind"])
    return schema, lambda name: schema["definitions"].get(name.rpartition("/")[2], {})


@cache
def _schema(kind: str) -> Callable[[object], bool]:
    return compile_schema(kind_schema(kind))


SIDE = Side(
    folder=Path(__file__).with_name("cases"),
    rules=RULES,
    views=("", *(f", on {day}" for day in DAYS)),
    bodies=_bodies,
    fits=_fits,
    subjects=_subjects,
    lines=_lines,
    shape=_shape,
)
