"""The queue of the pods of each kind, which pods start together, and what suspends an object."""

from typing import Any

import yaml

from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.objects.workload.pods import Pod, pod_of
from gitgpu.objects.workload.queueing import Gang
from gitgpu.objects.workload.queues import may_be_queued, queue_of, suspension_place
from tests.helping.cases import for_each
from tests.rules.objects.samples import somewhere

QUEUE = "kueue.x-k8s.io/queue-name"
PODS = {"spec": {"containers": [{"name": "c"}]}}
QUEUED_PODS = {**PODS, "metadata": {"labels": {QUEUE: "a"}}}


def item_of(text: str, **spec: Any) -> Item:
    """An object: its version and kind, and the labels of its metadata."""
    version, kind, *labels = text.split()
    metadata = {"name": "o", "labels": dict.fromkeys(labels, "q")}
    body = {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}
    return Item(somewhere(body)[0], identity(body), Scope.NAMESPACED)


def pods_of(item: Item) -> list[Pod]:
    return [pod_of(item, template) for template in pod_templates(item)]


@for_each(
    ("item", "gang", "framework"),
    [
        (item_of(f"batch/v1 Job {QUEUE}", template=PODS), Gang.OBJECT, "batch/job"),
        (item_of(f"apps/v1 Deployment {QUEUE}", template=PODS), Gang.POD, "deployment"),
        (item_of(f"ray.io/v1 RayCluster {QUEUE}", headGroupSpec={"template": PODS}), Gang.OBJECT, "ray.io/raycluster"),
        (
            item_of(
                f"leaderworkerset.x-k8s.io/v1 LeaderWorkerSet {QUEUE}", leaderWorkerTemplate={"workerTemplate": PODS}
            ),
            Gang.REPLICA,
            "leaderworkerset.x-k8s.io/leaderworkerset",
        ),
        (
            item_of(f"kubeflow.org/v1 PyTorchJob {QUEUE}", pytorchReplicaSpecs={"Worker": {"template": PODS}}),
            Gang.OBJECT,
            "kubeflow.org/pytorchjob",
        ),
    ],
)
def test_objects_name_their_queue(item: Item, gang: Gang, framework: str) -> None:
    [pod] = pods_of(item)
    assert queue_of(pod) == ("q", ("metadata", "labels", QUEUE), gang, framework, "")


def test_the_jobs_of_a_schedule_have_the_labels_of_its_template() -> None:
    job = {"metadata": {"labels": {QUEUE: "nightly"}}, "spec": {"template": PODS}}
    [pod] = pods_of(item_of("batch/v1 CronJob", jobTemplate=job))
    queued = queue_of(pod)
    assert queued
    assert queued.pointer == ("spec", "jobTemplate", "metadata", "labels", QUEUE)
    [pod] = pods_of(item_of(f"batch/v1 CronJob {QUEUE}", jobTemplate={"spec": {"template": PODS}}))
    assert queue_of(pod) is None
    assert may_be_queued(pod)


@for_each(
    ("item", "place"),
    [
        (item_of("batch/v1 Job", template=QUEUED_PODS), ("spec", "template", "metadata", "labels")),
        (item_of("argoproj.io/v1alpha1 Rollout", template=QUEUED_PODS), ("spec", "template", "metadata", "labels")),
        (item_of(f"kubeflow.org/v1 Notebook {QUEUE}", template=PODS), ("metadata", "labels")),
        (
            item_of("serving.kserve.io/v1beta1 InferenceService", predictor={**PODS["spec"], "labels": {QUEUE: "a"}}),
            ("spec", "predictor", "labels"),
        ),
    ],
)
def test_other_pods_are_queued_one_by_one(item: Item, place: tuple[str, ...]) -> None:
    [pod] = pods_of(item)
    queued = queue_of(pod)
    assert queued
    assert (queued.pointer, queued.gang, queued.framework) == ((*place, QUEUE), Gang.POD, "pod")


def test_pods_of_a_group_start_together() -> None:
    group = "kueue.x-k8s.io/pod-group-name"
    for metadata in ({"labels": {QUEUE: "a", group: "g"}}, {"labels": {QUEUE: "a"}, "annotations": {group: "g"}}):
        [pod] = pods_of(item_of("apps/v1 ReplicaSet", template={**PODS, "metadata": metadata}))
        queued = queue_of(pod)
        assert queued
        assert queued.group == "g"


SUSPENDED = """
{apiVersion: batch/v1, kind: Job, spec: {suspend: true}}
{apiVersion: ray.io/v1, kind: RayService, spec: {rayClusterConfig: {suspend: true}}}
{apiVersion: kubeflow.org/v1, kind: TFJob, spec: {runPolicy: {suspend: true}}}
{apiVersion: kubeflow.org/v1, kind: Notebook, metadata: {annotations: {kubeflow-resource-stopped: "now"}}}
{apiVersion: serving.kserve.io/v1, kind: InferenceService, metadata: {annotations: {serving.kserve.io/stop: "true"}}}
{apiVersion: keda.sh/v1alpha1, kind: ScaledJob, metadata: {annotations: {autoscaling.keda.sh/paused: "true"}}}
"""
RUNNING = """
{apiVersion: batch/v1, kind: Job, spec: {suspend: false}}
{apiVersion: apps/v1, kind: Deployment, spec: {suspend: true}}
{apiVersion: kubeflow.org/v1, kind: TFJob, spec: {suspend: true}}
{apiVersion: serving.kserve.io/v1, kind: InferenceService, metadata: {annotations: {serving.kserve.io/stop: "false"}}}
"""


@for_each("text", SUSPENDED.split("\n")[1:-1])
def test_what_suspends_a_kind(text: str) -> None:
    body = yaml.load(text, yaml.CSafeLoader)
    assert suspension_place(Item(somewhere(body)[0], identity(body), Scope.NAMESPACED))


@for_each("text", RUNNING.split("\n")[1:-1])
def test_what_does_not(text: str) -> None:
    body = yaml.load(text, yaml.CSafeLoader)
    assert suspension_place(Item(somewhere(body)[0], identity(body), Scope.NAMESPACED)) is None


def test_frameworks_have_the_names_of_kueue() -> None:
    frameworks = {known.integration.framework for known in WORKLOAD_KINDS.values() if known.integration}
    assert frameworks == {
        "batch/job",
        "deployment",
        "jobset.x-k8s.io/jobset",
        "kubeflow.org/jaxjob",
        "kubeflow.org/mpijob",
        "kubeflow.org/paddlejob",
        "kubeflow.org/pytorchjob",
        "kubeflow.org/tfjob",
        "kubeflow.org/xgboostjob",
        "leaderworkerset.x-k8s.io/leaderworkerset",
        "ray.io/raycluster",
        "ray.io/rayjob",
        "ray.io/rayservice",
        "sparkoperator.k8s.io/sparkapplication",
        "statefulset",
        "trainer.kubeflow.org/trainjob",
    }
