"""The command line of `gitgpu build`."""

from typing import NamedTuple

from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.settings import FindingOptions
from gitgpu.report.findings import Style


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu build`."""

    paths: tuple[str, ...]
    out: str | None
    check: bool
    choice: ClusterSelection
    allowed: tuple[str, ...]
    jobs: int | None
    output_format: str
    chosen: FindingOptions
    style: Style

    @property
    def is_complete(self) -> bool:
        """Whether it covers the whole output and all findings. Then no build is needed if nothing has changed."""
        # Other formats print a document even if there are no findings.
        return self.choice.everything and not self.chosen.narrows and (self.check or self.output_format == "text")
