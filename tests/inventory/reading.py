"""Reads texts and recorded documents as inventories, for tests."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gitgpu.inventory.encodings import decode_output
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.inventory.read import inventory
from gitgpu.load.text import Text

NOTHING = ImportOptions()
RECORDED = Path(__file__).with_name("recorded")
DOCUMENTS = sorted(path.name for path in RECORDED.iterdir() if path.suffix != ".md")


def recorded(name: str) -> Text:
    """A recorded document."""
    text = decode_output(name, (RECORDED / name).read_bytes())
    assert isinstance(text, Text)
    return text


def read(*texts: str | Text, asked: ImportOptions = NOTHING) -> Inventory:
    """The inventory of some texts. Plain strings are named a.json, b.json, ..."""
    named = []
    for at, text in enumerate(texts):
        name = f"{chr(ord('a') + at)}.json"
        named.append(Text(name, text, "") if isinstance(text, str) else text)
    return inventory(named, asked)


def bodies(result: Inventory) -> dict[str, Any]:
    """The objects of all clusters, by CLUSTER/NAME."""
    return {
        f"{cluster.name}/{observed.name}": observed.body for cluster in result.clusters for observed in cluster.objects
    }


def faults(result: Inventory) -> list[str]:
    """The faults as `CODE line: message`."""
    return [f"{fault.code} {fault.span.line}: {fault.message}" for fault in result.faults]


def shown(result: Inventory) -> Iterable[str]:
    """An inventory as lines of text, for snapshots."""
    for cluster in result.clusters:
        azure = cluster.azure
        yield f"cluster {cluster.name!r}"
        yield f"  region={azure.region} kubernetes={azure.kubernetes} provisioner={azure.provisioner}"
        yield f"  resource_id={azure.resource_id}"
        yield f"  network={dict(azure.network)} addons={dict(azure.addons)}"
        for observed in cluster.objects:
            state = ("live" if observed.live else "") + ("" if observed.whole else " not whole")
            yield f"  {observed.name} from {observed.source} {state} at line {observed.places.span().line}".rstrip()
            yield f"    owner {observed.owner.tool} {observed.owner.name}".rstrip()
            yield from (f"    {line}" for line in _flat(observed.body))
    yield from (f"passed {each.name} at line {each.span.line}: {each.reason}" for each in result.skipped)
    yield from (f"{line}; {fault.help}" for line, fault in zip(faults(result), result.faults, strict=True))


def _flat(value: Any, above: str = "") -> Iterable[str]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _flat(item, f"{above}/{key}")
    elif isinstance(value, list) and value:
        for at, item in enumerate(value):
            yield from _flat(item, f"{above}/{at}")
    else:
        yield f"{above}: {value!r}"
