"""What the volumes of a pod require of its node: zones of disks, and claims that cannot be used yet."""

from typing import Any

from tests.helping.cases import for_each
from tests.simulate.worlds import A100, ZONE, Body, deployment, only, pool, wants

DISK = "disk.csi.azure.com"
BOUND = {"pv.kubernetes.io/bind-completed": "yes"}


def claim(name: str = "data", phase: str = "", annotations: dict[str, str] | None = None, **spec: Any) -> Body:
    """A PersistentVolumeClaim. One without a phase is not on the cluster yet."""
    meta = {"name": name, "namespace": "a", "annotations": annotations or {}}
    fields = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "10Gi"}}, **spec}
    body: Body = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": meta, "spec": fields}
    return {**body, "status": {"phase": phase}} if phase else body


def volume(*zones: str, **more: Any) -> Body:
    """A PersistentVolume with a term for each zone."""
    terms = [{"matchExpressions": [wants(f"topology.{DISK}/zone", "In", zone)]} for zone in zones]
    source = {"csi": {"driver": DISK, "volumeHandle": "pv"}}
    spec = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "10Gi"}, **source, **more}
    affinity = {"nodeAffinity": {"required": {"nodeSelectorTerms": terms}}} if terms else {}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv"}, "spec": {**affinity, **spec}}


def storage_class(mode: str = "WaitForFirstConsumer", *zones: str) -> Body:
    """A StorageClass that allows these zones, each in a term of its own; any zone if there is none."""
    terms = [{"matchLabelExpressions": [{"key": ZONE, "values": [zone]}]} for zone in zones]
    body = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": "disk"},
        "provisioner": DISK,
    }
    return {**body, "volumeBindingMode": mode, **({"allowedTopologies": terms} if terms else {})}


def mounting(name: str = "data", **spec: Any) -> Body:
    """A Deployment that mounts a claim."""
    return deployment("w", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": name}}], **spec)


IN_USE = claim(phase="Bound", annotations=BOUND, volumeName="pv")
POOL = pool("a100", A100)


def test_a_bound_volume_decides_the_zone() -> None:
    result = only(POOL, IN_USE, volume("eastus-2"), mounting())
    assert (result.verdict, result.zones) == ("schedulable", ("eastus-2",))
    assert "volume" not in {doubt.kind for doubt in result.doubts}


def test_each_term_of_a_volume_is_an_alternative() -> None:
    zones = pool("a100", A100, more=(wants(ZONE, "In", "eastus-3"),))
    assert only(zones, IN_USE, volume("eastus-2", "eastus-3"), mounting()).zones == ("eastus-3",)


def test_a_volume_in_a_zone_that_the_pool_does_not_have_is_the_reason() -> None:
    zones = pool("a100", A100, more=(wants(ZONE, "In", "eastus-3"),))
    result = only(zones, IN_USE, volume("eastus-2"), mounting())
    assert [(reason.kind, reason.message) for reason in result.reasons] == [
        (
            "volume",
            "a volume of the pod requires topology.kubernetes.io/zone=eastus-2, and no node that fits the pod has that",
        )
    ]


def test_a_local_volume_does_not_bind_a_new_node_to_its_host() -> None:
    host = [{"matchExpressions": [wants("kubernetes.io/hostname", "In", "gone")]}]
    affinity = {"nodeAffinity": {"required": {"nodeSelectorTerms": host}}}
    result = only(POOL, IN_USE, volume(local={"path": "/x"}, **affinity), mounting())
    assert result.verdict == "schedulable"


def test_the_zones_of_a_storage_class_apply_to_a_claim_that_waits() -> None:
    waiting = claim(phase="Pending", storageClassName="disk")
    assert only(POOL, waiting, storage_class(), mounting()).verdict == "schedulable"
    narrow = storage_class("WaitForFirstConsumer", "eastus-1")
    assert only(POOL, waiting, narrow, mounting()).zones == ("eastus-1",)
    elsewhere = mounting(nodeSelector={ZONE: "eastus-2"})
    assert only(POOL, waiting, narrow, elsewhere).reasons[0].kind == "volume"


@for_each(
    ("wrong", "message"),
    [
        (claim(phase="Lost", annotations=BOUND, volumeName="pv"), "has lost its volume"),
        (claim(phase="Pending", volumeName="pv"), "is not bound to its volume yet"),
        (claim(phase="Pending"), "is not bound and has no storageClassName"),
        (
            claim(phase="Pending", storageClassName="disk"),
            "is not bound, although its StorageClass disk binds immediately",
        ),
    ],
)
def test_a_claim_that_cannot_be_used_keeps_the_pod_pending(wrong: Body, message: str) -> None:
    result = only(POOL, wrong, volume(), storage_class("Immediate"), mounting())
    assert [reason.message for reason in result.reasons] == [f"Karpenter ignores the pod: its claim data {message}"]
    assert result.certain


@for_each(
    ("given", "message"),
    [
        ([], "the claim data is not in the input: its volume may restrict the pod to a zone"),
        ([IN_USE], "the volume pv is not in the input: it may restrict the pod to a zone"),
        (
            [claim(storageClassName="disk")],
            "the StorageClass disk is not in the input: it may restrict the pod to a zone",
        ),
        ([claim()], "the default StorageClass is not known: it may restrict the pod to a zone"),
        (
            [claim(storageClassName="disk"), storage_class("Immediate")],
            "the StorageClass disk creates its volume first, in a zone that is not known",
        ),
    ],
)
def test_what_is_not_in_the_input_is_a_doubt(given: list[Body], message: str) -> None:
    result = only(POOL, *given, mounting())
    assert (result.verdict, result.certain) == ("schedulable", False)
    assert message in [doubt.message for doubt in result.doubts]


def test_two_volumes_must_be_in_the_same_zone() -> None:
    first, second = IN_USE, claim("more", phase="Bound", annotations=BOUND, volumeName="other")
    other = {**volume("eastus-1"), "metadata": {"name": "other"}}
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in ("data", "more")]
    both = deployment("w", volumes=volumes)
    assert only(POOL, first, second, volume("eastus-1", "eastus-2"), other, both).zones == ("eastus-1",)
    assert only(POOL, first, second, volume("eastus-2"), other, both).reasons[0].kind == "volume"
