"""Helm values files that somebody named as such: each becomes an object that rules about charts read."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import read_text
from gitgpu.load.text import Text, fault
from gitgpu.source import Span


class Values(NamedTuple):
    """The values of a chart as an object, where they stand, and the text that they were read from."""

    body: dict[str, Any]
    places: Places
    text: Text

    @property
    def chart(self) -> str:
        """The chart that they are for, as somebody named it."""
        return str(self.body["chart"])


class Inside(NamedTuple):
    """The places of an object whose values are a whole file."""

    places: Places

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value; what is above the values stands where the file begins."""
        return self.places.span(pointer[1:], key=key and len(pointer) > 1)


def values_object(chart: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values of a chart as an object, for the rules that read objects."""
    return {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "chart": chart, "values": values}


def read_values(pairs: Iterable[tuple[str, str]]) -> tuple[list[Values], list[Diagnostic]]:
    """The values files of (chart, file) pairs, and what is wrong with the rest."""
    found: list[Values] = []
    faults: list[Diagnostic] = []
    for chart, file in pairs:
        text = read_text(file)
        if isinstance(text, Diagnostic):
            faults.append(text)
            continue
        documents, wrong = parse(text, as_json=True)
        faults += wrong
        if len(documents) == 1 and isinstance(documents[0].data, dict):
            found.append(Values(values_object(chart, documents[0].data), Inside(documents[0].places), text))
        elif not wrong:
            remedy = "a values file must be one mapping"
            faults.append(fault("LNT003", "contains no Helm values", remedy, Span(text.name, 1, 1)))
    return found, faults
