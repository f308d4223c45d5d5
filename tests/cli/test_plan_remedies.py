"""`plan` says what to write in the spec where something that gitgpu adds by itself replaces running nodes."""

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write


def with_spec(more: str) -> str:
    """The fleet with more in the spec of its pool."""
    return SOUND.replace("limits: {gpus: 2}", f"limits: {{gpus: 2}}, {more}")


@pytest.mark.parametrize(
    ("before", "after", "remedy"),
    [
        ("operatorOptOut: false", "weight: 1", "operatorOptOut: false leaves the label"),
        ("weight: 1", "operatorOptOut: false", "operatorOptOut: true keeps the label"),
        ("nodeClass: {name: gpu}", "weight: 1", "nodeClass: {name: gpu} keeps the AKSNodeClass"),
        ("weight: 1", "nodeClass: {name: gpu}", "nodeClass: {name: t4} keeps the AKSNodeClass"),
    ],
)
def test_the_plan_says_how_to_keep_the_nodes(run: Run, before: str, after: str, remedy: str) -> None:
    write(with_spec(before))
    assert run("build").code == 0
    write(with_spec(after))
    text = " ".join(run("plan").out.split())
    assert "all nodes are replaced" in text
    assert remedy in text
    told = remedy.partition(" keeps")[0].partition(" leaves")[0]
    write(with_spec(f"weight: 1, {told}"))
    assert "all nodes are replaced" not in run("plan").out
