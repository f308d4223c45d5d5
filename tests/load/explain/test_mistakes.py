"""Replaces each value of a fleet with a typical mistake, and misspells each key: the message and the fix.

The documents set every key that the model keeps. What was written is … in the faults, and mistakes with the same
faults are together. Values that the schema limits alike
are tried once.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.schema_parts import schema_part
from gitgpu.load.spec.shape import Document, document_faults, shape
from gitgpu.load.text import Text
from gitgpu.source import dotted_text
from tests.helping.nested import values_inside
from tests.helping.single_changes import Path as Place
from tests.helping.single_changes import changed

RECORDED = Path(__file__).parents[2] / "model" / "recorded" / "every-key.yaml"
WRONG: tuple[Any, ...] = ("", "10 minutes", "16 GiB", "Some Name/", "https://a.io/b", 5, 1.5, True, None, [], {"a": 1})
LONGEST = 100
WORDS = ("description", "examples", "default")
NAMES = ("full", "full-pool", "phi", "tuned")
IDENTITY = {("apiVersion",), ("kind",)}
DOCUMENTS, _ = shape([Text("fleet.yaml", RECORDED.read_text(encoding="utf-8"), "")])


def limits(kind: str, place: Place) -> str:
    """What the schema requires of the values at a place, without descriptions; the place itself if it has choices."""
    try:
        part = schema_part(kind, place)
    except KeyError:
        return dotted_text(tuple(key for key in place if isinstance(key, str)))
    return repr(sorted((key, value) for key, value in part.items() if key not in WORDS))


def places_by_document() -> Iterator[tuple[Document, list[tuple[Place, Any]]]]:
    """The values of each document that the schema limits in another way than all earlier values."""
    tried: set[str] = set()
    for document in (each for each in DOCUMENTS if each.ref.name in NAMES):
        places = []
        for place, value in values_inside(document.data):
            part = limits(document.kind, place)
            if place not in IDENTITY and part not in tried:
                tried.add(part)
                places.append((place, value))
        yield document, places


def mistakes(data: Any, places: Iterable[tuple[Place, Any]]) -> Iterator[tuple[Place, str, Any]]:
    """For each mistake: its place, the text there, and the document with the mistake."""
    for place, value in places:
        for mistake in WRONG:
            yield place, value_text(mistake), changed(data, place, mistake)
        if isinstance(place[-1], str):
            without = changed(data, place)
            yield place, "no key", without
            for key in (place[-1][:-1], place[-1].swapcase(), f"{place[-1]}es"):
                yield place, key, changed(without, (*place[:-1], key), value)
            if len(place) > 2 and isinstance(place[-2], str):
                yield place, "a level up", changed(without, (*place[:-2], place[-1]), value)


CASES = list(places_by_document())


def line(fault: Fault, place: Place, mistake: str) -> str:
    """A fault on one line. Its place is omitted if it is that of the mistake."""
    where = "" if fault.pointer == place else f"{dotted_text(fault.pointer)}: "
    marks = "".join(text for text, is_so in (("(key) ", fault.at_key), ("(unknown) ", fault.unknown)) if is_so)
    texts = [short(text.replace(mistake, "…")) for text in (fault.message, fault.help)]
    repair = f" [{' '.join(str(part) for part in fault.repair if part)}]" if fault.repair else ""
    return f"{where}{marks}{'; '.join(texts)}{repair}".replace(mistake, "…")


def short(text: str) -> str:
    """The start and the end of a text that is too long for a line."""
    return text if len(text) <= LONGEST else f"{text[:50]}...{text[-40:]}"


@pytest.mark.parametrize(
    ("document", "places"),
    [pytest.param(*each, id=f"{each[0].kind}-{each[0].ref.name}") for each in places_by_document()],
)
def test_mistakes_in_a_configuration(
    document: Document, places: list[tuple[Place, Any]], snapshot: SnapshotAssertion
) -> None:
    by_place: dict[tuple[Place, tuple[str, ...]], list[str]] = {}
    for place, mistake, data in mistakes(document.data, places):
        if faults := tuple(line(fault, place, mistake) for fault in document_faults(data)):
            by_place.setdefault((place, faults), []).append(mistake)
    lines = [
        f"{dotted_text(place)}: {', '.join(names)}" + "".join(f"\n    {each}" for each in faults)
        for (place, faults), names in by_place.items()
    ]
    assert "\n".join(lines) == snapshot
