"""A model of KServe on several nodes: how many pods it has, the GPUs of each, and what they wait for."""

from typing import Any

import pytest

from gitgpu.objects.workload.pod_templates import templates_in
from tests.helping.cases import for_each
from tests.simulate.worlds import A100, CLASS, GPU, Body, forecast, pool

NODE = {"nodeSelector": {"karpenter.sh/nodepool": "a"}, "tolerations": [{"operator": "Exists"}]}


def gpus(number: int) -> Body:
    return {"resources": {"requests": {GPU: str(number)}, "limits": {GPU: str(number)}}} if number else {}


def runtime(workers: Any = None, **spec: Any) -> Body:
    container = {"name": "worker-container", "image": "kserve/huggingfaceserver:v0.15.0-gpu"}
    given = {"containers": [container]} if workers is None else workers
    return {
        "apiVersion": "serving.kserve.io/v1alpha1",
        "kind": "ClusterServingRuntime",
        "metadata": {"name": "multi"},
        "spec": {"containers": [{"name": "kserve-container", "image": "x:1"}], "workerSpec": given, **spec},
    }


def service(head: int, worker: int, sizes: tuple[int, int], **predictor: Any) -> Body:
    pipeline, tensor = sizes
    workers = {**NODE, "pipelineParallelSize": pipeline, "tensorParallelSize": tensor}
    if worker:
        workers["containers"] = [{"name": "worker-container", **gpus(worker)}]
    model = {"modelFormat": {"name": "huggingface"}, "runtime": "multi", "storageUri": "pvc://m/x", **gpus(head)}
    return {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": {"name": "llm", "namespace": "a"},
        "spec": {"predictor": {**NODE, "model": model, "workerSpec": workers, **predictor}},
    }


def pods(body: Body, of: Body) -> list[tuple[int, str]]:
    """The pods of each group, and the GPUs that one requests, with the runtime in the predictor."""
    predictor = {**body["spec"]["predictor"], "servingRuntime": of["spec"]}
    templates = [each for each in templates_in({**body, "spec": {"predictor": predictor}}) if not each.partial]
    return [
        (each.counted().high, each.body["spec"]["containers"][0]["resources"]["requests"][GPU]) for each in templates
    ]


@for_each(
    ("head", "worker", "sizes", "expected"),
    [
        (1, 1, (4, 1), [(1, "1"), (3, "1")]),
        (0, 4, (2, 4), [(1, "4"), (1, "4")]),
        (0, 3, (2, 4), [(1, "2"), (2, "3")]),
        (8, 4, (2, 4), [(1, "8"), (0, "0")]),
        (2, 0, (2, 2), [(1, "2"), (2, "1")]),
        (0, 0, (3, 1), [(1, "1"), (2, "1")]),
        (1, 4, (2, 4), []),  # KServe refuses it: five GPUs are fewer than eight
    ],
)
def test_the_pods_and_gpus_of_head_and_workers(
    head: int, worker: int, sizes: tuple[int, int], expected: list[tuple[int, str]]
) -> None:
    assert pods(service(head, worker, sizes), runtime()) == expected


def test_with_processes_instead_of_ray_the_sizes_alone_decide() -> None:
    by_processes = runtime(annotations={"multinode/executor-backend": "mp"})
    assert pods(service(1, 1, (3, 2)), by_processes) == [(1, "2"), (2, "2")]


def test_the_sizes_of_the_runtime_apply_where_the_service_has_none() -> None:
    body = service(1, 1, (1, 1))
    del body["spec"]["predictor"]["workerSpec"]["pipelineParallelSize"]
    workers = {**runtime()["spec"]["workerSpec"], "pipelineParallelSize": 3, "tensorParallelSize": 8}
    assert pods(body, runtime(workers)) == [(1, "1"), (2, "1")]


def test_a_runtime_without_workers_leaves_the_pods_unknown() -> None:
    assert pods(service(1, 1, (4, 1)), runtime(workers={})) == []


@pytest.mark.parametrize(("limit", "waits"), [(4, False), (3, True)])
def test_head_and_workers_are_one_gang(limit: int, waits: bool) -> None:
    found = forecast(CLASS, pool("a", A100, limits={GPU: str(limit)}), service(1, 1, (4, 1)), runtime())
    assert sorted(verdict.high.replicas for verdict in found.verdicts) == [1, 3]
    assert found.notes == ()
    said = [doubt.message for verdict in found.verdicts for doubt in verdict.doubts if doubt.kind == "gang"]
    assert any("works only once all its pods run, and 1 of 4 do not get a node" in text for text in said) is waits


def test_pods_of_a_service_without_workers_are_no_gang() -> None:
    alone = service(1, 0, (1, 1), minReplicas=3)
    del alone["spec"]["predictor"]["workerSpec"]
    found = forecast(CLASS, pool("a", A100, limits={GPU: "2"}), alone, runtime())
    assert [verdict.high.placed for verdict in found.verdicts] == [2]
    assert not [doubt for verdict in found.verdicts for doubt in verdict.doubts if doubt.kind == "gang"]
