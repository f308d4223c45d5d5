"""The resources that a node has for pods: shared GPUs, DaemonSets, and where Azure offers each size."""

from decimal import Decimal
from typing import Any

from gitgpu.model.syntax.requirement import requirement
from gitgpu.objects.software.plugin_configs import PluginConfig
from gitgpu.simulate.instance.offerings import Offerings
from gitgpu.simulate.instance.overhead import Daemon, ports_of_daemons, without_daemons
from gitgpu.simulate.instance.sharing import Shared, _shared, shared_amounts
from gitgpu.simulate.pod.host_ports import HostPort, is_taken
from tests.helping.cases import for_each
from tests.simulate.worlds import A100, GPU, ZONE, Body, catalog, daemon, deployment, only, pool

FOUR = {"name": GPU, "replicas": 4}
Item: Any = None  # sharing does not depend on the item it is read from


@for_each(
    ("sharing", "expected"),
    [
        ({"timeSlicing": {"resources": [FOUR]}}, [Shared(GPU, GPU, 4)]),
        ({"timeSlicing": {"renameByDefault": True, "resources": [FOUR]}}, [Shared(GPU, f"{GPU}.shared", 4)]),
        ({"timeSlicing": {"renameByDefault": "yes", "resources": [FOUR]}}, [Shared(GPU, GPU, 4)]),
        ({"mps": {"renameByDefault": True, "resources": [FOUR]}}, [Shared(GPU, GPU, 4)]),
        ({"timeSlicing": {"resources": [{**FOUR, "rename": "turn"}]}}, [Shared(GPU, "nvidia.com/turn", 4)]),
        ({"timeSlicing": {"resources": [{**FOUR, "rename": "nvidia.com/turn"}]}}, [Shared(GPU, "nvidia.com/turn", 4)]),
        (
            {"timeSlicing": {"renameByDefault": True, "resources": [{**FOUR, "rename": "turn"}]}},
            [Shared(GPU, "nvidia.com/turn", 4)],
        ),
        ({"timeSlicing": {"resources": [{"name": "gpu", "replicas": 2}]}}, [Shared(GPU, GPU, 2)]),
        ({"timeSlicing": {"resources": [{"name": GPU, "replicas": 1}]}}, []),
        ({"timeSlicing": {"resources": [{"name": GPU, "replicas": "4"}, {"replicas": 4}, None]}}, []),
        (
            {"timeSlicing": {"resources": [FOUR, {"name": "mig-1g.5gb", "replicas": 2}]}},
            [Shared(GPU, GPU, 4), Shared("nvidia.com/mig-1g.5gb", "nvidia.com/mig-1g.5gb", 2)],
        ),
    ],
)
def test_what_is_shared(sharing: Body, expected: list[Shared]) -> None:
    assert list(_shared(PluginConfig(Item, (), "any", {"version": "v1", "sharing": sharing}))) == expected


def test_the_resources_of_a_node_with_shared_gpus() -> None:
    has = {GPU: Decimal(2), "cpu": Decimal(8), "nvidia.com/mig-1g.5gb": None}
    assert shared_amounts(has, (Shared(GPU, GPU, 4),)) == {**has, GPU: Decimal(8)}
    assert shared_amounts(has, (Shared(GPU, "nvidia.com/turn", 4),)) == {
        **has,
        GPU: Decimal(0),
        "nvidia.com/turn": Decimal(8),
    }
    assert shared_amounts(has, (Shared("nvidia.com/mig-1g.5gb", "nvidia.com/mig-1g.5gb", 2),)) == has
    assert shared_amounts(has, (Shared("nvidia.com/other", "nvidia.com/other", 2),)) == has


WEB, OTHER = HostPort(80, "TCP", ""), HostPort(81, "TCP", "")
ONE, TWO = ({ZONE: requirement(ZONE, "In", [f"eastus-{at}"])} for at in (1, 2))


def test_a_daemon_takes_from_the_nodes_of_any_of_its_terms() -> None:
    here = Daemon("a", (ONE, TWO), {"cpu": Decimal(1), "pods": Decimal(1)}, frozenset({WEB}))
    there = Daemon("b", (TWO,), {"cpu": Decimal(2), "x": Decimal(3)}, frozenset({OTHER}))
    has = {"cpu": Decimal(8), "memory": None, "pods": Decimal(110)}
    assert without_daemons(has, (here, there), ONE) == {"cpu": Decimal(7), "memory": None, "pods": Decimal(109)}
    assert without_daemons(has, (here, there), TWO) == {"cpu": 5, "memory": None, "pods": 109, "x": -3}
    assert without_daemons({"cpu": None}, (there,), TWO) == {"cpu": None, "x": Decimal(-3)}
    assert ports_of_daemons((here, there), ONE) == frozenset({WEB})
    assert ports_of_daemons((here, there), TWO) == frozenset({WEB, OTHER})


def alternatives(*pools: str) -> Body:
    """Node affinity with a term for each pool."""
    terms = [
        {"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "In", "values": [name]}]} for name in pools
    ]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


@for_each(
    ("spec", "fits"),
    [
        ({}, False),
        ({"affinity": alternatives("a", "b")}, False),
        ({"affinity": alternatives("b")}, True),
        ({"tolerations": []}, True),
        ({"tolerations": [{"key": "sku", "value": "gpu"}]}, False),
        ({"nodeSelector": {"unknown": "label"}}, True),
        ({"nodeSelector": {"karpenter.sh/registered": "true"}}, False),
        ({"nodeSelector": {"karpenter.sh/initialized": "true"}}, False),
        ({"nodeSelector": {"kubernetes.io/os": "linux"}}, False),
        ({"nodeSelector": {"kubernetes.io/os": "windows"}}, True),
    ],
)
def test_which_daemonsets_run_on_a_pool(spec: Body, fits: bool) -> None:
    """A node has 191 GiB: a pod of 100 GiB fits only if the DaemonSet that requests 100 GiB does not run there."""
    result = only(
        pool("a", A100), daemon("d", {"memory": "100Gi"}, **spec), deployment("w", requests={"memory": "100Gi"})
    )
    assert (result.verdict == "schedulable") is fits


@for_each(
    ("other", "clash"),
    [
        (("TCP", ""), True),
        (("UDP", ""), False),
        (("TCP", "0.0.0.0"), True),
        (("TCP", "::"), True),
        (("TCP", "10.0.0.1"), True),
    ],
)
def test_ports_of_all_addresses(other: tuple[str, str], clash: bool) -> None:
    assert is_taken([HostPort(80, *other)], [HostPort(80, "TCP", "")]) is clash
    assert is_taken([HostPort(80, "TCP", "")], [HostPort(80, *other)]) is clash
    assert not is_taken([HostPort(81, *other)], [HostPort(80, "TCP", "")])


def test_ports_of_single_addresses() -> None:
    first, second = HostPort(80, "TCP", "10.0.0.1"), HostPort(80, "TCP", "10.0.0.2")
    assert is_taken([first], [first])
    assert not is_taken([first], [second])
    assert is_taken([OTHER, first], [second, first])
    assert not is_taken([], [first])


def test_the_offerings_of_a_region() -> None:
    offerings = Offerings(catalog(), "southcentralus", {A100: 1.5}, ())
    zones = sorted({offering.zone for offering in offerings.by_number})
    assert zones == ["0", "southcentralus-1", "southcentralus-2", "southcentralus-3"]
    assert (offerings.zones_known, offerings.zoneless, len(offerings.by_number), offerings.every) == (True, "0", 8, 255)
    sku = catalog().sku(A100)
    assert sku
    sold = [offering.zone for at, offering in enumerate(offerings.by_number) if offerings.of_size(sku) >> at & 1]
    assert sorted(set(sold)) == ["0", "southcentralus-1", "southcentralus-3"]
    demand = sku._replace(row={**sku.row, "spot": False})
    assert not any(
        offering.spot for at, offering in enumerate(offerings.by_number) if offerings.of_size(demand) >> at & 1
    )
    spot = next(offering for offering in offerings.by_number if offering.spot and offering.zone == "0")
    plain = next(offering for offering in offerings.by_number if not offering.spot and offering.zone == "0")
    assert (offerings.price(sku, spot), offerings.highest_price(sku, spot)) == (1.5, 1.5)
    assert offerings.price(sku, plain) == offerings.highest_price(sku, plain) == offerings.prices[A100]
    unsaid = Offerings(catalog(), "southcentralus", {}, ())
    assert (unsaid.price(sku, spot), unsaid.highest_price(sku, spot)) == (None, offerings.prices[A100])
    assert offerings.rank(sku._replace(priced=False), plain)[0] == 999.0
    assert offerings.rank(sku._replace(name="unknown"), plain)[:3] == (999.0, True, True)
    assert offerings.rank(sku, spot) < offerings.rank(sku, plain)
    assert offerings.rank(sku, plain) == (offerings.prices[A100], True, True, A100)


def test_an_unknown_region_has_the_zones_that_objects_name() -> None:
    offerings = Offerings(catalog(), "mine", {}, ["mine-2", "mine-1", "mine-2"])
    assert [offering.zone for offering in offerings.by_number[::2]] == ["mine-1", "mine-2", "0"]
    assert (offerings.zones_known, offerings.prices) == (False, {})
