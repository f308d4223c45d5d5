"""Regions, and the version of Kubernetes, that the command line means."""

import click
import pytest

from gitgpu.cli.input.kubernetes import newest
from gitgpu.cli.input.regions import known_region
from gitgpu.model.catalog import catalog

CATALOG = catalog(())


def test_regions_of_the_command_line() -> None:
    assert [known_region(text, CATALOG) for text in ("eastus", "East US", "")] == ["eastus", "eastus", ""]
    for text, message in (("eastuss", "did you mean eastus"), ("zzz", "'zzz' is not a known Azure region$")):
        with pytest.raises(click.BadParameter, match=message):
            known_region(text, CATALOG)


def test_the_newest_version_of_kubernetes() -> None:
    rows = CATALOG.rows("kubernetes")
    minor = newest(CATALOG)
    assert rows[minor]["aks"]["status"] == "ga"
    newer = [name for name in rows if int(name.partition(".")[2]) > int(minor.partition(".")[2])]
    assert all(rows[name]["aks"]["status"] != "ga" for name in newer)
