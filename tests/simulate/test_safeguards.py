"""Requests that AKS Automatic sets or raises: the tables of its documentation."""

from dataclasses import replace
from typing import Any

import pytest

from gitgpu.objects.items import gather, item_of
from gitgpu.objects.safeguards import Safeguards
from gitgpu.objects.workload.pods import pods
from gitgpu.simulate.pod.admitted_pods import admitted_pod
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, shared_norms, somewhere

Body = dict[str, Any]
TWO_GIB, HALF = "2Gi", "500m"


def stored(amounts: Body, safeguards: Safeguards | None, kind: str = "Deployment", **pod: Any) -> Body:
    """The requests and limits of the container of a workload in namespace serving, as the API server stores it."""
    spec = {"containers": [{"name": "main", "image": "app:1", "resources": amounts}], **pod}
    template = {"metadata": {"labels": {"app": "a"}}, "spec": spec}
    whole: Body = {"selector": {"matchLabels": {"app": "a"}}, "template": template}
    whole |= {"serviceName": "a"} if kind == "StatefulSet" else {}
    body: Body = {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "a", "namespace": "serving"},
        "spec": whole,
    }
    if kind == "Pod":
        body |= {"apiVersion": "v1", "spec": spec}
    norms = shared_norms()
    items = [item_of(given, norms.contracts.clamp(KUBERNETES), norms)[0] for given in somewhere(body)]
    objects = gather(items, KUBERNETES, norms, closed=False)
    [only] = pods(objects)
    [[_, container]] = admitted_pod(only, replace(objects, safeguards=safeguards, sorted={}, cache={})).containers()
    return dict(container["resources"])


@for_each(
    ("given", "requests", "limits"),
    [
        ({}, {"cpu": HALF, "memory": TWO_GIB}, {"cpu": HALF, "memory": TWO_GIB}),
        ({"requests": {"cpu": "10m"}}, {"cpu": "100m", "memory": TWO_GIB}, {"memory": TWO_GIB}),
        ({"limits": {"memory": "64Mi"}}, {"cpu": HALF}, {"cpu": HALF, "memory": "100Mi"}),
        (
            {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"nvidia.com/gpu": 1}},
            {"cpu": "2", "memory": "1Gi"},
            {"nvidia.com/gpu": 1},
        ),
        ({"requests": {"cpu": "100m", "memory": "100Mi"}}, {"cpu": "100m", "memory": "100Mi"}, {}),
    ],
)
def test_what_is_missing_gets_a_default_and_what_is_less_the_least(given: Body, requests: Body, limits: Body) -> None:
    assert stored(given, Safeguards()) == {"requests": requests, "limits": limits}


@pytest.mark.parametrize("kind", ["DaemonSet", "StatefulSet"])
def test_every_workload_that_creates_pods_is_changed(kind: str) -> None:
    assert stored({}, Safeguards(("other",)), kind)["requests"]["memory"] == TWO_GIB


def test_nothing_else_is_changed() -> None:
    assert stored({}, None) == {}
    assert stored({}, Safeguards(("serving",))) == {}
    assert stored({}, Safeguards(), resources={"requests": {"cpu": "1"}}) == {}
    assert stored({}, Safeguards(), "Pod") == {}
