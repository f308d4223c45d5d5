"""What a command works on: its arguments over the configuration over the usual places."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog import Folder
from gitgpu.load.config import read_config
from gitgpu.load.text import fault
from gitgpu.source import Span


class Setting(NamedTuple):
    """The fleet's paths, the output directory, catalogs of the user's own, and what is wrong with all that."""

    paths: tuple[str, ...]
    out: str
    catalogs: tuple[Folder, ...]
    faults: tuple[Diagnostic, ...]


def setting(paths: Sequence[str], out: str | None = None) -> Setting:
    """The setting of a run."""
    config, faults = read_config()
    chosen = tuple(paths) or config.fleet
    if not chosen:
        remedy = "name a file or directory, or write a starter fleet with `gitgpu init`"
        message = "no fleet here: neither fleet.yaml nor a directory fleet"
        faults = [*faults, fault("INP005", message, remedy, Span(".", 0, 0))]
    return Setting(chosen, out or config.out, config.catalog, tuple(faults))
