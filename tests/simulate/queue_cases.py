"""Cases for Kueue's own flavor assigner and scheduler, and what gitgpu answers to them.

`python -m tests.simulate.queue_cases PROGRAM` asks the program of tests/e2e/queues about 200 cases of each, the same
each time, and records them with its verdicts.
"""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from gitgpu.diagnostic import Places
from gitgpu.model.catalog import Catalog
from gitgpu.objects.objects import Given, Identity, Item, Objects, identity
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.quotas import cluster_queues
from gitgpu.objects.queues.tree import tree
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.pods import Pod
from gitgpu.schedule.quota_tree import Node
from gitgpu.simulate.queue.assignment import Assignment, PodSet, assign
from gitgpu.simulate.queue.cycles import Unit, admit

API, GPU = "kueue.x-k8s.io/v1beta2", "nvidia.com/gpu"
FOLDER = Path(__file__).parent / "queue_verdicts"
CASES, SEED = 200, 42
Case = dict[str, Any]


def record(program: str) -> None:
    """Asks the program about all cases: its flavor assigner, and its scheduler."""
    for name, make in (("cases", _case), ("cycles", _submitted)):
        cases = (make(random.Random(SEED * CASES + number)) for number in range(CASES))
        asked = [json.dumps(case, separators=(",", ":")) for case in cases]
        done = subprocess.run([program, name], input="\n".join(asked), capture_output=True, text=True, check=True)
        lines = [
            f'{{"case": {case}, "verdicts": {verdicts}}}\n'
            for case, verdicts in zip(asked, done.stdout.split("\n"), strict=False)
        ]
        (FOLDER / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


def recorded(name: str = "cases") -> list[Case]:
    """The recorded cases with their verdicts."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def answers(case: Case) -> list[Case]:
    """What gitgpu answers to a case, in the form of the program."""
    objects = _objects(case)
    queues, known, quota = cluster_queues(objects), flavors(objects), tree(objects)
    found = []
    for workload in case["workloads"]:
        sets = tuple(_sets(workload["sets"]))
        assignment = assign(sets, queues[workload["queue"]], known, quota)
        for resource, amount in assignment.use.items() if not assignment.waits else ():
            quota.add(Node(True, workload["queue"]), resource, amount)
        found.append(_answer(assignment))
    return found


def admissions(case: Case) -> list[Case]:
    """The same if all workloads are submitted at once."""
    objects = _objects(case)
    waiting: dict[str, list[Unit]] = {}
    for number, workload in enumerate(case["workloads"]):
        unit = Unit(number, workload["priority"], workload["created"], tuple(_sets(workload["sets"])))
        waiting.setdefault(workload["queue"], []).append(unit)
    done = admit(waiting, cluster_queues(objects), flavors(objects), tree(objects))
    return [_answer(assignment) | {"level": 0} for _, assignment in sorted(done, key=lambda pair: pair[0].of)]


def _objects(case: Case) -> Objects:
    items = tuple(map(_item, (*case["flavors"], *case["queues"], *case["cohorts"])))
    present = frozenset(item.identity for item in items)
    return Objects(items=items, present=present, catalog=cast(Catalog, None), kinds={})


def shown(verdict: Case) -> Case:
    """A verdict of the program as `answers` gives it: the flavors of all pods together."""
    names = sorted({name for each in verdict.get("flavors") or () for name in each.values()})
    return {"fits": verdict["fits"], "flavors": names, "level": verdict["level"]}


def _answer(assignment: Assignment) -> Case:
    if assignment.waits:
        return {"fits": False, "flavors": [], "level": 0}
    return {"fits": True, "flavors": sorted(assignment.flavors), "level": assignment.level}


def _item(body: Case) -> Item:
    return Item(Given(body, cast(Places, None)), identity(body), Scope.CLUSTER)


def _sets(written: Sequence[Case]) -> Iterator[PodSet]:
    for entry in written:
        item = Item(Given({}, cast(Places, None)), Identity("", "Pod", "a", "a"), Scope.NAMESPACED)
        pod = Pod(item, ("spec",), entry["spec"], {})
        yield PodSet(pod, entry["number"], pod.requests())


def _case(choose: random.Random) -> Case:
    names = [f"f{index}" for index in range(choose.randint(1, 3))]
    covered = [GPU, "cpu"] if choose.random() < 0.5 else [GPU]
    cohorts = ["c0", "c1"][: choose.randint(0, 4)]
    queues = [_queue(f"q{index}", names, covered, choose) for index in range(choose.randint(1, 3))]
    return {
        "flavors": [_flavor(name, choose) for name in names],
        "cohorts": [_cohort(name, names, covered, choose) for name in cohorts],
        "queues": queues,
        "workloads": [_workload(queues, covered, choose) for _ in range(choose.randint(2, 8))],
    }


def _submitted(choose: random.Random) -> Case:
    """A case whose workloads have priorities and ages, and whose queues can be strict."""
    case = _case(choose)
    if choose.random() < 0.5:
        _contend(case, choose)
    for queue in case["queues"]:
        queue["spec"]["queueingStrategy"] = choose.choice(["BestEffortFIFO", "BestEffortFIFO", "StrictFIFO"])
    number = len(case["workloads"])
    for workload, age in zip(case["workloads"], choose.sample(range(number), number), strict=True):
        workload["priority"] = choose.choice([0, 0, 0, 10, -10])
        workload["created"] = f"2026-11-30T08:00:{age:02d}Z"
    return case


def _contend(case: Case, choose: random.Random) -> None:
    """Puts all queues in one cohort, with more and smaller workloads, so that they take quota from each other."""
    case["cohorts"] = []
    for queue in case["queues"]:
        queue["spec"]["cohortName"] = "all"
        if choose.random() < 0.3:
            queue["spec"]["preemption"] = {"reclaimWithinCohort": "Never", "withinClusterQueue": "Never"}
    covered = case["queues"][0]["spec"]["resourceGroups"][0]["coveredResources"]
    case["workloads"] += [_workload(case["queues"], covered, choose) for _ in range(choose.randint(4, 12))]
    for each in (pod_set for workload in case["workloads"] for pod_set in workload["sets"]):
        each["number"] = 1


def _flavor(name: str, choose: random.Random) -> Case:
    spec: Case = {"nodeLabels": {"pool": name}}
    if choose.random() < 0.3:
        effect = choose.choice(["NoSchedule", "NoExecute", "PreferNoSchedule"])
        spec["nodeTaints"] = [{"key": "sku", "value": choose.choice(["gpu", "other"]), "effect": effect}]
    if choose.random() < 0.3:
        spec["tolerations"] = [{"key": "sku", "operator": "Exists"}]
    return {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": name}, "spec": spec}


def _groups(names: Sequence[str], covered: Sequence[str], choose: random.Random, *, limits: bool) -> list[Case]:
    def amounts() -> list[Case]:
        written = []
        for resource in covered:
            nominal = choose.randint(0, 8)
            quota: Case = {"name": resource, "nominalQuota": str(nominal)}
            if limits and choose.random() < 0.4:
                quota["borrowingLimit"] = str(choose.randint(0, 4))
            if limits and choose.random() < 0.4:
                quota["lendingLimit"] = str(choose.randint(0, nominal))
            written.append(quota)
        return written

    return [{"coveredResources": list(covered), "flavors": [{"name": name, "resources": amounts()} for name in names]}]


def _cohort(name: str, names: Sequence[str], covered: Sequence[str], choose: random.Random) -> Case:
    spec: Case = {"parentName": "root"} if choose.random() < 0.5 else {}
    if choose.random() < 0.4:
        spec["resourceGroups"] = _groups(names, covered, choose, limits="parentName" in spec)
    return {"apiVersion": API, "kind": "Cohort", "metadata": {"name": name}, "spec": spec}


def _queue(name: str, names: Sequence[str], covered: Sequence[str], choose: random.Random) -> Case:
    cohort = choose.choice(["", "c0", "c1", "root"])
    used = choose.sample(list(names), choose.randint(1, len(names)))
    spec: Case = {"namespaceSelector": {}, "resourceGroups": _groups(used, covered, choose, limits=bool(cohort))}
    if cohort:
        spec["cohortName"] = cohort
    borrow = choose.choice(["MayStopSearch", "TryNextFlavor"])
    spec["flavorFungibility"] = {"whenCanBorrow": borrow, "whenCanPreempt": "TryNextFlavor"}
    return {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


def _workload(queues: Sequence[Case], covered: Sequence[str], choose: random.Random) -> Case:
    sets = []
    for _ in range(choose.choice([1, 1, 1, 2])):
        asked = {GPU: str(choose.randint(1, 4))}
        if "cpu" in covered and choose.random() < 0.7:
            asked["cpu"] = str(choose.randint(1, 3))
        spec: Case = {"containers": [{"name": "a", "resources": {"limits": asked, "requests": asked}}]}
        if choose.random() < 0.3:
            spec["tolerations"] = [{"key": "sku", "operator": "Equal", "value": "gpu"}]
        if choose.random() < 0.2:
            spec["nodeSelector"] = {choose.choice(["pool", "disk"]): choose.choice(["f0", "f1"])}
        elif choose.random() < 0.2:
            rule = {
                "key": choose.choice(["pool", "disk"]),
                "operator": choose.choice(["In", "NotIn"]),
                "values": ["f0"],
            }
            terms = {"nodeSelectorTerms": [{"matchExpressions": [rule]}]}
            spec["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
        sets.append({"number": choose.randint(1, 3), "spec": spec})
    return {"queue": choose.choice(queues)["metadata"]["name"], "sets": sets}


if __name__ == "__main__":
    record(sys.argv[1])
