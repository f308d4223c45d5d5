"""The example on the page "Use different settings per cluster" builds, with the result that the page shows."""

import re
from pathlib import Path

from tests.cli.conftest import Run

PAGE = Path(__file__).parents[2] / "docs/how-to/differ-between-clusters.md"


def block(language: str) -> str:
    """The first block on the page in a language."""
    match = re.search(f"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert match
    return match[1]


def test_the_sample_is_the_example_of_the_page() -> None:
    assert (PAGE.parents[1] / "samples/differing-clusters/fleet.yaml").read_text(encoding="utf-8") == block("yaml")


def test_the_clusters_of_the_example_differ_as_described(run: Run) -> None:
    Path("fleet.yaml").write_text(block("yaml"), encoding="utf-8")
    checked = run("validate")
    assert (checked.code, checked.out) == (0, "")
    assert run("build").code == 0
    pools = {name: Path(f"overlays/{name}/nodes/nodepool-t4.yaml").read_text() for name in ("prod-swc", "staging")}
    assert ["Standard_NC4as_T4_v3" in text for text in pools.values()] == [False, True]
    assert ['nodes: "16"' in text for text in pools.values()] == [True, False]
    assert all("team: search" in text.partition("spec:")[0] for text in pools.values())
    classes = {name: Path(f"overlays/{name}/nodes/aksnodeclass-t4.yaml").read_text() for name in pools}
    assert ["env: staging" in text for text in classes.values()] == [False, True]
    assert all('costCentre: "4711"' in text for text in classes.values())
