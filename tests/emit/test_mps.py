"""GPUs shared with MPS: one control daemon on each node that needs it, and a device plugin that finds it."""

from typing import Any

import pytest
from hypothesis import given

from tests.emit.fleets import A100, BY_NAME, Body, Emitted, cluster, emitted, fleet, pool, pools

DAEMON, PLUGIN = "nvidia-mps-control-daemon", "nvidia-device-plugin"
SERVER = f"{DAEMON}-mps-4"
SHARED: Body = {"partition": {"mps": {"replicas": 4}}}
OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}


def spec_of(output: Emitted, name: str) -> Body:
    """The pod spec of a DaemonSet."""
    spec: Body = output.one("DaemonSet", name)["spec"]["template"]["spec"]
    return spec


def sources(spec: Body, container: Body) -> dict[str, Any]:
    """The source of the volume at each mount path of a container."""
    volumes = {
        volume["name"]: {key: value for key, value in volume.items() if key != "name"} for volume in spec["volumes"]
    }
    return {mount["mountPath"]: volumes[mount["name"]] for mount in container["volumeMounts"]}


def environment(container: Body) -> dict[str, str | None]:
    """The environment variables of a container."""
    return {variable["name"]: variable.get("value") for variable in container["env"]}


@given(pools())
def test_the_daemon_runs_where_gitgpus_plugin_shares_by_mps(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    wanted = [
        body["metadata"]["name"]
        for body in gpu_pools
        if body["spec"]["driver"] == "aks" and "mps" in body["spec"].get("partition", {})
    ]
    specs = [
        body["spec"]["template"]["spec"]
        for body in result.every("DaemonSet")
        if body["metadata"]["name"].startswith(DAEMON)
    ]
    assert sorted(name for spec in specs for name in result.selected(spec["affinity"])) == wanted
    assert all(spec["tolerations"] == [{"operator": "Exists"}] for spec in specs)


def test_each_configuration_has_its_own_daemon() -> None:
    """A further configuration restarts no daemon, and so stops no program that shares a GPU."""
    own = {"nvidia.com/device-plugin.config": "My_Own"}
    gpu_pools = [
        pool("four", **SHARED),
        pool("eight", partition={"mps": {"replicas": 8}}),
        pool("o", labels=own, **SHARED),
    ]
    output = emitted(fleet(), cluster(), *gpu_pools)
    daemons = {
        body["metadata"]["name"]: body for body in output.every("DaemonSet") if DAEMON in body["metadata"]["name"]
    }
    placed = {name: output.selected(body["spec"]["template"]["spec"]["affinity"]) for name, body in daemons.items()}
    assert placed == {f"{DAEMON}-mps-4": ["four"], f"{DAEMON}-mps-8": ["eight"], f"{DAEMON}-c1cbf5ad": ["o"]}
    alone = emitted(fleet(), cluster(), pool("four", **SHARED))
    assert alone.one("DaemonSet", SERVER) == daemons[SERVER]


def test_plugin_and_daemon_meet_on_the_host() -> None:
    """The plugin talks to the daemon over pipes and shared memory, and mounts the pipes into pods by host path."""
    output = emitted(fleet(), cluster(), pool("t4", **SHARED))
    plugin, daemon = spec_of(output, PLUGIN), spec_of(output, SERVER)
    asks = next(container for container in plugin["containers"] if container["name"] == PLUGIN)
    [serves] = daemon["containers"]
    for place in ("/mps", "/dev/shm"):
        assert sources(plugin, asks)[place] == sources(daemon, serves)[place]
    root = environment(asks)["MPS_ROOT"]
    assert sources(plugin, asks)["/mps"] == {"hostPath": {"path": root, "type": "DirectoryOrCreate"}}
    assert sources(plugin, asks)["/dev/shm"] == {"hostPath": {"path": f"{root}/shm"}}


def test_the_daemon_has_the_settings_of_upstream() -> None:
    """It mounts shared memory on the host before it starts, sees the host's processes, and has access to every GPU."""
    spec = spec_of(emitted(fleet(), cluster(), pool("t4", **SHARED)), SERVER)
    assert spec["hostPID"] is True
    assert "shareProcessNamespace" not in spec, "the API server refuses both"
    mounter, manager = spec["initContainers"]
    assert mounter["command"] == ["mps-control-daemon", "mount-shm"]
    assert mounter["securityContext"] == {"privileged": True}
    [mount] = mounter["volumeMounts"]
    assert (mount["mountPath"], mount["mountPropagation"]) == ("/mps", "Bidirectional")
    [daemon] = spec["containers"]
    assert daemon["command"] == ["mps-control-daemon"]
    assert daemon["securityContext"] == {"privileged": True}
    assert environment(daemon)["NVIDIA_VISIBLE_DEVICES"] == "all"
    assert environment(daemon)["CONFIG_FILE"] == environment(manager)["CONFIG_FILE_DST"]


def test_daemon_and_plugin_read_the_same_configuration() -> None:
    output = emitted(fleet(), cluster(), pool("four", **SHARED), pool("whole", A100))
    [name] = {
        volume["configMap"]["name"]
        for app in (PLUGIN, SERVER)
        for volume in spec_of(output, app)["volumes"]
        if volume["name"] == "available-configs"
    }
    assert set(output.one("ConfigMap", name)["data"]) == {"default", "mps-4"}
    keys = ("NODE_LABEL", "DEFAULT_CONFIG", "CONFIG_FILE_SRCDIR", "CONFIG_FILE_DST")
    plugin, daemon = (environment(spec_of(output, app)["initContainers"][-1]) for app in (PLUGIN, SERVER))
    assert [plugin[key] for key in keys] == [daemon[key] for key in keys]
    assert spec_of(output, PLUGIN)["serviceAccountName"] == spec_of(output, SERVER)["serviceAccountName"]


@pytest.mark.parametrize("partition", [None, {"timeSlicing": {"replicas": 4}}])
def test_a_plugin_without_mps_has_no_further_access_to_the_host(partition: Body | None) -> None:
    sharing: Body = {"partition": partition} if partition else {}
    output = emitted(fleet(), cluster(stack=BY_NAME), pool("t4", **sharing))
    spec = spec_of(output, PLUGIN)
    assert [volume["hostPath"]["path"] for volume in spec["volumes"] if "hostPath" in volume] == [
        "/var/lib/kubelet/device-plugins"
    ]
    assert "MPS_ROOT" not in environment(spec["containers"][0])


def test_the_operator_installs_its_own_daemon() -> None:
    """It runs on nodes that GPU Feature Discovery labels as shared by MPS, from the same configurations."""
    output = emitted(fleet(), cluster(), pool("t4", **OPERATED, **SHARED))
    assert not output.every("DaemonSet")
    config = (output.operator_values() or {})["devicePlugin"]["config"]
    assert config["create"] is True
    assert set(config["data"]) == {"default", "mps-4"}
    labels = output.one("NodePool", "t4")["spec"]["template"]["metadata"]["labels"]
    assert labels["nvidia.com/device-plugin.config"] == "mps-4"
