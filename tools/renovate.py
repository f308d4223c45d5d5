"""The preset for Renovate, generated from the catalog: `python -m tools.renovate --update` writes it.

One manager for each chart and image with several versions. Its patterns are used one inside the other, as Renovate's
strategy "recursive" does: a ring of the Fleet, or a `versions` mapping elsewhere; the same, with the name of the ring
as the type of its dependencies; a `versions` mapping; the part of each line before a comment; the pin of one name. They
are written for RE2, which Renovate uses: without lookaround and backreferences; ^ is the beginning of what is searched.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog, Facts
from tools.reference_pages import offered

PRESET = Path(__file__).parents[1] / "renovate" / "versions.json"
FILES = ("/(^|/)fleet[^/]*\\.ya?ml$/", "/(^|/)fleet[^/]*/.+\\.ya?ml$/")
_ENTRY = r"""["']?[A-Za-z0-9-]+["']?:[ \t]+["']?[A-Za-z0-9][^\r\n]*"""
BLOCK = (
    rf"""(?:^|\n)[^#\n]*\bversions["']?:[ \t]*(?:\{{[^}}]*\}}|(?:#[^\r\n]*)?(?:\r?\n[ \t]*(?:#[^\r\n]*|{_ENTRY})?)+)"""
)


def _beginning_otherwise(*words: str) -> str:
    """A pattern for text that starts with none of these words, for an engine without lookaround."""
    starts = "".join(word[0] for word in words)
    parts = [rf"{word[:at]}[^{word[at]}\n]" for word in words for at in range(1, len(word))]
    parts += [rf"(?:{'|'.join(word[:at] for word in words for at in range(1, len(word) - 1))})\b"]  # the whole line
    return "|".join((rf"""[^{starts}\-{{"'#\s]""", *parts))


# The lines of a ring: up to the next ring, the defaults of the Fleet, or a line that is not indented.
_ITEM = rf"-[ \t]+(?:{_beginning_otherwise('name:', 'clusters:', 'stack:')})"
_KEY = _beginning_otherwise("defaults:")
_BLANK = r"(?:\n[ \t\r]*(?:#[^\n]*)?)*"
_LINES = rf"""(?:{_BLANK}\n[ \t]+(?:{_KEY}|["'{{]|{_ITEM})[^\n]*)*"""
_START = r"[ \t]*-[ \t]+"
_NAME = r"""["']?name["']?:[ \t]*["']?"""
_OTHER = r"""["']?(?:clusters|stack)["']?:"""
_COLUMNS = range(3, 11)  # columns where the keys of a ring can start
_BRACES = 8  # levels of nested braces that are matched in the stack of a ring


def _nested() -> str:
    """A pattern for the text between two braces, for an engine without recursion."""
    inner = r"[^{}]*"
    for _ in range(_BRACES):
        inner = rf"(?:[^{{}}]|\{{{inner}\}})*"
    return inner


def _until_column(column: int) -> str:
    """A pattern for the lines between a key of a ring and its name: each starts at this column or further right."""
    return rf"""(?:\n(?:[ \t\r]*(?:#[^\n]*)?| {{{column}}}[ "'cs-][^\n]*))*\n {{{column}}}"""


# The other keys of a ring, if they come before its name: on their own lines, or between braces.
_FLOW = rf"{_OTHER}[ \t]*(?:\[[^\]]*\]|\{{{_nested()}\}})\s*,\s*"
_BEFORE = rf"(?:{_OTHER}[^\n]*(?:{'|'.join(map(_until_column, _COLUMNS))})|\{{\s*(?:{_FLOW}){{1,2}})"
_REST = rf"""(?:[^\n]*[\s{{,"']|[^\n]*{_LINES}{_BLANK}\n[ \t]+["']?)clusters["']?:[^\n]*{_LINES}"""
RING = rf"(?:^|\n){_START}(?:(?:\{{[ \t]*)?{_NAME}{_REST}|{_BEFORE}{_NAME}[^\n]*{_LINES})"
NAMED = rf"^\n?{_START}(?:\{{[ \t]*|{_BEFORE})?{_NAME}(?<depType>[a-z0-9][a-z0-9-]*)[\s\S]*"
LINE = r"(?:^|\n)[^#\n]+"
PIN = r"""(?:^|[\n{{,])[ \t]*["']?(?<depName>{name})["']?:[ \t]*["']?(?<currentValue>[a-z-]*[0-9][\w.+-]*)"""
_SCHEMES = {  # how to compare tags that are not semantic versions
    "dcgm-exporter": r"^[0-9.]+-(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)-(?<compatibility>.+)$",
    "doca-driver": r"^doca(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)-[0-9.]+-[0-9.]+-(?<build>\d+)$",
    "rdma-shared-device-plugin": r"^network-operator-v(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)$",
    "sriov-device-plugin": r"^network-operator-v(?<major>\d+)\.(?<minor>\d+)\.(?<patch>\d+)$",
}
_SEMANTIC = re.compile(r"v?\d+\.\d+\.\d+")


def preset() -> str:
    """The preset as text."""
    catalog = Catalog(CatalogFiles())
    whole = {
        "$schema": "https://docs.renovatebot.com/renovate-schema.json",
        "description": ["Finds the versions that a gitgpu fleet pins in stack.versions."],
        "customManagers": list(_managers(catalog)),
    }
    return json.dumps(whole, indent=2) + "\n"


def _managers(catalog: Catalog) -> Iterator[dict[str, Any]]:
    for name, versions in offered(catalog).items():
        if len(versions) > 1:
            scheme = f"regex:{_SCHEMES[name]}" if name in _SCHEMES else "semver"
            assert scheme != "semver" or all(map(_SEMANTIC.fullmatch, versions)), name
            yield {
                "customType": "regex",
                "description": f"stack.versions.{name}",
                "managerFilePatterns": FILES,
                "matchStringsStrategy": "recursive",
                "matchStrings": [f"{RING}|{BLOCK}", f"{NAMED}|{BLOCK}", BLOCK, LINE, PIN.format(name=name)],
                "versioningTemplate": scheme,
                **_source(name, catalog),
            }


def _source(name: str, catalog: Catalog) -> dict[str, str]:
    """The data source of the versions: the tags of an image, an OCI registry, or the index of a chart repository."""
    image: Facts | None = catalog.facts("containers", name)
    if image:
        return {"datasourceTemplate": "docker", "packageNameTemplate": image["repository"]}
    chart = catalog.must("charts", name)
    if chart["type"] == "oci":
        package = f"{chart['repository'].removeprefix('oci://')}/{chart['chart']}"
        return {"datasourceTemplate": "docker", "packageNameTemplate": package}
    return {
        "datasourceTemplate": "helm",
        "packageNameTemplate": chart["chart"],
        "registryUrlTemplate": chart["repository"],
    }


def main(arguments: Sequence[str]) -> int:
    """With --update, writes the preset. Without, returns 1 if it is out of date."""
    parser = argparse.ArgumentParser(prog="python -m tools.renovate", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the preset")
    update = parser.parse_args(arguments).update
    text = preset()
    stale = not PRESET.is_file() or PRESET.read_text("utf-8") != text
    if stale and update:
        PRESET.write_text(text, "utf-8", newline="\n")
    elif stale:
        print(f"{PRESET.name} is out of date: use --update")
    return int(stale and not update)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
