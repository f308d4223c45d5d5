"""Delivery with a problem: an unhealthy node, an unready node class, a status that does not exist yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import identity, layers, prepare
from tests.e2e.flux import condition, delivered, settle, sync
from tests.e2e.githost import Repository
from tests.e2e.nodes import node
from tests.e2e.processes import until
from tests.e2e.standins import Company

NAME = "prod-swc"
OBJECTS = tuple(body for layer in layers(NAME) for body in layer.objects)
AT_ONCE = 120  # seconds for all layers: less than the timeout of a layer that waits in vain
CEL_FAULTS = ("no such attribute", "no such key", "failed to evaluate")


class Site:
    """One cluster of the fleet, delivered from its own repository."""

    def __init__(self, client: Client, served: Repository, log: Path) -> None:
        self.client, self.served, self.log = client, served, log

    def read(self, kind: str) -> list[Object]:
        """The objects of a kind among those of the cluster, as they are now."""
        wanted = [body for body in OBJECTS if body["kind"] == kind]
        return [stored for body in wanted if (stored := self.client.get(body))]

    def edit(self, path: str, old: str, new: str) -> str:
        """Replace text in a file of the overlay of this cluster; the commit."""
        file = self.served.tree / "overlays" / NAME / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return self.served.commit(f"{path}: {new!r}")


@pytest.fixture
def site(cluster: Cluster, committed: tuple[Repository, str], around: Company) -> Iterator[Site]:
    """The cluster, once its namespaces are there; nothing is delivered yet."""
    prepare(cluster.client, OBJECTS)
    around.withheld.clear()
    yield Site(cluster.client, committed[0], cluster.folder / "kustomize-controller.log")
    around.withheld.clear()


def withhold(around: Company, *kinds: str) -> set[str]:
    """Objects of these kinds whose status is no longer written."""
    names = {f"{body['kind']}/{body['metadata']['name']}" for body in OBJECTS if body["kind"] in kinds}
    around.withheld |= names
    return names


def test_a_node_whose_plugin_is_not_ready_blocks_nothing(
    site: Site, committed: tuple[Repository, str], proved: Proved
) -> None:
    """With a DaemonSet pod that does not run, all layers are applied and become Ready."""
    served, commit = committed
    labels = {"karpenter.sh/nodepool": "a100", "nvidia.com/gpu.deploy.operands": "false"}
    with node(site.client, "sick", labels), delivered(site.client, sync(NAME, served)):
        settle(site.client, commit)
        sick = [
            identity(body)
            for body in site.read("DaemonSet")
            if body["status"].get("desiredNumberScheduled", 0) > body["status"].get("numberReady", 0)
        ]
        assert sick
    proved(f"{NAME}: every layer Ready while pods do not run of {', '.join(sick)}")


def test_a_node_class_that_is_not_ready_withholds_nothing(
    site: Site, committed: tuple[Repository, str], around: Company, proved: Proved
) -> None:
    """All NodePools and the scalers of all workloads are applied, and so is a later commit to the same layer."""
    served, commit = committed
    around.withheld |= {"AKSNodeClass/a100", "NodePool/a100"}
    wanted = {kind: [body for body in OBJECTS if body["kind"] == kind] for kind in ("NodePool", "ScaledObject")}
    with delivered(site.client, sync(NAME, served)):
        until(lambda: len(site.read("NodePool")) == len(wanted["NodePool"]), "every NodePool is there")
        settle(site.client, commit, within=AT_ONCE)
        assert {kind: len(site.read(kind)) for kind in wanted} == {kind: len(all_) for kind, all_ in wanted.items()}
        later = site.edit("nodes/nodepool-t4-share.yaml", 'nodes: "8"', 'nodes: "7"')
        settle(site.client, later, within=AT_ONCE)
        by_name = {body["metadata"]["name"]: body for body in site.read("NodePool")}
        assert by_name["t4-share"]["spec"]["limits"]["nodes"] == "7"
        assert condition(by_name["a100"]) == {}
    proved(f"{NAME}: while an AKSNodeClass is not Ready, all objects of all layers and a later commit are applied")


def test_a_status_that_is_absent_is_not_a_fault(
    site: Site, committed: tuple[Repository, str], around: Company, proved: Proved
) -> None:
    """No layer waits for objects that no controller has reconciled yet."""
    served, commit = committed
    names = withhold(around, "NodePool", "AKSNodeClass", "DeviceConfig", "NVIDIADriver", "NicClusterPolicy")
    with delivered(site.client, sync(NAME, served)):
        settle(site.client, commit)
    log = site.log.read_text(encoding="utf-8", errors="replace")
    assert [fault for fault in CEL_FAULTS if fault in log] == []
    proved(f"{NAME}: every layer Ready while {len(names)} objects have no status, without a fault in an expression")


def test_an_edit_that_no_operator_looks_at_ends(site: Site, committed: tuple[Repository, str], proved: Proved) -> None:
    """AMD's operator does not look at a DeviceConfig again while no node matches; the layer becomes Ready."""
    served, commit = committed
    with delivered(site.client, sync(NAME, served)):
        settle(site.client, commit)
        (config,) = (body for body in OBJECTS if body["kind"] == "DeviceConfig")
        path = f"nodes/deviceconfig-{config['metadata']['name']}.yaml"
        settle(site.client, site.edit(path, "busybox:1.36", "busybox:1.37"))
        (now,) = site.read("DeviceConfig")
        assert now["metadata"]["generation"] > now["status"]["observedGeneration"]
    proved(f"{NAME}: an edited DeviceConfig that its operator has not looked at held no layer")


def test_pools_are_kept_when_their_files_are_removed(
    site: Site, committed: tuple[Repository, str], proved: Proved
) -> None:
    """NodePools and AKSNodeClasses are kept when their files are removed, because deleting them would delete nodes."""
    served, commit = committed
    with delivered(site.client, sync(NAME, served)):
        settle(site.client, commit)
        before = {kind: len(site.read(kind)) for kind in ("NodePool", "AKSNodeClass", "Namespace", "DaemonSet")}
        site.edit("nodes/kustomization.yaml", "- nodepool-a100.yaml\n", "")
        site.edit("nodes/kustomization.yaml", "- aksnodeclass-a100.yaml\n", "")
        site.edit("controllers/kustomization.yaml", "- namespace-gpu-resources.yaml\n", "")
        settle(site.client, site.edit("controllers/kustomization.yaml", "- daemonset-nvidia-device-plugin.yaml\n", ""))
        after = {kind: len(site.read(kind)) for kind in before}
        assert after == {**before, "DaemonSet": before["DaemonSet"] - 1}
    proved(f"{NAME}: NodePool, AKSNodeClass and Namespace outlived their files; a DaemonSet was pruned with its own")
