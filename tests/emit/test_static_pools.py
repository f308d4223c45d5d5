"""Pools with `replicas` are static NodePools in Karpenter."""

from typing import Any

from tests.emit.fleets import Body, cluster, emitted, fleet, pool


def spec_of(**spec: Any) -> Body:
    """The spec of the NodePool of a pool with two replicas."""
    own = pool("a", **{"replicas": 2, **spec})
    if "limits" not in spec:
        del own["spec"]["limits"]
    written: Body = emitted(fleet(), cluster(), own).one("NodePool", "a")["spec"]
    return written


def test_a_static_pool_has_replicas_and_nothing_that_the_api_server_refuses() -> None:
    assert spec_of().keys() == {"template", "replicas"}
    assert spec_of()["replicas"] == 2
    assert spec_of(limits={"nodes": 3})["limits"] == {"nodes": "3"}
    assert spec_of(replicas=0)["replicas"] == 0


def test_budgets_of_a_static_pool_apply() -> None:
    """`consolidateAfter` is required with them, but ignored."""
    disruption = spec_of(disruption={"budgets": [{"nodes": "1"}]})["disruption"]
    assert disruption["budgets"] == [{"nodes": "1"}]
    assert "consolidateAfter" in disruption
