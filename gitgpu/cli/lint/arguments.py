"""The command line of `gitgpu lint`."""

from typing import NamedTuple

from gitgpu.cli.settings import FindingOptions, FixOptions
from gitgpu.report.findings import Style


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu lint`."""

    paths: tuple[str, ...]
    strict: bool
    crds: tuple[str, ...]
    values: tuple[str, ...]
    kubernetes: str | None
    versions: tuple[tuple[str, str], ...]
    automatic: bool
    skip: str
    ignore_missing: bool
    closed: bool
    filtering: bool
    fixes: FixOptions
    jobs: int | None
    output_format: str
    chosen: FindingOptions
    style: Style
