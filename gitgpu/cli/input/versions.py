"""The option --versions: which releases of operators the clusters run."""

import re

import click

from gitgpu.cli.input.pairs import pair
from gitgpu.load.schemas import Schemas
from gitgpu.objects.schema.contracts import Contracts

_FORM = "PROJECT=VERSION, such as karpenter=1.15"
_VERSION = re.compile(r"v?[0-9]{1,4}(\.[0-9]{1,4}){1,2}", re.ASCII)


def read_versions(_: click.Context, parameter: click.Parameter, text: str) -> tuple[tuple[str, str], ...]:
    """The pairs of a project and a version. Several versions of a project are those that the clusters may run."""
    option = parameter.opts[0]
    entries = [pair(entry.strip(), option, _FORM) for entry in text.split(",") if entry.strip()]
    for project, version in entries:
        if project not in projects():
            raise click.BadParameter(f"'{project}' is not one of {', '.join(projects())}", param_hint=option)
        if not _VERSION.fullmatch(version):
            raise click.BadParameter(f"'{version}' is not a version such as 1.15 or 1.15.0", param_hint=option)
    return tuple(entries)


def projects() -> list[str]:
    """The projects whose releases the contracts know."""
    return Contracts(Schemas()).projects()
