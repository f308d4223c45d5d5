"""Which builds cover the whole output."""

from gitgpu.cli.build_.arguments import Arguments
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.settings import FindingOptions
from gitgpu.report.findings import Style


def test_builds_of_all_clusters() -> None:
    usual = Arguments((), None, False, ClusterSelection(), (), None, "text", FindingOptions(), Style())
    assert usual.is_complete
    assert usual._replace(output_format="json", check=True).is_complete
    assert not usual._replace(output_format="json").is_complete
    assert not usual._replace(choice=ClusterSelection(("a",))).is_complete
    assert not usual._replace(choice=ClusterSelection((), 1, 2)).is_complete
    assert not usual._replace(chosen=FindingOptions(today="2027-01-01")).is_complete
