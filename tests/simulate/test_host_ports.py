"""Host ports: two pods with the same port run on two nodes."""

from tests.helping.cases import for_each
from tests.simulate.worlds import H100X8, Body, deployment, nodes, pool

WEB = {"ports": [{"containerPort": 8080}]}


@for_each(
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
def test_with_host_network_every_port_is_a_port_of_the_node(spec: Body, count: int) -> None:
    assert len(nodes(pool("h", H100X8), deployment("web", 2, **spec))) == count


@for_each(
    ("first", "second", "count"),
    [
        ({}, {}, 2),
        ({}, {"protocol": "TCP"}, 2),
        ({}, {"protocol": "UDP"}, 1),
        ({}, {"hostPort": 81}, 1),
        ({"hostIP": "10.0.0.1"}, {"hostIP": "10.0.0.1"}, 2),
        ({"hostIP": "10.0.0.1"}, {"hostIP": "10.0.0.2"}, 1),
        ({"hostIP": "10.0.0.1"}, {}, 2),
        ({"hostIP": "0.0.0.0"}, {"hostIP": "10.0.0.2"}, 2),
        ({"hostIP": "10.0.0.1"}, {"hostIP": "::"}, 2),
    ],
)
def test_ports_of_two_pods_on_one_node(first: Body, second: Body, count: int) -> None:
    """A port on all addresses conflicts with the same port on any address."""
    pods: list[Body] = [
        {"main": {"ports": [{"containerPort": 80, "hostPort": 80, **more}]}} for more in (first, second)
    ]
    bodies = [deployment(f"w{at}", **pod) for at, pod in enumerate(pods)]
    assert len(nodes(pool("h", H100X8), *bodies)) == count


def test_with_host_network_different_ports_do_not_conflict() -> None:
    pods: list[Body] = [{"main": {"ports": [{"containerPort": port}]}, "hostNetwork": True} for port in (80, 81)]
    assert len(nodes(pool("h", H100X8), *(deployment(f"w{at}", **pod) for at, pod in enumerate(pods)))) == 1
