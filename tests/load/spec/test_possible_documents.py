"""Documents of the wrong shape: every document that may have been intended."""

from collections.abc import Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.spec.possible_documents import MOST, possible_fleets, wrong_keys
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
POOL = f"{HEAD}GpuPool\nmetadata: {{name: t4}}\nspec:\n  clusters: [c1]\n  sku: Standard_NC16as_T4_v3\n"
CLUSTER = f'{HEAD}Cluster\nmetadata: {{name: c1}}\nspec: {{region: swedencentral, kubernetesVersion: "1.36"}}\n'
WORKLOAD = f"{HEAD}GpuWorkload\nmetadata: {{name: w, namespace: s}}\n"
WRONG = {
    "a misspelt key": f"{POOL}  capcity: [spot]\n",
    "a misspelt value": f"{POOL}  capacity: [sport]\n",
    "a wrong type": f"{POOL}  zones: 5\n",
    "a number for a text": f"{POOL}  driverBranch: true\n",
    "a number in a label": f"{POOL}  labels: {{a: 5}}\n",
    "an unknown key": f"{POOL}  nothing: 5\n",
    "an unknown key below": f"{POOL}  image: {{nothing: 5}}\n",
    "a misplaced key": f"{POOL}  osDiskGB: 256\n",
    "a key of another kind": f"{POOL}  region: westeurope\n",
    "two faults": f"{POOL}  capcity: [spot]\n  weight: x\n",
    "an item": f"{POOL}  taints: [{{key: a, effect: No}}, {{key: b, effect: NoSchedule}}]\n",
    "an empty list": f"{POOL}  zones: []\n",
    "a missing key": POOL.replace("  clusters: [c1]\n", ""),
    "no size": POOL.replace("  sku: Standard_NC16as_T4_v3\n", ""),
    "a choice": f"{POOL}  partition: {{mig: {{strategy: sngle, profiles: {{1g.10gb: 7}}}}}}\n",
    "a wrong name": POOL.replace("name: t4", "name: T4_"),
    "an unknown key of the metadata": POOL.replace("name: t4", "name: t4, nmae: x"),
    "a missing key and a misspelt one": POOL.replace("clusters: [c1]", "capcity: [spot]"),
    "a wrong version": CLUSTER.replace('"1.36"', "1.36"),
    "a wrong region": CLUSTER.replace("swedencentral", "Sweden Central"),
    "a boolean": f"{POOL}  retire: yess\n",
    "a workload": f"{WORKLOAD}spec: {{pools: [t4], target: {{kind: Job, nme: w}}}}\n",
    "no spec": f"{HEAD}GpuPool\nmetadata: {{name: t4}}\n",
    "another kind": POOL.replace("GpuPool", "GpuPol"),
}


def differences(before: Any, after: Any, place: str = "") -> Iterator[str]:
    """The differences between two documents, by place."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(
                before.get(key, "absent"), after.get(key, "absent"), f"{place}.{key}" if place else key
            )
    elif before != after:
        yield f"{place}: {before} -> {after}"


@pytest.mark.parametrize("name", WRONG)
def test_what_may_have_been_meant(name: str, snapshot: SnapshotAssertion) -> None:
    documents, _ = shape([Text("a.yaml", f"{WRONG[name]}---\n{CLUSTER.replace('c1', 'c2')}", "")])
    fleets = possible_fleets(documents)
    lines = [f"{ref.kind} {ref.name} {sorted(keys)}" for ref, keys in wrong_keys(documents).items()]
    for fleet in fleets:
        assert [document.sound for document in fleet][1:] == [True]
        lines.append("; ".join(differences(documents[0].data, fleet[0].data)) or "as it is")
    assert "\n".join(lines) == snapshot


def test_sound_fleets_and_very_many_faults_have_no_other_versions() -> None:
    assert possible_fleets(shape([Text("a.yaml", POOL, "")])[0]) == []
    for number in (MOST, MOST + 1):
        text = "---\n".join(f"{POOL}  nothing: 5\n".replace("t4", f"t{at}") for at in range(number))
        assert bool(possible_fleets(shape([Text("a.yaml", text, "")])[0])) is (number <= MOST)
