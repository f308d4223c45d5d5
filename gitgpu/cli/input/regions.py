"""Regions on the command line."""

import click

from gitgpu.model.catalog import Catalog


def known_region(text: str, catalog: Catalog, option: str = "--region") -> str:
    """The name of a region in Azure's API, also for `East US`; "" for "". Raises click.BadParameter if unknown."""
    name = text.lower().replace(" ", "")
    if name and catalog.facts("regions", name) is None:
        similar = catalog.similar_name("regions", name)
        hint = f"; did you mean {similar}?" if similar else ""
        raise click.BadParameter(f"'{text}' is not a known Azure region{hint}", param_hint=option)
    return name
