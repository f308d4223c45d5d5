"""Resolves names on the command line in a fleet: its Fleet document and its rings."""

from collections.abc import Sequence

from gitgpu.diagnostic import Problem
from gitgpu.load.spec.shape import Document
from gitgpu.model.linking.rings import rings_of
from gitgpu.runs.validate import CheckedFleet
from gitgpu.spelling import nearest


def fleet_document(read: CheckedFleet) -> Document | None:
    """The document of kind Fleet, if its shape is valid."""
    return next((document for document in read.documents if document.kind == "Fleet" and document.sound), None)


def unknown_ring(fleet: Document, name: str) -> Problem | None:
    """What is wrong with the name of a ring, and the remedy."""
    names = [ring["name"] for ring in rings_of(fleet)]
    if name in names:
        return None
    if not names:
        return Problem(f"the fleet has no ring '{name}', because it has no rings", "set spec.rings in the Fleet")
    return Problem(f"the fleet has no ring '{name}'", hint(name, names))


def hint(name: str, names: Sequence[str]) -> str:
    """The closest known name, or all known names."""
    closest = nearest(name, names)
    return f"did you mean {closest}?" if closest else f"known names: {', '.join(names)}"
