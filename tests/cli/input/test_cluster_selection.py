"""The clusters that --cluster and --shard select."""

import click
import pytest

from gitgpu.cli.input.cluster_selection import ClusterSelection, cluster_selection
from tests.helping.cases import for_each

NAMES = ("prod-b", "dev", "prod-a", "test", "prod-c")


@for_each(
    ("globs", "shard", "picked"),
    [
        ((), None, ["dev", "prod-a", "prod-b", "prod-c", "test"]),
        (("prod-*",), None, ["prod-a", "prod-b", "prod-c"]),
        (("dev", "t?st"), None, ["dev", "test"]),
        ((), "1/2", ["dev", "prod-b", "test"]),
        ((), "2/2", ["prod-a", "prod-c"]),
        (("prod-*",), "3/3", ["prod-c"]),
        ((), "6/6", []),
        (("none",), None, []),
    ],
)
def test_clusters_that_options_select(globs: tuple[str, ...], shard: str | None, picked: list[str]) -> None:
    selection = cluster_selection(globs, shard)
    assert list(selection.pick(NAMES)) == picked
    assert selection.everything is (not globs and shard is None)
    assert selection.has_others is (not globs and shard in (None, "1/2"))
    if globs and not picked:
        with pytest.raises(click.UsageError, match="no cluster matches none; the clusters of this fleet: dev, prod-a"):
            selection.require(NAMES)
    else:
        assert list(selection.require(NAMES)) == picked


@for_each("shard", ["0/1", "2/1", "1", "1/", "a/b", "1/2/3", "123456/123456", "", "-1/2", "1/0"])
def test_shards_that_do_not_exist(shard: str) -> None:
    with pytest.raises(click.BadParameter, match="is not I/N with I from 1 to N"):
        cluster_selection((), shard)
    assert ClusterSelection().everything
