"""The control plane itself: it serves, it makes pods of DaemonSets, and it says no in words."""

import pytest

from tests.e2e.client import Object, RefusedError
from tests.e2e.conftest import Cluster
from tests.e2e.fleet import namespace
from tests.e2e.processes import until

NODE: Object = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "smoke"}}


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
    namespace(cluster.client, "smoke")
    cluster.client.apply(NODE)
    cluster.client.apply(daemon_set({}))
    try:
        until(lambda: cluster.client.list("v1", "Pod", "app=smoke"), "a pod")
        status = until(lambda: (cluster.client.get(daemon_set({})) or {}).get("status"), "a status")
        assert not status.get("numberReady")
    finally:
        cluster.client.delete(daemon_set({}))
        cluster.client.delete(NODE)


def test_an_unknown_field_is_refused_by_name(cluster: Cluster) -> None:
    namespace(cluster.client, "smoke")
    with pytest.raises(RefusedError, match=r"spec\.strategy"):
        cluster.client.apply(daemon_set({"strategy": {}}))
