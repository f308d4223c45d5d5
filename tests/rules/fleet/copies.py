"""Large fleets from small ones: copies of an example with other names, linked as in the program."""

from collections.abc import Iterable
from typing import Any

from gitgpu.load.spec.shape import Document
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from tests.rules.fleet.examples import CATALOG, CLOCK, example_documents


class Name(str):
    """A name whose comparisons count as executed lines, so that a search in a list of clusters counts as work."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other)


def copied(text: str, number: int) -> Inputs:
    """This many copies of each document except the Fleet. Names, references and cluster labels get a number."""
    documents = example_documents(text)
    names = {document.data["metadata"]["name"] for document in documents}
    for document in documents:
        if document.kind == "Cluster":  # otherwise each pool would be on every cluster
            names |= set(document.data["metadata"].get("labels", {}).values())
    first = text.partition("\n")[0]
    today = first.removeprefix(CLOCK) if first.startswith(CLOCK) else ""
    inputs, _ = link(list(_copies(documents, names, number)), CATALOG, today)
    assert inputs is not None
    return inputs


def _copies(documents: list[Document], names: set[str], number: int) -> Iterable[Document]:
    yield from (document for document in documents if document.kind == "Fleet")
    for at in range(number):
        for document in documents:
            if document.kind != "Fleet":
                yield document._replace(data=_renamed(document.data, names, f"-{at}" if at else ""))


def _renamed(value: Any, names: set[str], suffix: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, names, suffix) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names, suffix) for inner in value]
    return Name(value + suffix) if isinstance(value, str) and value in names else value
