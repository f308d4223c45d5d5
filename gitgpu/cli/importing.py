"""What `gitgpu import` reads: files, directories, standard input, and values of charts."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from gitgpu.adopt.clusters import Wanted
from gitgpu.cli.input_texts import by_name, read_searched
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.inventory.joined import Asked
from gitgpu.load.inventory.observed import Inventory
from gitgpu.load.inventory.parts import together
from gitgpu.load.inventory.read import inventory, values_inventory
from gitgpu.load.values import read_values


class Read(NamedTuple):
    """What was read, what the command line says beside it, and what could not be read."""

    inventory: Inventory
    wanted: Wanted
    faults: tuple[Diagnostic, ...]


def read_inventory(paths: Sequence[str], wanted: Wanted, values: Sequence[str]) -> Read:
    """The clusters that these paths describe."""
    texts, unread = read_searched(paths)
    pairs = [_pair(entry) for entry in values]
    given, wrong = read_values(pairs)
    asked = Asked(wanted.cluster, wanted.region, by_name(texts, paths))
    found = inventory(texts, asked)
    if given:
        found = together((found, values_inventory(given)))
    return Read(found, wanted, (*unread, *wrong, *found.faults))


def _pair(text: str) -> tuple[str, str]:
    chart, sign, file = text.partition("=")
    if not (chart and sign and file):
        raise click.BadParameter(f"'{text}' is not CHART=FILE", param_hint="--values")
    return chart.strip(), file.strip()
