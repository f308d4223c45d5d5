"""The rows of gitgpu's catalog as JSON, which takes a tenth of the time of reading YAML. Only a wheel contains them.

The file has a line for each row: `<kind>/<name>`, a tab, and the row. `hatch_build.py` writes it into the wheel. In a
checkout, rows are read from their YAML files, so a change of a row has an effect immediately.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from gitgpu.load.read import data_root, data_text, is_file

FILE = "rows.jsonl"


def shipped_row(kind: str, name: str) -> dict[str, Any] | None:
    """The row of gitgpu with this name; None if there is none, or if this is not a wheel."""
    text = _texts().get(f"{kind}/{name}")
    return json.loads(text) if text else None


def line(kind: str, name: str, row: Mapping[str, Any]) -> str:
    """The line for a row."""
    return f"{kind}/{name}\t{json.dumps(row, separators=(',', ':'))}\n"


@cache
def _texts() -> Mapping[str, str]:
    if not is_file(f"{data_root()}/{FILE}"):
        return {}
    return dict(line.split("\t") for line in data_text(FILE).splitlines())
