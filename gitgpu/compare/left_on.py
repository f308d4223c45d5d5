"""What stays on in Azure when the fleet no longer uses it: the page with the commands turns nothing off."""

from collections.abc import Iterable, Iterator

from gitgpu.compare.effects import Effect
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import PAGE, OverlayObject
from gitgpu.model.catalog import Catalog

_COMMANDS = "cluster.sh"
_ELSEWHERE = frozenset({"cluster.tf.json", "create-cluster.sh"})  # pages that can have it instead


def left_on_effects(cluster: str, sides: Sides[Iterable[OverlayObject]], catalog: Catalog) -> Iterator[Effect]:
    """The effects on a cluster that both sides have."""
    before, after = (_pages(side) for side in sides)
    if _ELSEWHERE & after.keys():
        return
    was, now = (pages.get(_COMMANDS, "") for pages in (before, after))
    for row in catalog.rows("prerequisites").values():
        heading = f"\n# {row['what']}"  # a preview has more words
        if "disable" in row and heading in was and heading not in now:
            remedy = f"run `{row['disable']}`" if row["disable"] else "turn it off in Azure"
            yield Effect(cluster, f"{row['what']} stays on: {remedy} once nothing in the cluster uses it")


def _pages(objects: Iterable[OverlayObject]) -> dict[str, str]:
    """The text of each page of the runbook."""
    return {obj.identity.name: str(obj.body["text"]) for obj in objects if obj.identity.kind == PAGE}
