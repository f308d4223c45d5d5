"""Cases for Kueue's scheduler as objects of a whole cluster, and what gitgpu answers to them.

They have trees of cohorts, several groups of resources, LocalQueues in several namespaces, some of which no
ClusterQueue selects, queues that are stopped, and flavors with a topology. `python -m tests.simulate.queue_spaces
PROGRAM` records them, as `tests.simulate.queue_cases` does.
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from gitgpu.objects.objects import Given, Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.simulate.queue.admission import admissions
from gitgpu.source import SourceMap, Span
from tests.rules.objects.samples import KUBERNETES, shared_norms
from tests.simulate.queue_cases import API, FOLDER, GPU, Case

CASES, SEED = 120, 4203
GROUPS = ((GPU, "rdma/ib"), ("cpu", "memory"))
UNCONSTRAINED = "kueue.x-k8s.io/podset-unconstrained-topology"


def record(program: str) -> None:
    """Asks Kueue's scheduler about all cases."""
    asked = [json.dumps(_case(random.Random(SEED * CASES + number)), separators=(",", ":")) for number in range(CASES)]
    done = subprocess.run([program, "cycles"], input="\n".join(asked), capture_output=True, text=True, check=True)
    answered = zip(asked, done.stdout.split("\n"), strict=False)
    lines = [f'{{"case": {case}, "verdicts": {verdicts}}}\n' for case, verdicts in answered]
    (FOLDER / "spaces.jsonl").write_text("".join(lines), encoding="utf-8")


def answers(case: Case) -> list[Case]:
    """What gitgpu answers, in the form of the program."""
    works = [_job(number, workload) for number, workload in enumerate(case["workloads"])]
    classes = [_named("WorkloadPriorityClass", f"p{value}", value=value) for value in PRIORITIES]
    given = ("flavors", "topologies", "cohorts", "namespaces", "locals", "queues")
    bodies = [*(body for key in given for body in case[key]), *classes, *works]
    items = tuple(map(_item, bodies))
    norms, present = shared_norms(), frozenset(item.identity for item in items)
    made = admissions(Objects(items, present, norms.catalog, norms.kinds, KUBERNETES)).outcomes
    outcomes = [made[id(work)] for work in works]
    return [
        {"fits": not outcome.waits, "flavors": sorted(outcome.flavors) if not outcome.waits else [], "level": 0}
        for outcome in outcomes
    ]


def _item(body: Case) -> Item:
    scope = Scope.NAMESPACED if "namespace" in body["metadata"] else Scope.CLUSTER
    return Item(Given(body, SourceMap.of(Span("a.yaml", 1, 1))), identity(body), scope)


def _job(number: int, workload: Case) -> Case:
    """A Job, or a JobSet if it has several sets of pods."""
    labels = {"kueue.x-k8s.io/queue-name": workload["queue"]}
    if workload["priority"]:
        labels["kueue.x-k8s.io/priority-class"] = f"p{workload['priority']}"
    metadata = {"name": f"w{number}", "namespace": workload["namespace"], "labels": labels}
    metadata["creationTimestamp"] = workload["created"]
    jobs = [_job_spec(entry) for entry in workload["sets"]]
    if len(jobs) == 1:
        return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": jobs[0]}
    replicated = [{"name": f"s{index}", "replicas": 1, "template": {"spec": job}} for index, job in enumerate(jobs)]
    spec = {"replicatedJobs": replicated}
    return {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": metadata, "spec": spec}


def _job_spec(entry: Case) -> Case:
    template: Case = {"spec": {"restartPolicy": "Never", **entry["spec"]}}
    if "topology" in entry:
        template["metadata"] = {"annotations": {UNCONSTRAINED: "true"}}
    return {"parallelism": entry["number"], "completions": entry["number"], "template": template}


PRIORITIES = (-10, 0, 10, 1000)


def _named(kind: str, name: str, **content: Any) -> Case:
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name}, **content}


def _case(choose: random.Random) -> Case:
    by_topology = choose.random() < 0.3
    names = [f"f{index}" for index in range(choose.randint(2, 5))]
    flavors = [_flavor(name, choose, by_topology=by_topology) for name in names]
    others = [_named("ResourceFlavor", name, spec={}) for name in ("o0", "o1")]
    spaces = ["one", "two", "three"][: choose.randint(1, 3)]
    queues = [_queue(f"q{index}", names, choose) for index in range(choose.randint(2, 5))]
    locals_ = list(_locals(queues, spaces, choose))
    number = choose.randint(4, 12)
    ages = choose.sample(range(number), number)
    topology = _named("Topology", "hosts", spec={"levels": [{"nodeLabel": "kubernetes.io/hostname"}]})
    return {
        "flavors": [*flavors, *others],
        "topologies": [topology] if by_topology else [],
        "nodes": [_node(name) for name in names] if by_topology else [],
        "cohorts": list(_cohorts([*names], choose)),
        "namespaces": [_space(name, choose) for name in spaces],
        "locals": locals_,
        "queues": queues,
        "workloads": [_workload(locals_, age, choose, by_topology=by_topology) for age in ages],
    }


def _flavor(name: str, choose: random.Random, *, by_topology: bool) -> Case:
    spec: Case = {"nodeLabels": {"pool": name}}
    if choose.random() < 0.2:
        spec["nodeTaints"] = [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}]
        spec["tolerations"] = [{"key": "sku", "operator": "Exists"}][: choose.randint(0, 1)]
    if by_topology and choose.random() < 0.5:
        spec["topologyName"] = "hosts"
    return _named("ResourceFlavor", name, spec=spec)


def _node(pool: str) -> Case:
    """A node that is large enough for everything."""
    labels = {"pool": pool, "kubernetes.io/hostname": f"node-{pool}"}
    room = {"cpu": "1000", "memory": "1000Gi", "pods": "1000", GPU: "1000", "rdma/ib": "1000"}
    status = {"capacity": room, "allocatable": room, "conditions": [{"type": "Ready", "status": "True"}]}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": f"node-{pool}", "labels": labels},
        "status": status,
    }


def _cohorts(names: list[str], choose: random.Random) -> Iterator[Case]:
    """A tree: root, mid and side below it, and leaf below mid. Any of them can be missing, or own quota."""
    for name, parent in (("root", ""), ("mid", "root"), ("side", "root"), ("leaf", "mid")):
        if choose.random() < 0.7:
            spec: Case = {"parentName": parent} if parent else {}
            if choose.random() < 0.4:
                spec["resourceGroups"] = _groups(names, choose, limits=bool(parent))
            yield _named("Cohort", name, spec=spec)


def _queue(name: str, names: list[str], choose: random.Random) -> Case:
    cohort = choose.choice(["", "root", "mid", "side", "leaf", "leaf"])
    used = choose.sample(names, choose.randint(1, len(names)))
    spec: Case = {
        "resourceGroups": _groups(used, choose, limits=bool(cohort)),
        "queueingStrategy": choose.choice(["BestEffortFIFO", "BestEffortFIFO", "StrictFIFO"]),
        "flavorFungibility": {
            "whenCanBorrow": choose.choice(["MayStopSearch", "TryNextFlavor"]),
            "whenCanPreempt": choose.choice(["MayStopSearch", "TryNextFlavor"]),
        },
        "preemption": {"reclaimWithinCohort": "Never", "withinClusterQueue": "Never"},
        "stopPolicy": choose.choice(["None"] * 18 + ["Hold", "HoldAndDrain"]),
        **({"cohortName": cohort} if cohort else {}),
    }
    selector = choose.choice(
        [
            *({},) * 9,
            {"matchLabels": {"team": "a"}},
            {"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["b"]}]},
            {"matchExpressions": [{"key": "team", "operator": "Exists"}]},
            {"matchLabels": {"kubernetes.io/metadata.name": "one"}},
            None,
        ]
    )
    return _named("ClusterQueue", name, spec=spec | ({} if selector is None else {"namespaceSelector": selector}))


def _groups(names: list[str], choose: random.Random, *, limits: bool) -> list[Case]:
    def quotas(covered: tuple[str, ...], most: int) -> list[Case]:
        written = []
        for resource in covered:
            nominal = choose.randint(0, most) if choose.random() < 0.5 else most
            quota: Case = {"name": resource, "nominalQuota": str(nominal)}
            if limits and choose.random() < 0.4:
                quota["borrowingLimit"] = str(choose.randint(0, most))
            if limits and choose.random() < 0.4:
                quota["lendingLimit"] = str(choose.randint(0, nominal))
            written.append(quota)
        return written

    own, beside = GROUPS
    groups = [{"coveredResources": [*own], "flavors": [{"name": name, "resources": quotas(own, 12)} for name in names]}]
    if choose.random() < 0.7:
        flavors = [{"name": name, "resources": quotas(beside, 60)} for name in ("o0", "o1")]
        groups.append({"coveredResources": [*beside], "flavors": flavors})
    return groups


def _space(name: str, choose: random.Random) -> Case:
    team = choose.choice(["a", "b", ""])
    labels = {"kubernetes.io/metadata.name": name, **({"team": team} if team else {})}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def _locals(queues: list[Case], spaces: list[str], choose: random.Random) -> Iterator[Case]:
    for space in spaces:
        for queue in queues:
            spec = {"clusterQueue": queue["metadata"]["name"], "stopPolicy": choose.choice(["None"] * 19 + ["Hold"])}
            body = _named("LocalQueue", f"l{queue['metadata']['name']}", spec=spec)
            body["metadata"]["namespace"] = space
            yield body


def _workload(locals_: list[Case], age: int, choose: random.Random, *, by_topology: bool) -> Case:
    local = choose.choice(locals_)["metadata"]
    sets = []
    for _ in range(choose.choice([1, 1, 1, 2])):
        asked = {GPU: str(choose.randint(1, 4))}
        if choose.random() < 0.3:
            asked["rdma/ib"] = str(choose.randint(1, 2))
        if choose.random() < 0.2:
            asked["cpu"] = str(choose.randint(1, 9))
        spec: Case = {"containers": [{"name": "a", "image": "a", "resources": {"limits": asked, "requests": asked}}]}
        if choose.random() < 0.2:
            spec["nodeSelector"] = {"pool": choose.choice(["f0", "f1"])}
        sets.append({"number": choose.randint(1, 3), "spec": spec})
        if by_topology and choose.random() < 0.3:
            sets[-1]["topology"] = {"unconstrained": True}
    created = f"2026-11-30T08:00:{age:02d}Z"
    priority = choose.choice([0, 0, 0, *PRIORITIES])
    return {
        "namespace": local["namespace"],
        "queue": local["name"],
        "priority": priority,
        "created": created,
        "sets": sets,
    }


if __name__ == "__main__":
    record(sys.argv[1])
