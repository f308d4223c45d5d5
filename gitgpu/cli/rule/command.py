"""Show the rules and their reasons: list, show."""

import click


@click.group("rule", short_help=__doc__)
def COMMAND() -> None:
    """Show the rules and their reasons."""
