"""Each key of a GpuWorkload and of a ring changes the output or the findings, or the reason is listed here."""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.emit.built import built, differences
from tests.emit.fleets import A100, GROUP, Body, cluster, document, fleet, pool, workload
from tests.emit.test_every_key import DEFINITIONS, values

Path = tuple[str | int, ...]
SAME = "what is written already, or happens without the key"
OFF = "false is what happens without the key"
REASONS: Mapping[str, Mapping[str, str]] = {  # by workload and key
    "target": {
        "computeDomain False": OFF,
        "cuda 12.8": "rules compare it with the driver of the pools",
        "scaling.min 1": SAME,
        "target.apiVersion apps/v1": SAME,
        "target.kind Deployment": SAME,
    },
    "queue": {"scaling.triggers.0.metricType AverageValue": SAME},
    "monitor": {"scaling.triggers.0.azureMonitor.aggregation Average": SAME},
    "job": {"job.template.spec.restartPolicy Never": SAME},
}
TARGET = {"kind": "Deployment", "name": "w"}
QUEUE: Body = {"serviceBus": {"namespace": "contoso-media", "queue": "recordings"}, "target": 1}
TOPIC: Body = {"serviceBus": {"namespace": "contoso-media", "topic": {"name": "a", "subscription": "b"}}, "target": 1}
STORAGE: Body = {"storageQueue": {"account": "contoso", "queue": "recordings"}, "target": 1}
MONITOR: Body = {
    "azureMonitor": {
        "tenant": "11111111-2222-3333-4444-555555555555",
        "resource": f"{GROUP}/Microsoft.ApiManagement/service/ai",
        "metric": "Capacity",
        "aggregation": "Average",
    },
    "target": 5,
}
IDENTITY = "22222222-3333-4444-5555-666666666666"
JOB: Body = {
    "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "w", "image": "contoso.azurecr.io/a:1"}]}}
}
PRESET = "qwen2.5-coder-7b-instruct"
MODEL: Body = {"adapters": [{"name": "a", "image": "contoso.azurecr.io/b:1"}]}
INPUT: Body = {"urls": ["https://contoso.blob.core.windows.net/data/a.parquet"]}
SERVICE: Body = {"url": "http://a/v1", "contextWindow": 9}
OUTPUT: Body = {"image": "contoso.azurecr.io/adapters/a:2", "pushSecret": "push"}


def scaled(*triggers: Body, **spec: Any) -> Body:
    """The spec of a workload that scales on triggers."""
    return {"target": TARGET, "scaling": {"identity": IDENTITY, "triggers": list(triggers), "max": 4}, **spec}


SPECS: Mapping[str, tuple[Body, tuple[str, ...]]] = {  # each workload, and the keys that are tried with it
    "target": (
        {"target": TARGET, "scaling": {"target": 60, "max": 4, "fallback": {"replicas": 3}}},
        (
            "pools",
            "clusters",
            "target",
            "gpus",
            "mig",
            "rdma",
            "computeDomain",
            "cuda",
            "scaling",
            "patches",
            "overrides",
        ),
    ),
    "queue": (scaled(QUEUE), ("scaling.triggers",)),
    "topic": (scaled(TOPIC), ("scaling.triggers.0.serviceBus.topic",)),
    "storage": (scaled(STORAGE), ("scaling.triggers.0.storageQueue",)),
    "monitor": (scaled(MONITOR), ("scaling.triggers.0.azureMonitor",)),
    "job": (scaled(QUEUE, target={"kind": "Job", "name": "w"}, job=JOB), ("job",)),
    "inference": ({"inference": {"preset": PRESET, "scaling": {"waiting": 5, "max": 3}}}, ("inference",)),
    "adapters": ({"inference": {"preset": PRESET, **MODEL}}, ("inference.adapters",)),
    "tuning": ({"tuning": {"preset": "phi-3-mini-4k-instruct", "input": INPUT, "output": OUTPUT}}, ("tuning",)),
    "rag": (
        {
            "rag": {
                "embedding": {"model": "BAAI/bge-base-en-v1.5"},
                "service": {"url": "http://a/v1", "contextWindow": 9},
            }
        },
        ("rag",),
    ),
}


def base(name: str) -> list[Body]:
    """A fleet with the workload of that name."""
    spec, _ = SPECS[name]
    if "target" in spec:
        written = workload("w", ["t4"], **spec)
        return [fleet(), cluster(), pool("t4"), pool("t4-share"), written]
    models = [cluster(stack={"kaito": "helm", "keda": "helm"}), pool("a100", A100, image={"osDiskGB": 256})]
    return [fleet(), *models, document("GpuWorkload", "w", {"pools": ["a100"], **spec}, namespace="serving")]


def keys(part: Mapping[str, Any], at: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The keys of a schema that do not only contain other keys, with their schema; of a list, those of an item."""
    schema = {**DEFINITIONS[part["$ref"].rpartition("/")[2]], **part} if "$ref" in part else part
    entry = schema.get("items", {})
    below = DEFINITIONS[entry["$ref"].rpartition("/")[2]] if "$ref" in entry else entry
    if "properties" in schema and schema.get("type") == "object":
        for key, value in schema["properties"].items():
            yield from keys(value, (*at, key))
        return
    yield at, schema
    if "properties" in below and at[-1] in ("triggers", "adapters", "containers"):
        yield from keys(below, (*at, 0))


def put(documents: list[Body], kind: str, path: Path, value: Any) -> list[Body]:
    """A copy of the documents, with the value in the document of a kind."""
    result = deepcopy(documents)
    at: Any = next(body for body in result if body["kind"] == kind)["spec"]
    for key in path[:-1]:
        at = at[key] if isinstance(key, int) else at.setdefault(key, {})
    at[path[-1]] = value
    return result


def is_written(documents: list[Body], path: Path) -> bool:
    """Whether the workload has the lists that are on a path."""
    at: Any = next(body for body in documents if body["kind"] == "GpuWorkload")["spec"]
    for key in path[: path.index(0)] if 0 in path else ():
        at = at.get(key, {})
    return 0 not in path or isinstance(at, list)


@pytest.mark.parametrize("name", SPECS)
def test_every_key_of_a_workload_counts_or_is_listed_with_its_reason(name: str, snapshot: SnapshotAssertion) -> None:
    documents, (_, prefixes) = base(name), SPECS[name]
    bare, silent, recorded, seen = built(documents), set(), list[str](), set[str]()
    assert bare.manifests, bare
    for name_of_part, written in bare.parts():
        if name_of_part.startswith(("workloads", "models")):
            recorded += [name_of_part, *(f"    {line}" for line in written)]
    for path, part in keys(DEFINITIONS["gpuworkload"]["properties"]["spec"]):
        dotted = ".".join(map(str, path))
        is_tried = any(f"{dotted}.".startswith(f"{prefix}.") for prefix in prefixes) and is_written(documents, path)
        for value in values(part) if is_tried else []:
            changed = built(put(documents, "GpuWorkload", path, value))
            if changed.outcome == bare.outcome:
                silent.add(f"{dotted} {value}")
            else:
                recorded += [f"{dotted}: {json.dumps(value)}", *differences(bare, changed, seen)]
    assert silent == set(REASONS.get(name, ()))
    assert "\n".join(recorded) == snapshot


def test_every_key_of_a_ring_does_what_it_does_in_the_cluster() -> None:
    whole = [fleet(), cluster(), pool("t4"), workload("w", ["t4"])]
    whole[0]["spec"]["rings"] = [{"name": "all", "clusters": ["one"]}]
    bare = built(whole)
    assert bare.manifests, bare
    for path, part in keys(DEFINITIONS["ring"]["properties"]["stack"], ("stack",)):
        for value in values(part):
            of_ring = built(put(whole, "Fleet", ("rings", 0, *path), value)).outcome
            of_cluster = built(put(whole, "Cluster", path, value)).outcome
            assert (of_ring == bare.outcome) == (of_cluster == bare.outcome), (path, value)
