"""The values of a recorded document that have no effect on what is read from it."""

from collections.abc import Iterable
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.inventory.documents import Document
from gitgpu.inventory.joined import join
from gitgpu.inventory.read import read_document
from gitgpu.source import SourceMap, Span
from tests.helping.single_changes import unread
from tests.inventory.reading import DOCUMENTS, NOTHING, recorded, shown

NOWHERE = SourceMap.of(Span("a", 1, 1))


def read(data: Any) -> Iterable[str]:
    """A document as lines."""
    return shown(join(read_document(Document(data, NOWHERE), named=True), NOTHING))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_values_without_effect(name: str, snapshot: SnapshotAssertion) -> None:
    for data in yaml.load_all(recorded(name).content, yaml.CSafeLoader):
        assert unread(data, read) == snapshot
