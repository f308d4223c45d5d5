"""Host ports: two pods with the same port run on two nodes."""

import pytest

from tests.simulate.worlds import H100X8, Body, deployment, nodes, pool

WEB = {"ports": [{"containerPort": 8080}]}


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ({"main": WEB}, 1),
        ({"main": WEB, "hostNetwork": False}, 1),
        ({"main": WEB, "hostNetwork": True}, 2),
        ({"main": {"ports": [{"containerPort": 8080, "hostPort": 80}]}, "hostNetwork": False}, 2),
        ({"main": {"ports": []}, "hostNetwork": True}, 1),
        ({"initContainers": [{"name": "init", "image": "x", **WEB}], "hostNetwork": True}, 1),
    ],
)
def test_on_the_network_of_the_host_every_port_is_one_of_the_node(spec: Body, count: int) -> None:
    assert len(nodes(pool("h", H100X8), deployment("web", 2, **spec))) == count
