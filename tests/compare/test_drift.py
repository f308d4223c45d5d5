"""The result of `plan` compared with recorded decisions of Karpenter's own controllers; see `make verdicts`."""

import json
from pathlib import Path

from tests.compare.sides import pool_between

LINES = [json.loads(line) for line in (Path(__file__).parent / "drift.jsonl").read_text(encoding="utf-8").splitlines()]


def decided(drift: dict[str, dict[str, int]]) -> str:
    """Whether all, some or no nodes drift. Nodes without a zone start only if no zone has room."""
    usual, possible = drift["usual"], drift["possible"]
    if not possible["drifted"]:
        return "none"
    return "all" if usual["drifted"] == usual["nodes"] > 0 or possible["drifted"] == possible["nodes"] else "some"


def test_plan_agrees_with_karpenter() -> None:
    differing = []
    for line in LINES:
        edit = line["edit"]
        if edit["before"] == edit["after"]:
            continue
        before, after = ([edit[side], *edit["nodeclasses"]] for side in ("before", "after"))
        change = pool_between(before, after, "alpha", region=edit["region"])
        if change.replaced != decided(line["drift"]):
            differing.append((edit["name"], change.replaced, decided(line["drift"]), change.reason))
    assert differing == []
