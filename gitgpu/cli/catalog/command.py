"""Refresh your own catalog, and show what a newer catalog changes: refresh, diff."""

import click


@click.group("catalog", short_help=__doc__)
def COMMAND() -> None:
    """Refresh your own catalog, and show what a newer catalog changes."""
