"""Options of the form NAME=VALUE."""

import click


def pair(text: str, option: str, form: str) -> tuple[str, str]:
    """The name and the value of an option. Raises click.BadParameter, with the expected `form`, if one is missing."""
    name, _, value = text.partition("=")
    if not (name and value):
        raise click.BadParameter(f"'{text}' is not {form}", param_hint=option)
    return name.strip(), value.strip()
