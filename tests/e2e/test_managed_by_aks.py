"""Fleets in which AKS runs a part of the stack: the API server accepts what gitgpu still emits."""

from pathlib import Path

import pytest

from tests.e2e.client import RefusedError
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, gitgpu, identity, layers, prepare, wipe
from tools.support_matrix import AUTOMATIC, Place, spec_of

NODE_POOLS = Place("cluster-autoscaler", "linux", "nvidia")
CHOICES = [
    ("AKS managed GPU nodes", NODE_POOLS),
    ("AKS managed GPU nodes", Place("nap", "linux", "nvidia")),
    ("AKS managed GPU nodes", Place(AUTOMATIC, "linux", "nvidia")),
    ("Dynamic Resource Allocation, managed by AKS (preview)", NODE_POOLS),
    ("InfiniBand, managed by AKS (preview)", NODE_POOLS),
    ("Scheduler profile that fills GPU nodes (preview)", NODE_POOLS),
    ("Managed Kueue (preview)", NODE_POOLS),
    ("Quotas of teams, with the managed Kueue (preview)", NODE_POOLS),
    ("Node pool of several sizes", NODE_POOLS),
    ("KAITO as the AKS add-on", NODE_POOLS),
]
NO_CRD = ("aks.azure.com/",)  # the profiles of the scheduler: AKS installs the definition, which is not public
PATCHES = "workloads"  # patches of objects that the fleet does not have


@pytest.mark.parametrize(("name", "place"), CHOICES, ids=[f"{name}-{place.provisioner}" for name, place in CHOICES])
def test_what_is_emitted_is_accepted(name: str, place: Place, tmp_path: Path, cluster: Cluster, proved: Proved) -> None:
    (tmp_path / "fleet.yaml").write_text(spec_of(name, place).content, encoding="utf-8")
    gitgpu(tmp_path, "build")
    [lab] = clusters(overlays=tmp_path / "overlays")
    objects = [body for layer in layers(lab, tmp_path / "overlays") if layer.name != PATCHES for body in layer.objects]
    judged = [body for body in objects if not body["apiVersion"].startswith(NO_CRD)]
    prepare(cluster.client, judged)
    refusals = []
    for body in judged:
        try:
            cluster.client.apply(body)
        except RefusedError as error:
            refusals.append(f"{identity(body)}: {error}")
    wipe(cluster.client)
    proved(f"{name} ({place.provisioner}): {len(judged)} of {len(objects)} objects applied, {len(refusals)} refused")
    assert refusals == []
