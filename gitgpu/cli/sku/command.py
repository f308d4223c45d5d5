"""Show the Azure GPU sizes and their properties: list, show, compare."""

import click


@click.group("sku", short_help=__doc__)
def COMMAND() -> None:
    """Show the Azure GPU sizes and their properties."""
