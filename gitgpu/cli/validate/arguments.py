"""The command line of `gitgpu validate`."""

from typing import NamedTuple

from gitgpu.cli.settings import FindingOptions, FixOptions
from gitgpu.report.findings import Style


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu validate`."""

    paths: tuple[str, ...]
    fixes: FixOptions
    output_format: str
    chosen: FindingOptions
    style: Style
