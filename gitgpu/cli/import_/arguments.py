"""The command line of `gitgpu import`."""

from typing import NamedTuple

from gitgpu.report.findings import Style

DEFAULT_OUT = "fleet"


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu import`."""

    paths: tuple[str, ...]
    cluster: str
    region: str
    kubernetes: str
    repository: str
    out: str | None
    values: tuple[str, ...]
    dry_run: bool
    check: bool
    force: bool
    today: str
    output_format: str
    style: Style
