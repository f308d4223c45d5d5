"""Realistic clusters with everything that `import` reads: the documents, and the outcome of each field.

A file in `recorded/` has the clusters of one import. A document with the key `cluster` starts a cluster, with its name
and, under `azure`, the facts from Azure. The documents after it are the objects of this cluster.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.adoption import Adopted, Outcome, SpecDocument
from gitgpu.adopt.clusters import ClusterOptions, distinct_clusters
from gitgpu.adopt.fleet import Known, adopt_fleet
from gitgpu.adopt.node.refused import refused_objects
from gitgpu.adopt.node.unknown_fields import except_whole_objects, known_fields
from gitgpu.compare.nodes import Context
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import catalog
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.rules.norms import norms
from tests.adopt.clusters import observed

RECORDED = Path(__file__).with_name("recorded")
CATALOG = catalog(())
CONTEXT = Context(CATALOG, Contracts(Schemas()))


def clusters(text: str) -> Iterator[ObservedCluster]:
    """The clusters of a file."""
    name, azure, observations = "", Azure(), list[Observed]()
    for line, body in enumerate(yaml.load_all(text, yaml.CSafeLoader), start=1):
        if "cluster" in body:
            if line > 1:
                yield ObservedCluster(name, azure, tuple(observations))
            name, azure, observations = body["cluster"], Azure(**body.get("azure", {})), []
        else:
            observations.append(observed(body, line))
    yield ObservedCluster(name, azure, tuple(observations))


def imported(text: str) -> Adopted:
    """The adoption of the clusters in a file, including objects that the API server rejects or that have no schema."""
    named, _ = distinct_clusters(clusters(text), ClusterOptions())
    read = known_fields(Inventory(tuple(named)), CONTEXT.contracts)
    rules = norms(Schemas(), CATALOG)
    refused = [each for cluster in read.inventory.clusters for each in refused_objects(cluster, rules)]
    made = adopt_fleet(read.inventory, Known(ClusterOptions(), refused), CONTEXT)
    return made._replace(outcomes=(*made.outcomes, *except_whole_objects(read.outcomes, made.outcomes)))


def shown(made: Adopted) -> Iterator[str]:
    """The documents and the outcomes as lines."""
    for of, document in made.documents:
        yield from _document(of, document)
    for outcome in made.outcomes:
        yield outcome_line(outcome)


def _document(of: str, document: SpecDocument) -> Iterator[str]:
    where = f" of {of}" if of else ""
    yield f"{document.kind} {document.namespace}/{document.name}{where}"
    for title, given in (("label", document.labels), ("annotation", document.annotations)):
        yield from (f"  {title} {key}={value}" for key, value in given.items())
    yield from (f"  # {_dotted(pointer)}: {text}" for pointer, text in document.comments.items())
    yield from (f"  {line}" for line in flat(document.spec))


def outcome_line(outcome: Outcome) -> str:
    """The outcome of an object or a field, on one line."""
    into = outcome.into
    where = f" -> {into.kind} {into.name} {_dotted(into.pointer)}" if into else ""
    decided = f" [{_dotted(outcome.decided)}]" if outcome.decided else ""
    return f"{outcome.observed.name} {_dotted(outcome.pointer)}: {outcome.fate} {outcome.reason}{where}{decided}"


def _dotted(pointer: Iterable[Any]) -> str:
    return ".".join(map(str, pointer)) or "."


def flat(value: Any, above: str = "") -> Iterator[str]:
    """Each value in nested mappings, on a line with its path."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from flat(inner, f"{above}.{key}" if above else key)
    else:
        yield f"{above}: {json.dumps(value)}"


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.yaml")), ids=lambda path: path.stem)
def test_an_import(path: Path, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(shown(imported(path.read_text(encoding="utf-8")))) == snapshot
