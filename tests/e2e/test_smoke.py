"""The control plane itself: it serves requests, creates pods for DaemonSets, and rejects invalid objects."""

import pytest

from tests.e2e.client import Object, RefusedError
from tests.e2e.conftest import Cluster
from tests.e2e.fleet import namespace
from tests.e2e.nodes import node
from tests.e2e.processes import until


def daemon_set(extra: Object) -> Object:
    """A DaemonSet for every node."""
    labels = {"app": "smoke"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": "example.com/x:1"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "smoke", "namespace": "smoke"},
        "spec": {"selector": {"matchLabels": labels}, "template": template, **extra},
    }


def test_a_daemon_set_gets_a_pod_for_each_node(cluster: Cluster) -> None:
    """Without a kubelet the pod stays Pending, so that the DaemonSet is not ready: what the tests of delivery need."""
    client = cluster.client
    namespace(client, "smoke")
    with node(client, "smoke", {}):
        client.apply(daemon_set({}))
        (pod,) = until(lambda: client.list("v1", "Pod", "app=smoke"), "a pod")
        status = until(lambda: wanting_pods(client.get(daemon_set({}))), "a DaemonSet that counts its nodes")
        assert pod["status"]["phase"] == "Pending"
        assert not status["numberReady"]
        client.delete(daemon_set({}))
        until(lambda: not client.list("v1", "Pod", "app=smoke"), "its pods are collected with it")


def wanting_pods(body: Object | None) -> Object | None:
    """The status of a DaemonSet that has nodes to serve."""
    status = (body or {}).get("status") or {}
    return status if status.get("desiredNumberScheduled") else None


def test_an_unknown_field_is_refused_by_name(cluster: Cluster) -> None:
    namespace(cluster.client, "smoke")
    with pytest.raises(RefusedError, match=r"spec\.strategy"):
        cluster.client.apply(daemon_set({"strategy": {}}))
