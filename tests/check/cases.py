"""How the recorded cases of fleet rules are read and checked."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from gitgpu.load.spec.shape import Document, document_faults, kind_schema
from gitgpu.load.validate.compiler import compile_schema
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.source import SourceMap, Span, pointer_text
from tests.check.examples import CATALOG, RULES, example_documents
from tests.rule_cases import Bodies, Side

PLACES = SourceMap.of(Span("fleet.yaml", 1, 1))
DAY = "2027-06-10"


@cache
def _bodies(text: str) -> Bodies:
    return [document.data for document in example_documents(text)]


def _fits(body: Mapping[str, Any]) -> bool:
    """Does a document fit its schema?"""
    return _schema(body["kind"])(body) and not document_faults(dict(body))


def _subjects(bodies: Bodies) -> list[Inputs] | None:
    """The linked fleet; None if a document is invalid or names what does not exist."""
    if not all(map(_fits, bodies)):
        return None
    documents = [Document(body["kind"], body, PLACES, "fleet.yaml", sound=True) for body in bodies]
    linked = [link(documents, CATALOG, day) for day in ("", DAY)]
    found = [inputs for inputs, faults in linked if inputs is not None and not faults]
    return found if len(found) == len(linked) else None


def _lines(check: Callable[[Any], Any], subject: Inputs) -> list[str]:
    """Place, message and remedy of each finding."""
    return [
        f"{fault.origin.ref.kind} {fault.origin.ref.name}{pointer_text(fault.pointer)}: {fault.message}; {fault.help}"
        for fault in check(subject)
    ]


@cache
def _schema(kind: str) -> Callable[[object], bool]:
    return compile_schema(kind_schema(kind))


SIDE = Side(
    folder=Path(__file__).with_name("cases"),
    rules=RULES,
    views=("", f", on {DAY}"),
    bodies=_bodies,
    fits=_fits,
    subjects=_subjects,
    lines=_lines,
)
