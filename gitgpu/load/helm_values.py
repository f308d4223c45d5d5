"""Helm values files from `--values`. Each becomes an object, so that rules about charts can read it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places, fault
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import read_text
from gitgpu.load.text import Text
from gitgpu.source import Pointer, Span, pointer_text


class Values(NamedTuple):
    """The values of a chart as an object, their places, and their text."""

    body: dict[str, Any]
    places: Places
    text: Text

    @property
    def chart(self) -> str:
        """The chart that they are for, as named by the user."""
        return str(self.body["chart"])


class Inside(NamedTuple):
    """The places of an object whose `values` are the whole file."""

    places: Places

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value. Keys outside `values` have the place of the file."""
        return self.places.span(pointer[1:], key=key)


def values_object(chart: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values of a chart as an object, for the rules that read objects."""
    return {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "chart": chart, "values": values}


def release_id(places: Places, entry: Pointer) -> str:
    """The identity of a release: the place of its object, and the entry within the object."""
    return f"{places.span()}#{pointer_text(entry)}"


def read_values(pairs: Iterable[tuple[str, str]]) -> tuple[list[Values], list[Diagnostic]]:
    """The values files of (chart, file) pairs, and the faults of those that cannot be used."""
    all_values: list[Values] = []
    faults: list[Diagnostic] = []
    for chart, file in pairs:
        text = read_text(file)
        if isinstance(text, Diagnostic):
            faults.append(text)
            continue
        documents, wrong = parse(text, as_json=True)
        faults += wrong
        if len(documents) == 1 and isinstance(documents[0].data, dict):
            all_values.append(Values(values_object(chart, documents[0].data), Inside(documents[0].places), text))
        elif not wrong:
            remedy = "write the values as one mapping"
            faults.append(fault("LNT003", "contains no Helm values", remedy, Span(text.name, 1, 1)))
    return all_values, faults
