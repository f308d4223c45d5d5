"""Pods that work only together: what the others mean for those that get a node."""

from typing import Any

import pytest

from gitgpu.simulate.forecast import Verdict
from tests.simulate.worlds import A100, CLASS, Body, forecast, pod_spec, pool, verdicts

NODES = (CLASS, pool("a100", A100, limits={"nvidia.com/gpu": "3"}))


def meta(name: str) -> Body:
    return {"name": name, "namespace": "a"}


def template(**more: Any) -> Body:
    return {**more, "spec": {"restartPolicy": "Never", **pod_spec(1)}}


def volcano(replicas: int, **spec: Any) -> Body:
    task = {"name": "a", "replicas": replicas, "template": template()}
    head = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": meta("job")}
    return {**head, "spec": {"tasks": [task], **spec}}


def pytorch(workers: int, **spec: Any) -> Body:
    roles = {
        "Master": {"template": template()},
        "Worker": {"replicas": workers, "template": template()},
    }
    head = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": meta("job")}
    return {**head, "spec": {"pytorchReplicaSpecs": roles, **spec}}


def leaders(replicas: int, size: int) -> Body:
    spec = {"replicas": replicas, "leaderWorkerTemplate": {"size": size, "workerTemplate": template()}}
    head = {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": meta("job")}
    return {**head, "spec": spec}


def job(pods: int, pod: Body) -> Body:
    spec = {"parallelism": pods, "completions": pods, "template": pod}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta("job"), "spec": spec}


def group(api_version: str, **spec: Any) -> Body:
    return {"apiVersion": api_version, "kind": "PodGroup", "metadata": meta("g"), "spec": spec}


def said(verdict: Verdict) -> list[str]:
    texts = [reason.message for reason in verdict.reasons if reason.kind == "gang"]
    return texts + [doubt.message for doubt in verdict.doubts if doubt.kind == "gang"]


def test_the_pods_of_a_volcano_job_start_together_or_not_at_all() -> None:
    answer = verdicts(*NODES, volcano(5))["job"]
    assert (answer.verdict, answer.high.placed) == ("unschedulable", 3)
    assert said(answer) == ["no pod of Job job starts: it needs 5 together, and 3 get a node"]
    assert said(verdicts(*NODES, volcano(3))["job"]) == []
    [text] = said(verdicts(*NODES, volcano(5, minAvailable=3))["job"])
    assert text == "Job job starts: it needs 3 pods, and 3 get a node"


def test_a_role_whose_pods_all_get_a_node_waits_for_the_others() -> None:
    """The master gets a node, and one worker gets none: it does not run."""
    answers = [result for result in verdict_list(*NODES, pytorch(3)) if result.high.replicas == 1]
    [master] = answers
    assert (master.verdict, master.certain) == ("schedulable", False)
    [doubt] = [doubt for doubt in master.doubts if doubt.kind == "gang"]
    assert "PyTorchJob job works only once all its pods run, and 1 of 4 do not get a node" in doubt.message
    assert [said(result) for result in verdict_list(*NODES, pytorch(2))] == [[], []]


def verdict_list(*bodies: Body) -> tuple[Verdict, ...]:
    return forecast(*bodies).verdicts


def test_an_elastic_job_works_with_its_minimum() -> None:
    bounds = {"elasticPolicy": {"minReplicas": 1, "maxReplicas": 5}}
    assert [said(result) for result in verdict_list(*NODES, pytorch(5, **bounds))] == [[], []]
    short = {"runPolicy": {"schedulingPolicy": {"minAvailable": 4}}}
    texts = [text for result in verdict_list(*NODES, pytorch(5, **short)) for text in said(result)]
    assert all("works only once 4 of its pods run, and 3 of 6 do not get a node" in text for text in texts)
    assert len(texts) == 2


def test_each_replica_of_a_leader_worker_set_is_a_gang() -> None:
    [text] = said(verdicts(*NODES, leaders(2, 2))["job"])
    assert "a replica of LeaderWorkerSet job works only once all its pods run, and 1 of 4 do not get a node" in text


@pytest.mark.parametrize(
    ("version", "spec", "pod"),
    [
        ("scheduling.x-k8s.io/v1alpha1", {"minMember": 5}, {"labels": {"scheduling.x-k8s.io/pod-group": "g"}}),
        ("scheduling.volcano.sh/v1beta1", {"minMember": 5}, {"annotations": {"scheduling.k8s.io/group-name": "g"}}),
    ],
)
def test_pods_that_name_a_group_of_a_scheduler_start_together(version: str, spec: Body, pod: Body) -> None:
    workload = job(5, template(metadata=pod))
    answer = verdicts(*NODES, group(version, **spec), workload)["job"]
    assert said(answer) == ["no pod of PodGroup g starts: it needs 5 together, and 3 get a node"]
    assert said(verdicts(*NODES, group(version, minMember=2), workload)["job"]) == [
        "PodGroup g starts: it needs 2 pods, and 3 get a node"
    ]
    alone = verdicts(*NODES, workload)["job"]
    assert "PodGroup g, with which it is scheduled, is not in the input" in [doubt.message for doubt in alone.doubts]


def test_pods_of_a_job_are_of_use_alone() -> None:
    assert said(verdicts(*NODES, job(5, template()))["job"]) == []


def test_a_ray_cluster_with_the_label_of_its_operator_is_a_gang() -> None:
    def ray(labels: Body) -> Body:
        group = {"groupName": "gpu", "replicas": 4, "minReplicas": 0, "maxReplicas": 4, "template": template()}
        head = {"rayStartParams": {}, "template": template()}
        spec = {"headGroupSpec": head, "workerGroupSpecs": [group]}
        return {
            "apiVersion": "ray.io/v1",
            "kind": "RayCluster",
            "metadata": {**meta("job"), "labels": labels},
            "spec": spec,
        }

    label = {"ray.io/gang-scheduling-enabled": "true"}
    assert [said(result) for result in verdict_list(*NODES, ray({}))] == [[], []]
    texts = [text for result in verdict_list(*NODES, ray(label)) for text in said(result)]
    assert all(
        "RayCluster job works only once all its pods run, and 2 of 5 do not get a node" in text for text in texts
    )
    assert texts
