"""Which objects each feature adds, removes and changes, wherever it is available, and what is found."""

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.emit.chart.decisions import decision_at, leaves, relied_values
from gitgpu.emit.chart.releases import releases
from tests.adjust.test_values import plans
from tests.emit.built import built_text, differences
from tools.support_matrix import PLACES, SYSTEMS, Place, spec_of

FIELD = re.compile(r" {4}[-+] (?![A-Z]{3}\d{3} )")  # a line about a field, not about a finding


@pytest.mark.parametrize("place", PLACES, ids="-".join)
def test_what_a_system_changes(place: Place, snapshot: SnapshotAssertion) -> None:
    bare, recorded = built_text(spec_of("", place).content), list[str]()
    for name in SYSTEMS:
        changed = built_text(spec_of(name, place).content)
        if changed.outcome != bare.outcome:
            recorded += [name, *(line for line in differences(bare, changed, set()) if not FIELD.match(line))]
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
