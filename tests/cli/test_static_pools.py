"""`plan` and `simulate` for pools with a fixed number of nodes."""

from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write


def with_replicas(count: int) -> str:
    """The fleet with a static pool."""
    return SOUND.replace("limits: {gpus: 2}", f"replicas: {count}")


def planned(run: Run, before: str, after: str) -> str:
    """The plan of a change."""
    write(before)
    assert run("build").code == 0
    write(after)
    return " ".join(run("plan").out.split())


def test_fewer_replicas_drain_nodes(run: Run) -> None:
    text = planned(run, with_replicas(3), with_replicas(1))
    assert "Karpenter drains 2 nodes of the pool" in text


def test_more_replicas_replace_nothing(run: Run) -> None:
    text = planned(run, with_replicas(1), with_replicas(3))
    assert "drains" not in text
    assert "all nodes are replaced" not in text


def test_a_pool_cannot_become_static(run: Run) -> None:
    assert "does not allow changing spec.replicas" in planned(run, SOUND, with_replicas(2))
