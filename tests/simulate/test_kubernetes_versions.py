"""The Kubernetes versions that objects state: from 1.37 on, AKS hardens nodes."""

from tests.helping.cases import for_each
from tests.simulate.worlds import CLASS, T4, Body, deployment, forecast, pool


def cluster(version: str, of_pool: str = "") -> Body:
    """A ManagedCluster, with the version of its node pool."""
    profile = {"name": "system", "vmSize": "Standard_D4s_v5", "mode": "System", "count": 1}
    spec = {
        "owner": {"name": "fleet"},
        "location": "eastus",
        "kubernetesVersion": version,
        "agentPoolProfiles": [profile | ({"orchestratorVersion": of_pool} if of_pool else {})],
    }
    head = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": "ManagedCluster"}
    return head | {"metadata": {"name": "aks", "namespace": "fleet"}, "spec": spec}


def exported(version: str) -> Body:
    """A node class as the API server returns it."""
    return CLASS | {"status": {"kubernetesVersion": version}}


@for_each(
    ("objects", "hardened"),
    [
        ([CLASS], False),
        ([exported("1.36.4")], False),
        ([exported("v1.37.1")], True),
        ([exported("")], False),
        ([CLASS, cluster("1.36")], False),
        ([CLASS, cluster("1.37")], True),
        ([CLASS, cluster("1.36", "1.37.0")], True),
    ],
)
def test_new_nodes_are_in_doubt_if_an_object_states_a_version_that_hardens_them(
    objects: list[Body], *, hardened: bool
) -> None:
    found = forecast(*objects, pool("t4", T4), deployment("small", 1, requests={"cpu": "1"}))
    doubts = [doubt for verdict in found.verdicts for doubt in verdict.doubts if "hardened" in doubt.message]
    assert bool(doubts) is hardened
