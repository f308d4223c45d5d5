"""What an object of a cluster proves about a setting of the stack."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.inventory.observed import Observed
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.source import Pointer


class ObservedPlace(NamedTuple):
    """An object that was read, and the place of a field in it."""

    observed: Observed
    pointer: Pointer


class Evidence(NamedTuple):
    """A value for a key of the stack (or of a pool's spec), and the evidence for it.

    `path` is below `spec.stack` of the Cluster or, with `pool`, below `spec` of that GpuPool. `reason` is a clause that
    names the evidence, `pointer` the field of the object that was read. `fate` is ADOPTED if the object states the
    value literally; with INEXPRESSIBLE, the value is not used.
    """

    path: Pointer
    value: Any
    reason: str
    observed: Observed
    pointer: Pointer = ()
    pool: str = ""
    fate: Fate = Fate.INFERRED


def outcome(evidence: Evidence, cluster: str) -> Outcome:
    """The evidence as an outcome of the object that it was read from."""
    into = None
    if evidence.fate is not Fate.INEXPRESSIBLE:
        into = _destination(evidence, cluster)
    return Outcome(evidence.observed, evidence.fate, evidence.reason, evidence.pointer, into)


def _destination(evidence: Evidence, cluster: str) -> Destination:
    if evidence.pool:
        return Destination("GpuPool", evidence.pool, ("spec", *evidence.path), cluster)
    return Destination("Cluster", cluster, ("spec", "stack", *evidence.path))


@cache
def default_of(path: Pointer) -> Any:
    """The default of a key below `stack` in the schema of the spec; None if it has none."""
    definitions = fleet_schema()["definitions"]
    schema: Mapping[str, Any] = definitions["stack"]
    for part in path:
        if part not in schema.get("properties", ()):
            return None
        schema = schema["properties"][part]
        if "$ref" in schema:
            schema = definitions[schema["$ref"].rpartition("/")[2]]
    return schema.get("default")
