"""The number of pods of a workload, from its replicas and its scaler."""

import pytest

from tests.helping.cases import for_each
from tests.simulate.worlds import (
    A100,
    CLASS,
    GPU,
    H100X8,
    NAME,
    Body,
    deployment,
    forecast,
    forecasts,
    only,
    pod_spec,
    pool,
    verdicts,
)

NODES = pool("h", H100X8)


def of(kind: str, version: str, **spec: object) -> Body:
    """An object of a kind."""
    return {"apiVersion": version, "kind": kind, "metadata": {"name": "w", "namespace": "a"}, "spec": spec}


TEMPLATE = {"metadata": {"labels": {"app": "w"}}, "spec": pod_spec()}
JOB = {"spec": {**pod_spec(), "restartPolicy": "Never"}}
SELECTOR = {"matchLabels": {"app": "w"}}
HPA = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "w", "namespace": "a"},
    "spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "w"}, "maxReplicas": 5},
}
CRON = {"timezone": "UTC", "start": "0 6 * * *", "end": "0 8 * * *", "desiredReplicas": "2"}
TRIGGERS = [{"type": "cron", "metadata": CRON}]
SCALED = {
    "apiVersion": "keda.sh/v1alpha1",
    "kind": "ScaledObject",
    "metadata": {"name": "w", "namespace": "a"},
    "spec": {"scaleTargetRef": {"name": "w"}, "triggers": TRIGGERS},
}
SCALED_JOB: Body = {"jobTargetRef": {"template": JOB}, "triggers": TRIGGERS}
PARALLEL_JOB: Body = {
    "jobTargetRef": {"template": JOB, "parallelism": 2, "completions": 4},
    "triggers": TRIGGERS,
    "minReplicaCount": 1,
}


def edited(body: Body, **spec: object) -> Body:
    """An object with further fields in its spec."""
    return {**body, "spec": {**body["spec"], **spec}}


RAY: Body = {"replicas": 2, "minReplicas": 1, "maxReplicas": 5, "numOfHosts": 2, "template": TEMPLATE}
WORKER: Body = {"replicas": 3, "template": TEMPLATE}
SCALED_REVISION: Body = {
    **TEMPLATE,
    "metadata": {"annotations": {"autoscaling.knative.dev/min-scale": "1", "autoscaling.knative.dev/max-scale": "3"}},
}
FEWEST: Body = {"minReplicas": 1, "template": TEMPLATE}


SETS: dict[str, tuple[list[Body], int, int]] = {
    "Pod": ([of("Pod", "v1", **pod_spec())], 1, 1),
    "Deployment": ([deployment("w", 3)], 3, 3),
    "Deployment of one": ([of("Deployment", "apps/v1", selector=SELECTOR, template=TEMPLATE)], 1, 1),
    "Deployment of none": ([deployment("w", 0)], 0, 0),
    "StatefulSet": (
        [of("StatefulSet", "apps/v1", replicas=4, serviceName="w", selector=SELECTOR, template=TEMPLATE)],
        4,
        4,
    ),
    "Job": ([of("Job", "batch/v1", parallelism=4, completions=10, template=JOB)], 4, 4),
    "Job that needs fewer": ([of("Job", "batch/v1", parallelism=4, completions=2, template=JOB)], 2, 2),
    "CronJob": (
        [of("CronJob", "batch/v1", schedule="0 1 * * *", jobTemplate={"spec": {"parallelism": 2, "template": JOB}})],
        0,
        2,
    ),
    "HorizontalPodAutoscaler": ([deployment("w", 9), HPA], 1, 5),
    "ScaledObject": ([deployment("w", 9), SCALED], 0, 100),
    "HorizontalPodAutoscaler with a least": ([deployment("w", 9), edited(HPA, minReplicas=2)], 2, 5),
    "HorizontalPodAutoscaler from zero, which is rejected": ([deployment("w", 9), edited(HPA, minReplicas=0)], 9, 9),
    "Job that is done": (
        [
            of("Job", "batch/v1", template=JOB) | {"status": {"conditions": [{"type": "Complete", "status": "True"}]}},
            {**deployment("v", 2), "metadata": {"name": "w", "namespace": "a"}},
        ],
        2,
        2,
    ),
    "RayCluster": ([of("RayCluster", "ray.io/v1", workerGroupSpecs=[RAY])], 4, 4),
    "RayCluster above its maximum": ([of("RayCluster", "ray.io/v1", workerGroupSpecs=[RAY | {"replicas": 9}])], 10, 10),
    "RayCluster without replicas": ([of("RayCluster", "ray.io/v1", workerGroupSpecs=[FEWEST])], 1, 1),
    "RayCluster with its autoscaler": (
        [of("RayCluster", "ray.io/v1", enableInTreeAutoscaling=True, workerGroupSpecs=[RAY])],
        2,
        10,
    ),
    "RayJob": ([of("RayJob", "ray.io/v1", rayClusterSpec={"workerGroupSpecs": [RAY]})], 4, 4),
    "JobSet that needs fewer": (
        [
            of(
                "JobSet",
                "jobset.x-k8s.io/v1alpha2",
                replicatedJobs=[
                    {"replicas": 2, "template": {"spec": {"parallelism": 4, "completions": 2, "template": JOB}}}
                ],
            ),
        ],
        4,
        4,
    ),
    "ScaledObject with bounds": ([deployment("w", 9), edited(SCALED, minReplicaCount=2, maxReplicaCount=3)], 2, 3),
    "ScaledJob": ([of("ScaledJob", "keda.sh/v1alpha1", **SCALED_JOB)], 0, 100),
    "ScaledJob with bounds": (
        [of("ScaledJob", "keda.sh/v1alpha1", **SCALED_JOB, minReplicaCount=1, maxReplicaCount=5)],
        1,
        5,
    ),
    "ScaledJob of several pods": ([of("ScaledJob", "keda.sh/v1alpha1", **PARALLEL_JOB, maxReplicaCount=3)], 2, 6),
    "ReplicaSet": ([of("ReplicaSet", "apps/v1", replicas=2, selector=SELECTOR, template=TEMPLATE)], 2, 2),
    "Job of one": ([of("Job", "batch/v1", template=JOB)], 1, 1),
    "suspended by parallelism": ([of("Job", "batch/v1", parallelism=0, template=JOB)], 0, 0),
    "JobSet": (
        [
            of(
                "JobSet",
                "jobset.x-k8s.io/v1alpha2",
                replicatedJobs=[
                    {"name": "x", "replicas": 2, "template": {"spec": {"parallelism": 3, "template": JOB}}}
                ],
            )
        ],
        6,
        6,
    ),
    "an unknown kind": (
        [of("Cluster", "ray.io/v9", workers=[{"replicas": 3, "template": TEMPLATE}])],
        3,
        3,
    ),
    "an unknown version of a kind": ([of("RayCluster", "ray.io/v9", workerGroupSpecs=[RAY])], 4, 4),
    "RayCronJob": ([of("RayCronJob", "ray.io/v1", jobTemplate={"rayClusterSpec": {"workerGroupSpecs": [RAY]}})], 0, 4),
    "PyTorchJob": ([of("PyTorchJob", "kubeflow.org/v1", pytorchReplicaSpecs={"Worker": WORKER})], 3, 3),
    "elastic PyTorchJob": (
        [
            of(
                "PyTorchJob",
                "kubeflow.org/v1",
                elasticPolicy={"minReplicas": 1, "maxReplicas": 5},
                pytorchReplicaSpecs={"Worker": WORKER},
            )
        ],
        1,
        5,
    ),
    "Job of Volcano": ([of("Job", "batch.volcano.sh/v1alpha1", tasks=[WORKER])], 3, 3),
    "Rollout": ([of("Rollout", "argoproj.io/v1alpha1", replicas=2, template=TEMPLATE)], 2, 2),
    "Notebook": ([of("Notebook", "kubeflow.org/v1", template=TEMPLATE)], 1, 1),
    "InferenceService": (
        [
            of(
                "InferenceService",
                "serving.kserve.io/v1beta1",
                predictor={**TEMPLATE["spec"], "minReplicas": 0, "maxReplicas": 2},
            )
        ],
        0,
        2,
    ),
    "Service of Knative": ([of("Service", "serving.knative.dev/v1", template=SCALED_REVISION)], 1, 3),
    "LeaderWorkerSet": (
        [
            of(
                "LeaderWorkerSet",
                "leaderworkerset.x-k8s.io/v1",
                replicas=2,
                leaderWorkerTemplate={"size": 4, "workerTemplate": TEMPLATE},
            )
        ],
        8,
        8,
    ),
}


@for_each("name", SETS)
def test_how_many_replicas_each_kind_has(name: str) -> None:
    bodies, low, high = SETS[name]
    result = only(NODES, *bodies)
    assert (result.low.replicas, result.high.replicas) == (low, high)
    assert (result.low.placed, result.high.placed) == (low, high)


def test_each_item_of_a_list_counts() -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": [deployment("one"), deployment("two")]}
    assert set(verdicts(NODES, listed)) == {"one", "two"}


def test_pods_of_an_owned_workload_are_not_counted_twice() -> None:
    owned = of("Pod", "v1", **pod_spec())
    owners = [{"apiVersion": "batch/v1", "kind": "Job", "name": "j", "uid": "u", "controller": True}]
    owned["metadata"]["ownerReferences"] = owners
    job = of("Job", "batch/v1", template=JOB)
    job["metadata"]["name"] = "j"
    assert set(verdicts(NODES, owned, job, deployment("x"))) == {"j", "x"}
    assert set(verdicts(NODES, owned, deployment("x"))) == {"w", "x"}


def test_pods_of_a_replica_set_of_a_deployment_are_not_counted_twice() -> None:
    owned = of("Pod", "v1", **pod_spec())
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "x-5d8f", "uid": "u", "controller": True}
    owned["metadata"]["ownerReferences"] = [owner]
    assert set(verdicts(NODES, owned, deployment("x"))) == {"x"}
    assert set(verdicts(NODES, owned, deployment("z"))) == {"w", "z"}


def test_minimum_and_maximum_replicas_are_priced() -> None:
    result = only(pool("a", A100), deployment("w"), HPA)
    assert (result.low.price, result.high.price) == (3.673, 18.365)
    assert only(pool("a", A100, limits={GPU: "4"}), deployment("w"), HPA).verdict == "unschedulable"


def test_very_many_replicas_are_not_placed_one_by_one() -> None:
    result = only(pool("a", A100, limits={GPU: "2"}), deployment("w", 10**9))
    assert (result.high.replicas, result.high.placed, result.verdict) == (10_000, 2, "unschedulable")
    assert "only 10,000 of 1,000,000,000 pods were simulated" in [doubt.message for doubt in result.doubts]


def test_a_pod_template_of_an_unknown_kind_is_checked_against_the_pod_schema() -> None:
    broken = of("Cluster", "ray.io/v9", template={"spec": {"containers": [{"name": "x", "resources": 1}]}})
    result = only(NODES, broken)
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "refused")


def scaler(kind: str = "HorizontalPodAutoscaler", to: str = "w", of: str = "Deployment", **spec: object) -> Body:
    """A scaler of the Deployment w."""
    version = "autoscaling/v2" if kind == "HorizontalPodAutoscaler" else "keda.sh/v1alpha1"
    reference = {"apiVersion": "apps/v1", "kind": of, "name": to}
    meta = {"name": "s", "namespace": "a"}
    return {"apiVersion": version, "kind": kind, "metadata": meta, "spec": {"scaleTargetRef": reference, **spec}}


@for_each(
    ("given", "expected"),
    [
        (scaler(maxReplicas="4"), "HorizontalPodAutoscaler a/s scales nothing because it is rejected: "),
        (scaler("ScaledObject", triggers=7), "ScaledObject a/s scales nothing because it is rejected: "),
        (scaler(to="x", maxReplicas=4), "HorizontalPodAutoscaler a/s scales Deployment a/x, whose pods are not in the"),
        (scaler(of="Rollout", maxReplicas=4), "HorizontalPodAutoscaler a/s scales Rollout a/w, whose pods are not in "),
    ],
)
def test_a_scaler_without_effect_is_reported(given: Body, expected: str) -> None:
    result = forecast(CLASS, pool("a", A100), deployment("w", 2), given)
    assert [verdict.high.replicas for verdict in result.verdicts] == [2]
    (note,) = result.notes
    assert note.startswith(expected)


@for_each(
    ("kind", "version", "spec"),
    [
        (
            "InferenceService",
            "serving.kserve.io/v1beta1",
            {"predictor": {"model": {"resources": {"limits": {GPU: "1"}}}}},
        ),
        ("Server", "example.com/v1alpha1", {"resources": {"requests": {GPU: 1}}}),
        ("TrainJob", "trainer.kubeflow.org/v1alpha1", {"trainer": {"resourcesPerNode": {"limits": {GPU: 8}}}}),
        ("SparkApplication", "sparkoperator.k8s.io/v1beta2", {"executor": {"gpu": {"name": GPU, "quantity": 1}}}),
    ],
)
def test_a_kind_whose_pods_are_not_read_is_named(kind: str, version: str, spec: Body) -> None:
    result = forecast(CLASS, pool("a", A100), of(kind, version, **spec))
    assert result.verdicts == ()
    why = "gitgpu does not read the pods of this kind" if kind == "Server" else "other objects complete its pods"
    assert result.notes == (f"{kind} a/w requests {GPU}, but {why}",)
    resources = {"predictor": {"resources": {"limits": {"cpu": "1"}}}}
    assert forecast(CLASS, pool("a", A100), of(kind, version, **resources)).notes == ()


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ({"replicas": 2, "maxReplicas": 5, "template": TEMPLATE}, "maxReplicas"),
        ({"runPolicy": {"suspend": True}, "replicas": {"Worker": {"template": TEMPLATE}}}, "suspend"),
        ({"elasticPolicy": {"minReplicas": 1}, "worker": {"template": TEMPLATE}}, "elasticPolicy"),
    ],
)
def test_scaling_that_is_not_read_is_a_doubt(spec: Body, key: str) -> None:
    of_kind, doubt = only(pool("a", A100), of("TrainJob", "example.com/v1", **spec)).doubts
    assert of_kind.message == "gitgpu does not know the kind TrainJob, and counts its pods by its replicas"
    assert doubt.message == f"{key} of a TrainJob is not read, and changes how many pods there are"


def test_an_autoscaler_of_groups_of_pods_sets_the_number_of_groups() -> None:
    version = "leaderworkerset.x-k8s.io/v1"
    workers = of("LeaderWorkerSet", version, replicas=2, leaderWorkerTemplate={"size": 2, "workerTemplate": TEMPLATE})
    name = workers["metadata"]["name"]
    result = forecast(CLASS, pool("a", A100), workers, scaler(of="LeaderWorkerSet", to=name, maxReplicas=4))
    assert [(verdict.low.replicas, verdict.high.replicas) for verdict in result.verdicts] == [(2, 8)]
    assert result.notes == ()


def test_a_scaler_of_an_unknown_kind_is_reported() -> None:
    servers = of("Server", "example.com/v1", replicas=2, template=TEMPLATE)
    name = servers["metadata"]["name"]
    result = forecast(CLASS, pool("a", A100), servers, scaler(of="Server", to=name, maxReplicas=9))
    assert [verdict.high.replicas for verdict in result.verdicts] == [2]
    assert [note.partition(" scales ")[2].partition(" a/")[0] for note in result.notes] == ["Server"]


def test_a_scaler_with_effect_is_not_reported() -> None:
    result = forecast(CLASS, pool("a", A100), deployment("w"), scaler(maxReplicas=3))
    assert (result.verdicts[0].high.replicas, result.notes) == (3, ())
    dumped = scaler(maxReplicas=3)
    dumped["metadata"]["ownerReferences"] = [
        {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "name": "gone", "uid": "1", "controller": True}
    ]
    assert forecast(CLASS, pool("a", A100), deployment("w"), dumped).verdicts[0].high.replicas == 3


def test_the_last_of_several_scalers_takes_effect_and_all_are_reported() -> None:
    other = scaler(maxReplicas=5)
    other["metadata"]["name"] = "t"
    result = forecast(CLASS, pool("a", A100), deployment("w"), scaler(maxReplicas=3), other)
    both = "HorizontalPodAutoscaler a/s and HorizontalPodAutoscaler a/t"
    assert result.verdicts[0].high.replicas == 5
    assert result.notes == (f"Deployment a/w is scaled by {both}: only the last one is simulated",)


def test_pods_that_kaito_creates_are_reported() -> None:
    body: Body = {"apiVersion": "kaito.sh/v1beta1", "kind": "Workspace", "metadata": {"name": "m", "namespace": "a"}}
    labels = {"matchLabels": {"apps": "m"}}
    body |= {"resource": {"labelSelector": labels}, "inference": {"preset": {"name": "phi-4-mini-instruct"}}}
    engine: Body = {"apiVersion": "kaito.sh/v1beta1", "kind": "RAGEngine", "metadata": {"name": "r", "namespace": "a"}}
    compute = {"instanceType": A100, "labelSelector": labels}
    of_engine = {"local": {"modelID": "BAAI/bge-small-en-v1.5"}}
    engine["spec"] = {
        "compute": compute,
        "embedding": of_engine,
        "inferenceService": {"url": "http://m/v1", "contextWindowSize": 8},
    }
    several: Body = {"apiVersion": "kaito.sh/v1alpha1", "kind": "InferenceSet"}
    several |= {"metadata": {"name": "s", "namespace": "a"}}
    inference = {"resource": {"instanceType": A100}, "inference": {"preset": {"name": "phi-4-mini-instruct"}}}
    several["spec"] = {"replicas": 2, "labelSelector": labels, "template": inference}
    result = forecast(CLASS, pool("a", A100), body, engine, several)
    kinds = ("Workspace a/m", "InferenceSet a/s", "RAGEngine a/r")
    reported = [f"{name} is not simulated: KAITO creates its pods" for name in kinds]
    assert list(result.notes) == reported


def foreign(name: str) -> Body:
    """A NodePool of another cloud."""
    node = {"nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "gpu"}, "requirements": []}
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {"template": {"spec": node}},
    }


def test_a_node_pool_of_another_cloud_is_skipped_and_may_run_the_pod() -> None:
    chosen = deployment("w", 1, nodeSelector={"karpenter.sh/nodepool": "aws"})
    result = forecast(NODES, CLASS, foreign("aws"), chosen)
    assert result.notes == ("NodePool aws is ignored: its node class is not an AKSNodeClass",)
    assert not result.verdicts[0].certain
    assert {node.pool for node in result.high} <= {"h"}
    assert forecast(NODES, CLASS, foreign("aws"), deployment("w", 1, nodeSelector={NAME: H100X8})).verdicts[0].certain


def test_a_directory_with_only_pools_of_other_clouds_is_not_a_cluster() -> None:
    assert forecasts(foreign("aws"), deployment("w", 1)) == []
