"""The registry of a cluster: names of copies, chart values, pull secrets, and sources of charts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit.emitter import Body
from gitgpu.model.software.registries import azure_name
from gitgpu.plan.decided.registry import Registry
from tests.emit.fleets import CATALOG, H100, MI300X, Emitted, cluster, emitted, fleet, plans, pool, workload
from tests.helping.cases import for_each

MIRROR = "contoso.azurecr.io/mirror"
CHARTS = "oci://contoso.azurecr.io/charts"
NVIDIA = f"{MIRROR}/nvcr.io/nvidia"
HOSTS = st.sampled_from(sorted({"nvcr.io", "docker.io", "quay.io"}))
PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join)


def with_registry(*documents: Body, **registry: str) -> Emitted:
    return emitted(fleet(stack={"driver": "operator", "keda": "helm"}), cluster(registry=registry), *documents)


def pods(output: Emitted) -> list[Body]:
    return [body["spec"]["template"]["spec"] for body in output.every("DaemonSet")]


@given(HOSTS, PATHS, HOSTS, PATHS)
def test_two_images_never_share_a_copy(host: str, path: str, other: str, second: str) -> None:
    registry = Registry(MIRROR, frozenset({"nvcr.io", "docker.io", "quay.io"}))
    copies = registry.copy_of(f"{host}/{path}"), registry.copy_of(f"{other}/{second}")
    assert (copies[0] == copies[1]) is ((host, path) == (other, second))
    assert registry.source_of(copies[0]) == f"{host}/{path}"


@for_each(
    ("name", "copy"),
    [
        ("{registry}/{repository}", "nvcr.io/nvidia/driver:580"),
        ("{registry}/{repository}:{tag}", "nvcr.io/nvidia/driver:580"),
        ("{repository}", "nvidia/driver:580"),
        ("cached-{registry}/gpu/{repository}", "cached-nvcr.io/gpu/nvidia/driver:580"),
    ],
)
def test_a_copy_has_the_name_of_the_template(name: str, copy: str) -> None:
    registry = Registry(MIRROR, frozenset({"nvcr.io", "docker.io"}), name=name)
    assert registry.copy_of("nvcr.io/nvidia/driver:580") == f"{MIRROR}/{copy}"
    start, _, end = copy.partition("/driver")
    assert f"{registry.copy_of('nvcr.io/nvidia')}/driver{end}" == f"{MIRROR}/{start}/driver{end}"
    found = registry.source_of(f"{MIRROR}/{copy}")
    assert found == ("nvcr.io/nvidia/driver:580" if "{registry}" in name else f"{MIRROR}/{copy}")


def test_copies_without_the_registry_in_their_name_are_distinct() -> None:
    """Of the images that gitgpu and its charts use, no two have the same path."""
    names = {row["repository"] for row in CATALOG.rows("containers").values()}
    for row in CATALOG.rows("charts").values():
        names |= {image["image"] for image in row.get("images", ())}
    paths = [name.partition("/")[2] for name in names]
    assert len(set(paths)) == len(paths)


def test_images_and_values_of_charts_come_from_copies_with_the_name() -> None:
    output = with_registry(pool("pool-0"), pool("pool-1", H100, driver="aks"), mirror=MIRROR, name="{repository}")
    values = output.operator_values()
    assert values
    assert values["driver"]["repository"] == f"{MIRROR}/nvidia"
    images = [container["image"] for pod in pods(output) for container in pod["containers"]]
    assert images
    assert all(image.startswith(f"{MIRROR}/nvidia/") for image in images)


@for_each("image", ["contoso.azurecr.io/app:1", "driver", "fabrikam.example.com/nvcr.io/a", "busybox:1"])
def test_other_images_are_not_renamed(image: str) -> None:
    registry = Registry(MIRROR, frozenset({"nvcr.io"}))
    assert registry.copy_of(image) == registry.source_of(image) == image
    assert Registry().source_of(image) == image


def test_the_values_of_a_chart_are_those_of_the_images_that_run() -> None:
    values = with_registry(pool("pool-0"), mirror=MIRROR).operator_values()
    assert values
    assert values["driver"]["repository"] == NVIDIA
    assert values["driver"]["manager"]["repository"] == f"{NVIDIA}/cloud-native"
    assert values["toolkit"]["repository"] == f"{NVIDIA}/k8s"
    assert "gds" not in values
    assert "imagePullSecrets" not in values["driver"]


def test_a_part_that_the_user_turns_on_comes_from_the_mirror_too() -> None:
    on = {"driver": "operator", "values": {"gpu-operator": {"gds": {"enabled": True}, "gfd": {"repository": "a.b/c"}}}}
    values = emitted(fleet(), cluster(registry={"mirror": MIRROR}, stack=on), pool("pool-0")).operator_values()
    assert values
    assert values["gds"] == {"repository": f"{NVIDIA}/cloud-native", "enabled": True}
    assert values["gfd"]["repository"] == "a.b/c"


def test_every_pod_and_part_gets_the_pull_secret() -> None:
    own = pool("pool-1", H100, driver="aks")
    output = with_registry(pool("pool-0"), own, pool("amd", MI300X), mirror=MIRROR, pullSecret="acr")
    assert all(pod["imagePullSecrets"] == [{"name": "acr"}] for pod in pods(output))
    values = output.operator_values()
    assert values
    assert values["driver"]["imagePullSecrets"] == ["acr"]
    assert (output.values("node-feature-discovery") or {})["imagePullSecrets"] == [{"name": "acr"}]
    amd = output.one("DeviceConfig", "amd-gpu-operator")["spec"]
    assert (
        amd["devicePlugin"]["imageRegistrySecret"] == amd["metricsExporter"]["imageRegistrySecret"] == {"name": "acr"}
    )


def test_the_driver_of_a_pool_comes_from_the_mirror() -> None:
    output = with_registry(pool("pool-0", driverBranch="580"), mirror=MIRROR, pullSecret="acr")
    spec = output.one("NVIDIADriver", "pool-0")["spec"]
    assert (spec["repository"], spec["image"], spec["imagePullSecrets"]) == (NVIDIA, "driver", ["acr"])


def test_the_images_of_a_users_job_are_not_changed() -> None:
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "work", "image": "docker.io/team/app:1"}]}}
    triggers = [{"serviceBus": {"namespace": "contoso-work", "queue": "work"}, "target": 5}]
    scaling = {"triggers": triggers, "max": 2, "identity": "11111111-2222-3333-4444-555555555555"}
    target = {"kind": "Job", "name": "work"}
    job = workload("work", ["pool-0"], target=target, job={"template": template}, scaling=scaling)
    [scaled] = with_registry(pool("pool-0"), job, mirror=MIRROR).every("ScaledJob")
    assert scaled["spec"]["jobTargetRef"]["template"]["spec"]["containers"][0]["image"] == "docker.io/team/app:1"


@pytest.mark.parametrize(
    ("registry", "expected"),
    [
        ({"charts": CHARTS}, {"provider": "azure"}),
        ({"charts": CHARTS, "mirror": MIRROR, "pullSecret": "acr"}, {"secretRef": {"name": "acr"}}),
        ({"charts": "oci://harbor.example.com/charts"}, {}),
    ],
)
def test_flux_signs_in_where_the_charts_are(registry: dict[str, Any], expected: Body) -> None:
    spec = with_registry(pool("pool-0"), **registry).one("OCIRepository", "gpu-operator")["spec"]
    assert spec["url"] == f"{registry['charts']}/gpu-operator"
    assert {key: spec[key] for key in ("provider", "secretRef") if key in spec} == expected


def test_the_registry_of_a_cluster_takes_precedence() -> None:
    shared = fleet()
    shared["spec"]["registry"] = {"mirror": MIRROR, "charts": CHARTS}
    planned = plans(shared, cluster(registry={"mirror": "eu.azurecr.io"}), cluster("two"))
    assert (planned["one"].registry.mirror, planned["one"].registry.charts) == ("eu.azurecr.io", CHARTS)
    assert planned["two"].registry.mirror == MIRROR


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        ("contoso.azurecr.io/mirror", "contoso"),
        ("contoso-a1b2c3.azurecr.us", "contoso"),
        ("azurecr.io.example.com/a", ""),
    ],
)
def test_the_name_of_an_azure_registry(reference: str, name: str) -> None:
    assert azure_name(reference, CATALOG) == name


def test_the_runbook_attaches_an_azure_registry() -> None:
    def attached(**registry: str) -> list[str]:
        [(_, planned)] = plans(fleet(), cluster(registry=registry)).items()
        return [step.update[1] for step in planned.prerequisites if step.update[:1] == ("--attach-acr",)]

    assert attached(mirror=MIRROR, charts=CHARTS) == ["contoso"]
    assert attached(mirror=MIRROR, charts="oci://fabrikam.azurecr.io/charts") == ["contoso", "fabrikam"]
    assert attached(mirror=MIRROR, pullSecret="acr") == attached(mirror="harbor.example.com") == []
