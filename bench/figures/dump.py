"""Dumps of a cluster with 5,000 pods, 500 nodes and 20,000 events, against parsing them."""

import json
from collections.abc import Iterator
from typing import Any

import yaml

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import GITGPU, PYTHON, call, process, row, side_by_side
from gitgpu.diagnose.reading.dump import read_dump
from gitgpu.inventory.secrets import redact
from gitgpu.load.text import Text

NODES, PODS, PENDING, EVENTS, BUDGETS = 500, 5_000, 200, 20_000, 100
CLASS = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
SIZE = "Standard_NC24ads_A100_v4"
MESSAGE = "0/500 nodes are available: 500 Insufficient nvidia.com/gpu. preemption: 0/500 nodes are available"
PARSE = "import json, sys; json.load(open(sys.argv[1]))"


def node(number: int) -> dict[str, Any]:
    """A node of the pool, with one GPU."""
    labels = {"karpenter.sh/nodepool": "gpu", "karpenter.sh/initialized": "true", "karpenter.sh/registered": "true"}
    labels |= {"node.kubernetes.io/instance-type": SIZE, "topology.kubernetes.io/zone": "eastus-1"}
    amounts = {"cpu": "24", "memory": "200Gi", "nvidia.com/gpu": "1", "pods": "110"}
    condition = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "kubelet is ready"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"aks-gpu-{number}", "labels": labels},
        "spec": {
            "providerID": f"azure:///{number}",
            "taints": [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}],
        },
        "status": {"capacity": amounts, "allocatable": amounts, "conditions": [condition]},
    }


def claim(number: int) -> dict[str, Any]:
    """The NodeClaim of a node; with the conditions, it is as large as the node."""
    labels = {"karpenter.sh/nodepool": "gpu", "node.kubernetes.io/instance-type": SIZE}
    names = ("Launched", "Registered", "Initialized", "Ready", "Consolidatable")
    conditions = [
        {"type": name, "status": "True", "reason": name, "message": "", "lastTransitionTime": "2026-11-29T09:00:00Z"}
        for name in names
    ]
    wanted = [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": [SIZE]}]
    spec = {"nodeClassRef": CLASS, "requirements": wanted, "expireAfter": "720h"}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodeClaim",
        "metadata": {"name": f"gpu-{number}", "labels": labels, "creationTimestamp": "2026-11-29T09:00:00Z"},
        "spec": spec,
        "status": {"nodeName": f"aks-gpu-{number}", "providerID": f"azure:///{number}", "conditions": conditions},
    }


def budget(number: int) -> dict[str, Any]:
    """A PodDisruptionBudget of the pods of one app in one namespace. Every other one allows no eviction."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": f"a{number % 100}", "namespace": f"ns-{number % 20}"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": f"a{number % 100}"}}},
        "status": {"disruptionsAllowed": number % 2},
    }


def pod(number: int) -> dict[str, Any]:
    """A pod; the last ones are Pending. One on each node has its GPU."""
    has_gpu, pending = number < NODES or number >= PODS - PENDING, number >= PODS - PENDING
    limits = {"nvidia.com/gpu": "1"} if has_gpu else {}
    container: dict[str, Any] = {"name": "main", "image": "contoso/chat:1", "env": [{"name": "A", "value": "b"}]}
    container |= {"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": limits}}
    spec: dict[str, Any] = {"containers": [container], "tolerations": [{"key": "sku", "operator": "Exists"}]}
    spec |= {} if pending else {"nodeName": f"aks-gpu-{number % NODES}"}
    conditions = [{"type": name, "status": "True"} for name in ("PodScheduled", "Initialized", "Ready")]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{number}", "namespace": f"ns-{number % 20}", "labels": {"app": f"a{number % 100}"}},
        "spec": spec,
        "status": {"phase": "Pending" if pending else "Running", "conditions": [] if pending else conditions},
    }


def event(number: int) -> dict[str, Any]:
    """An event of kube-scheduler about a pod."""
    about = {"kind": "Pod", "namespace": f"ns-{number % 20}", "name": f"pod-{number % PODS}"}
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"e{number}", "namespace": about["namespace"]},
        "involvedObject": about,
        "reason": "FailedScheduling",
        "message": f"{MESSAGE} (pod-{number})",
        "lastTimestamp": "2026-11-29T10:00:00Z",
    }


def dump() -> str:
    """The dump, as `kubectl get -o json` prints it."""
    wanted = [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": [SIZE]}]
    template = {"spec": {"nodeClassRef": CLASS, "requirements": wanted}}
    pool = {"limits": {"nvidia.com/gpu": NODES}, "template": template}
    items = [
        {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "gpu"}, "spec": {}},
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "gpu"}, "spec": pool},
        *map(node, range(NODES)),
        *map(claim, range(NODES)),
        *map(budget, range(BUDGETS)),
        *map(pod, range(PODS)),
        *map(event, range(EVENTS)),
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=4)


def measure(bench: Bench) -> Iterator[Row]:
    """Reading as JSON and as YAML, and a whole diagnosis against a process that only parses the JSON."""
    text = dump()
    yield _reading(bench, text, "JSON", Goal(3))
    yield _reading(bench, yaml.dump(json.loads(text), Dumper=yaml.CSafeDumper), "YAML", Goal(1.5))
    folder = bench.folder / "dump"
    folder.mkdir(parents=True)
    (folder / "dump.json").write_text(text, encoding="utf-8")
    subjects = {
        "diagnose": process((*PYTHON, "-c", _ANY_STATUS, *GITGPU, "diagnose", "dump.json"), folder),
        "parse": process((*PYTHON, "-c", PARSE, "dump.json"), folder),
    }
    costs = side_by_side(subjects, bench.rounds)
    what = f"diagnose, {PENDING} Pending pods of {PODS:,}"
    yield row(what, "json.load of the dump", (costs["diagnose"], costs["parse"]), Goal(20))


# `gitgpu diagnose` exits with 1, because something is wrong.
_ANY_STATUS = (
    "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode != 1)"
)


def _reading(bench: Bench, text: str, form: str, goal: Goal) -> Row:
    parse = json.loads if form == "JSON" else _load
    subjects = {"ours": lambda _: call(lambda: _read(text)), "theirs": lambda _: call(lambda: parse(text))}
    costs = side_by_side(subjects, bench.rounds)
    against = "json.loads" if form == "JSON" else "CSafeLoader"
    return row(f"reading a dump of {PODS:,} pods, {form}", against, (costs["ours"], costs["theirs"]), goal)


def _load(text: str) -> object:
    return yaml.load(text, yaml.CSafeLoader)


def _read(text: str) -> object:
    redact.cache_clear()  # starts empty in the program
    return read_dump([Text("dump", text, "dump")])


FIGURE = Figure("dump", "dumps of a cluster, against parsing them", measure)
