"""The check of what a build emits."""

import json
from typing import Any

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.runs.build import build
from gitgpu.runs.check_output import output_check
from gitgpu.runs.validate import link_fleet
from tests.emit.fleets import A100, CLUSTER_ID, Body, cluster, document, fleet, pool, workload
from tests.rules.objects.samples import somewhere

POOL: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "gpu"},
    "spec": {
        "disruption": {"consolidateAfter": "5m"},
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
                "requirements": [],
                "wonder": "5m",
            }
        },
    },
}


@pytest.mark.parametrize(
    ("day", "found"),
    [
        ("2026-11-29", "remove it; the allowed keys are"),
        ("2027-02-01", "check the spelling; if the cluster runs a newer release, install a gitgpu that knows it"),
    ],
)
def test_a_key_may_be_of_a_newer_release_if_the_newest_known_one_is_old_on_the_day(day: str, found: str) -> None:
    check = output_check(Catalog(CatalogFiles()))
    [finding] = (
        fault for fault in check((somewhere(POOL), frozenset(), "1.34", (), None, day)) if fault.code == "CNF001"
    )
    assert finding.help.startswith(found)
    assert "--crds" not in finding.help


@pytest.mark.parametrize("azure", [None, "az", "bicep", "terraform"])
@pytest.mark.parametrize("values", [{}, {"kueue": {"enablePrometheus": True}}], ids=["as emitted", "with values"])
def test_pools_that_no_object_describes_have_nodes_too(azure: str | None, values: Body) -> None:
    """The queue and the test of the pool select nodes that neither Karpenter nor the operator creates."""
    stack: Body = {"queues": "kueue", "verify": True, "values": values}
    delivery: Body = {"delivery": {"azure": azure}} if azure else {}
    fleets = [
        fleet(),
        cluster(resourceId=CLUSTER_ID, stack=stack, **delivery),
        pool("t4", provisioner="fixed", nodes={"max": 2}),
        pool("a100", A100),
        document("GpuTeam", "serving", {"namespaces": ["serving"], "quota": [{"pool": "t4", "gpus": 2}]}),
        workload("chat", ["t4"]),
    ]
    text = "\n---\n".join(map(json.dumps, fleets))
    made = build(link_fleet([Text("fleet.yaml", text, "fleet.yaml")]))
    findings = (*made.checked.diagnostics, *made.faults)
    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []
    written = [path for path in made.files if "managedclustersagentpool" in path]
    assert bool(written) is (azure is None)
