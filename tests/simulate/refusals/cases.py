"""The objects that are sent to the API server: base objects, each with one value set at a path."""

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from tests.simulate.worlds import Body

HERE = Path(__file__).parent
RECORDED = HERE / "verdicts.jsonl"


def cases() -> Iterator[Body]:
    """Every object of cases.yaml: each unchanged base, then the changed objects in the order of the file."""
    written = yaml.load((HERE / "cases.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    bases = written["bases"]
    yield from bases.values()
    for section in written["sections"]:
        for value in section["values"]:
            yield changed(bases[section["base"]], section["at"], value)


def changed(base: Body, at: list[str | int], value: Any) -> Body:
    """A copy of an object with a value at a path. Missing mappings on the way are created."""
    body: Any = deepcopy(base)
    inside = body
    for part in at[:-1]:
        inside = inside.setdefault(part, {}) if isinstance(part, str) else inside[part]
    inside[at[-1]] = value
    return dict(body)
