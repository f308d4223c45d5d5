"""The rows of gitgpu's catalog as JSON, which takes a tenth of the time of reading YAML. Only a wheel contains them.

The file has a line for each row: `<kind>/<name>`, a tab, and the row. `hatch_build.py` writes it into the wheel. In a
checkout, rows are read from their YAML files, so a change of a row has an effect immediately.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from gitgpu.load.read import data_root, read_bytes

FILE = "rows.jsonl"


def shipped_row(kind: str, name: str) -> dict[str, Any] | None:
    """The row of gitgpu with this name; None if there is none, or if this is not a wheel."""
    content, places = _rows()
    place = places.get(f"{kind}/{name}")
    return json.loads(content[place]) if place else None


def line(kind: str, name: str, row: Mapping[str, Any]) -> str:
    """The line for a row."""
    return f"{kind}/{name}\t{json.dumps(row, separators=(',', ':'))}\n"


@cache
def _rows() -> tuple[bytes, Mapping[str, slice]]:
    """The file, and the place of each row in it. A run reads few rows, and splitting the file would take longer."""
    content = read_bytes(f"{data_root()}/{FILE}")
    places: dict[str, slice] = {}
    start = 0
    while (tab := content.find(b"\t", start)) >= 0:
        end = content.index(b"\n", tab)
        places[content[start:tab].decode()] = slice(tab + 1, end)
        start = end + 1
    return content, places
