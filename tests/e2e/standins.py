"""Conditions that missing controllers would set: Karpenter, Azure Service Operator, KAITO, operators and Helm.

Each writes what its controller would write if all is well. Nothing here makes decisions: a test about a node class
that is not Ready withholds its status.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from tests.e2e.client import Client, Object, RefusedError
from tests.e2e.flux import LOCAL

WHEN = "2026-01-01T00:00:00Z"  # of every condition: the tests do not read it
EVERY = 0.5  # seconds


class StandIn(NamedTuple):
    """A kind whose status is written, by whom it would be, and what it is."""

    who: str
    api_version: str
    kind: str
    status: Callable[[Object], Object]


def conditions(*names: str) -> Callable[[Object], Object]:
    """A status whose conditions of these names are true, and current."""

    def status(body: Object) -> Object:
        return {"conditions": [condition(name, body["metadata"]["generation"]) for name in names]}

    return status


def condition(name: str, generation: int) -> dict[str, Any]:
    """A condition that is true."""
    common = {"status": "True", "reason": "StoodIn", "message": "written by the test", "lastTransitionTime": WHEN}
    return {"type": name, "observedGeneration": generation, **common}


def observed(*names: str) -> Callable[[Object], Object]:
    """The same, with the generation that the controller has seen."""
    return lambda body: {**conditions(*names)(body), "observedGeneration": body["metadata"]["generation"]}


def amd(body: Object) -> Object:
    """AMD's operator: while no node matches, it reconciles once, and not again after an edit."""
    seen = (body.get("status") or {}).get("observedGeneration", body["metadata"]["generation"])
    return {"observedGeneration": seen, "conditions": [condition("Ready", seen)]}


def running(body: Object) -> Object:
    """A kubelet, and the controllers between: every replica of a Deployment is there."""
    count = body["spec"].get("replicas", 1)
    counts = dict.fromkeys(("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"), count)
    reasons = {"Available": "MinimumReplicasAvailable", "Progressing": "NewReplicaSetAvailable"}
    reported = [
        {"type": name, "status": "True", "reason": reason, "message": "written by the test", "lastUpdateTime": WHEN}
        for name, reason in reasons.items()
    ]
    return {"observedGeneration": body["metadata"]["generation"], "conditions": reported, **counts}


STAND_INS = (
    StandIn("kubelet", "apps/v1", "Deployment", running),
    StandIn("Karpenter", "karpenter.sh/v1", "NodePool", conditions("ValidationSucceeded", "NodeClassReady", "Ready")),
    StandIn("Karpenter", "karpenter.azure.com/v1beta1", "AKSNodeClass", conditions("ValidationSucceeded", "Ready")),
    StandIn("GPU Operator", "nvidia.com/v1alpha1", "NVIDIADriver", lambda _: {"state": "ready"}),
    StandIn("Network Operator", "mellanox.com/v1alpha1", "NicClusterPolicy", lambda _: {"state": "ready"}),
    StandIn("AMD GPU Operator", "amd.com/v1alpha1", "DeviceConfig", amd),
    StandIn(
        "Azure Service Operator",
        "containerservice.azure.com/v1api20250801",
        "ManagedClustersAgentPool",
        lambda body: {"conditions": [{**condition("Ready", body["metadata"]["generation"]), "severity": ""}]},
    ),
    StandIn("KAITO", "kaito.sh/v1beta1", "Workspace", conditions("ResourceReady", "WorkspaceSucceeded")),
    StandIn("KAITO", "kaito.sh/v1beta1", "InferenceSet", conditions("InferenceSetSucceeded", "Ready")),
    StandIn("helm-controller", "helm.toolkit.fluxcd.io/v2", "HelmRelease", observed("Ready", "Released")),
    StandIn("source-controller", "source.toolkit.fluxcd.io/v1", "HelmRepository", observed("Ready")),
    StandIn("source-controller", "source.toolkit.fluxcd.io/v1", "OCIRepository", observed("Ready")),
)


class Company:
    """The stand-ins at work: `withheld` are the names of objects, as `Kind/name`, whose status is not written."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.withheld: set[str] = set()
        self.written: set[str] = set()
        self.seen: dict[str, int] = {}

    def tend(self) -> None:
        """Write the status of everything that has changed since the last time."""
        for stand_in in STAND_INS:
            for body in self.client.list(stand_in.api_version, stand_in.kind):
                if LOCAL.items() <= body["metadata"].get("labels", {}).items():
                    continue
                with suppress(RefusedError):  # it may be gone already
                    self.write(stand_in, body)

    def write(self, who: StandIn, body: Object) -> None:
        """Write the status of one object, once for each of its generations."""
        uid, generation = body["metadata"]["uid"], body["metadata"]["generation"]
        if self.seen.get(uid) == generation or f"{who.kind}/{body['metadata']['name']}" in self.withheld:
            return
        self.client.merge(body, {"status": who.status(body)}, "/status")
        self.seen[uid] = generation
        self.written.add(f"{who.kind} ({who.who})")


@contextmanager
def company(client: Client) -> Iterator[Company]:
    """Stand-ins that look around until the context ends."""
    operators, done = Company(client), threading.Event()

    def work() -> None:
        while not done.wait(EVERY):
            operators.tend()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield operators
    finally:
        done.set()
        thread.join()
