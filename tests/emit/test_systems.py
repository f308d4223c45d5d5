"""How each feature changes the output of a fleet, wherever the feature is available."""

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.emit.chart.decisions import decision_at, leaves, relied_values
from gitgpu.emit.chart.releases import releases
from tests.adjust.test_values import plans
from tests.emit.built import built_text, differences
from tools.support_matrix import PLACES, SYSTEMS, Place, spec_of


@pytest.mark.parametrize("place", PLACES, ids="-".join)
def test_what_a_system_changes(place: Place, snapshot: SnapshotAssertion) -> None:
    bare, recorded, seen = built_text(spec_of("", place).content), list[str](), set[str]()
    for name in SYSTEMS:
        changed = built_text(spec_of(name, place).content)
        if changed.outcome != bare.outcome:
            recorded += [name, *differences(bare, changed, seen)]
    assert "\n".join(recorded) == snapshot


def test_what_decides_on_values_of_charts(snapshot: SnapshotAssertion) -> None:
    recorded = set()
    for plan in plans():
        for release in releases(plan):
            relied = dict(leaves(relied_values(plan, release.chart)))
            for path in {path for path, _ in leaves(release.own)} | relied.keys():
                decision = decision_at(release.chart.release, path)
                if decision:
                    default = f" (default {relied[path]})" if path in relied else ""
                    keys = ", ".join(decision.keys)
                    recorded.add(f"{release.chart.release} {'.'.join(path)}{default}: {decision.meaning} [{keys}]")
    assert "\n".join(sorted(recorded)) == snapshot
