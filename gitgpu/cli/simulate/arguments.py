"""The command line of `gitgpu simulate`."""

from typing import NamedTuple

from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.report.findings import Style


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu simulate`."""

    paths: tuple[str, ...]
    workloads: tuple[str, ...]
    pools: tuple[str, ...]
    choice: ClusterSelection
    crds: tuple[str, ...]
    region: str
    versions: tuple[tuple[str, str], ...]
    spot: tuple[str, ...]
    overhead: str
    budget: float | None
    fail_on: str
    group_by: str
    today: str
    output_format: str
    style: Style
