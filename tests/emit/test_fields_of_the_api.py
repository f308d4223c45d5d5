"""The node pools that gitgpu writes as Bicep have only fields and values that their version of Azure's API has."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.catalog.test_catalog_rows import ROOT, rows

FILES = sorted((ROOT / "overlays").rglob("node-pools.bicep"))
POOL = re.compile(r"managedClusters/agentPools@(\S+)' = \{")
KEY = re.compile(r"( +)(?:'([^']+)'|(\w+)): (.*)")
MAPS = ("nodeLabels", "tags", "nodeTaints[]")


def fields(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """The version, the path and the value of each field in a file."""
    version, path = "", list[str]()
    for line in lines:
        head, key = POOL.search(line), KEY.fullmatch(line)
        if head:
            version, path = head[1], []
        elif key and version:
            depth = len(key[1]) // 2
            name = (key[2] or key[3]) + {"{": "", "[": "[]"}.get(key[4], "[]" if key[4].startswith("[") else "")
            path = [*path[: depth - 1], name]
            if path[0] == "properties" and path[1:]:
                yield version, ".".join(path[1:]), key[4].strip("'")


def is_known(version: str, facts: dict[str, Any]) -> bool:
    """Whether a version has a field or a value."""
    channel = "preview" if version.endswith("-preview") else "stable"
    first, last = facts[channel], facts.get("last", {}).get(channel, "9999")
    return bool(first and first <= version <= last and version not in facts.get("without", ()))


@pytest.mark.parametrize("file", FILES, ids=[file.parts[-3] for file in FILES])
def test_the_api_has_every_field(file: Path) -> None:
    made = rows("arm")["agentPools"]
    found = list(fields(file.read_text("utf-8").splitlines()))
    assert found
    for version, path, value in found:
        known = next((made["fields"][path + mark] for mark in ("", "{}") if path + mark in made["fields"]), None)
        if path.partition(".")[0] not in MAPS:
            assert known is not None, path
            assert is_known(version, known), (version, path)
            values = made["values"].get(known["type"])
            assert values is None or is_known(version, values[value]), (version, path, value)
