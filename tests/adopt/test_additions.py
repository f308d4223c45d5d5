"""What a patch adds to running pods, and which fields of a ScaledJob are its own."""

from typing import Any

from gitgpu.adopt.workloads.additions import additions
from gitgpu.adopt.workloads.jobs import own_job
from gitgpu.adopt.workloads.models import same_model
from gitgpu.emit.kinds.kaito_model import SCALE
from tests.helping.cases import for_each

TAINT = {"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}
BARE = {"key": "spot", "effect": "NoExecute"}


@for_each(
    ("own", "adds"),
    [
        ({}, True),
        (TAINT, False),
        ({"key": "sku", "value": "gpu"}, False),
        ({"key": "sku", "value": "gpu", "effect": ""}, False),
        ({"key": "sku", "value": "gpu", "effect": "NoExecute"}, True),
        ({"key": "sku", "value": "other", "effect": "NoSchedule"}, True),
        ({"key": "sku", "effect": "NoSchedule"}, True),
        ({"key": "other", "value": "gpu", "effect": "NoSchedule"}, True),
        ({"key": "sku", "operator": "Exists"}, False),
        ({"key": "sku", "operator": "Exists", "effect": "NoExecute"}, True),
        ({"operator": "Exists", "effect": "NoSchedule"}, False),
        ({"key": "", "operator": "Exists"}, False),
        ({"key": "other", "operator": "Exists"}, True),
    ],
)
def test_a_toleration_that_the_pod_has_is_not_added(own: dict[str, Any], adds: bool) -> None:
    added = additions({"tolerations": [TAINT]}, {"tolerations": [own]})
    assert added == (["a toleration of sku=gpu:NoSchedule"] if adds else [])


def test_tolerations_without_a_value() -> None:
    assert additions({"tolerations": [BARE]}, {}) == ["a toleration of spot:NoExecute"]
    assert additions({"tolerations": [BARE]}, {"tolerations": None}) == ["a toleration of spot:NoExecute"]
    assert additions({"tolerations": [BARE]}, {"tolerations": [{"key": "spot"}]}) == []
    assert additions({"tolerations": [BARE, TAINT]}, {"tolerations": [TAINT, BARE]}) == []


def with_affinity(*values: str, key: str = "pool") -> dict[str, Any]:
    """A pod that must run on nodes with one of these values."""
    terms = [{"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}]
    required = {"nodeSelectorTerms": terms}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}}


@for_each(
    ("values", "pod", "added"),
    [
        (["a"], {}, ["a node affinity for pool in a"]),
        (["a", "b"], {}, ["a node affinity for pool in a, b"]),
        (["a"], with_affinity("a"), []),
        (["a"], with_affinity("b"), ["a node affinity for pool in a"]),
        (["a"], {"nodeSelector": {"pool": "a"}}, []),
        (["a"], {"nodeSelector": {"pool": "b"}}, ["a node affinity for pool in a"]),
        (["a", "b"], {"nodeSelector": {"pool": "a"}}, ["a node affinity for pool in a, b"]),
        (["a"], {"nodeSelector": {"other": "a"}}, ["a node affinity for pool in a"]),
    ],
)
def test_an_affinity_to_nodes(values: list[str], pod: dict[str, Any], added: list[str]) -> None:
    assert additions(with_affinity(*values), pod) == added


def test_selectors_limits_and_claims() -> None:
    wanted = {
        "nodeSelector": {"a": "1", "b": "2"},
        "containers": [{"name": "work", "resources": {"limits": {"nvidia.com/gpu": 2, "rdma/ib": 1}}}],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "one"}],
    }
    assert additions(wanted, {}) == [
        "the node selector a=1",
        "the node selector b=2",
        "the limit nvidia.com/gpu: 2",
        "the limit rdma/ib: 1",
        "a claim of the template one",
    ]
    pod = {
        "nodeSelector": {"a": "1", "b": "3"},
        "containers": [
            {"name": "other", "resources": {"limits": {"rdma/ib": 1}}},
            {"name": "work", "resources": {"limits": {"nvidia.com/gpu": "2"}}},
        ],
        "resourceClaims": [{"resourceClaimTemplateName": "one"}],
    }
    assert additions(wanted, pod) == ["the node selector b=2", "the limit rdma/ib: 1"]
    assert additions(wanted, wanted) == []
    assert additions({"containers": [{"name": "work"}]}, with_affinity("a")) == []


POD: dict[str, Any] = {
    "restartPolicy": "Never",
    "tolerations": [TAINT, BARE],
    "affinity": {"nodeAffinity": {"a": 1}, "podAffinity": {"b": 2}},
    "containers": [
        {"name": "work", "image": "a", "resources": {"limits": {"gpu": 1, "cpu": 2}, "requests": {"gpu": 1}}},
        {"name": "other", "resources": {"limits": {"gpu": 1}}},
    ],
}


def test_the_job_of_a_scaled_job_keeps_its_own_fields() -> None:
    job = {"parallelism": 2, "template": {"metadata": {"labels": {}}, "spec": POD}}
    own = own_job(job, "work", "gpu", ["sku"])
    assert own == {
        "parallelism": 2,
        "template": {
            "metadata": {"labels": {}},
            "spec": {
                "restartPolicy": "Never",
                "tolerations": [BARE],
                "affinity": {"podAffinity": {"b": 2}},
                "containers": [
                    {"name": "work", "image": "a", "resources": {"limits": {"cpu": 2}}},
                    {"name": "other", "resources": {"limits": {"gpu": 1}}},
                ],
            },
        },
    }


def test_fields_that_gitgpu_adds_are_left_out_of_the_job() -> None:
    pod = {
        "affinity": {"nodeAffinity": {"a": 1}},
        "tolerations": [TAINT],
        "containers": [{"name": "work", "resources": {"limits": {"gpu": 1}}}],
    }
    assert own_job({"template": {"spec": pod}}, "work", "gpu", ["sku"]) == {
        "template": {"spec": {"containers": [{"name": "work"}]}}
    }
    assert own_job({}, "work", "gpu", []) == {"template": {"spec": {"containers": []}}}


@for_each(
    ("other", "fields"),
    [
        ({}, []),
        ({"resource": {"count": 1}, "spec": {"replicas": 1, "nodeCountLimit": 1}}, []),
        ({"resource": {"count": 2}}, ["resource.count"]),
        ({"spec": {"replicas": 2, "nodeCountLimit": 3}}, ["spec.nodeCountLimit", "spec.replicas"]),
        ({"inference": {"preset": {"name": "x"}, "adapters": [], "config": None, "empty": ""}},
         ["inference.preset.name"]),
        ({"tuning": {"method": "lora"}}, ["tuning.method"]),
        ({"kind": "Other"}, ["kind"]),
        ({"metadata": {"annotations": {f"{SCALE}/max-replicas": "2", "owner": "me"}}},
         [f"annotations.{SCALE}/max-replicas"]),
        ({"metadata": {"labels": {"a": "b"}}, "status": {"a": 1}}, []),
        ({"resource": {"names": ["b", {"y": 1, "x": 2}]}}, ["resource.names"]),
    ],
)  # fmt: skip
def test_the_fields_in_which_models_differ(other: dict[str, Any], fields: list[str]) -> None:
    model = {"kind": "Workspace"}
    assert same_model(model, {**model, **other}) == fields
    assert same_model({**model, **other}, model) == fields
