"""Exactly one component advertises the GPUs of a node, and one installs its driver, for any mix of pools."""

import json

from hypothesis import given

from tests.emit.fleets import A100, MI300X, Body, Emitted, cluster, emitted, fleet, placed, pool, pools

OWNERS = {"aks": ["device plugin"], "operator": ["operator"], "managed": ["AKS"], "none": [], "aks-only": []}
CONFIG = "nvidia.com/device-plugin.config"


def operated(output: Emitted) -> set[str]:
    """The pools that an operator manages: where Node Feature Discovery runs, except those that opt out."""
    worker = output.discovery()
    allowed = placed(worker["affinity"]) if worker else []
    return {name for name in allowed if labels(output, name).get("nvidia.com/gpu.deploy.operands") != "false"}


def labels(output: Emitted, name: str) -> Body:
    """The labels of a pool's nodes."""
    template = output.one("NodePool", name)["spec"]["template"]
    found_labels: Body = template.get("metadata", {}).get("labels", {})
    return found_labels


def reached(output: Emitted, name: str) -> list[str]:
    """The pools that DaemonSets of this app run on, once for each DaemonSet."""
    sets = [body for body in output.every("DaemonSet") if body["metadata"]["name"].startswith(name)]
    return [pool_name for body in sets for pool_name in output.selected(body["spec"]["template"]["spec"]["affinity"])]


def owners(output: Emitted, name: str) -> list[str]:
    """The components that advertise the GPUs of a pool."""
    tags = output.one("AKSNodeClass", name)["spec"].get("tags", {})
    managed = ["AKS"] if tags.get("EnableManagedGPUExperience") == "true" else []
    plugins = ["device plugin"] * reached(output, "nvidia-device-plugin").count(name)
    return managed + plugins + (["operator"] if name in operated(output) else [])


@given(pools())
def test_each_pool_has_one_device_plugin(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    drivers = {body["metadata"]["name"]: body["spec"]["driver"] for body in gpu_pools}
    assert {name: owners(result, name) for name in drivers} == {name: OWNERS[who] for name, who in drivers.items()}


@given(pools())
def test_aks_installs_the_driver_unless_something_else_does(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    for body in gpu_pools:
        mode = result.one("AKSNodeClass", body["metadata"]["name"])["spec"].get("gpu")
        assert mode == (None if body["spec"]["driver"] in ("aks", "aks-only", "managed") else {"mode": "None"})


@given(pools())
def test_nodes_with_a_driver_of_aks_are_closed_to_the_operator(gpu_pools: list[Body]) -> None:
    """Even if another component runs Node Feature Discovery there, and with or without an operator."""
    result = emitted(fleet(), cluster(), *gpu_pools)
    for body in gpu_pools:
        closed = labels(result, body["metadata"]["name"]).get("nvidia.com/gpu.deploy.operands")
        assert closed == ("false" if body["spec"]["driver"] in ("aks", "managed") else None)


@given(pools())
def test_each_pool_has_one_exporter(gpu_pools: list[Body]) -> None:
    """AKS runs an exporter on its managed nodes, the operator on its own. A second one would double every metric."""
    result = emitted(fleet(), cluster(), *gpu_pools)
    ours = [body["metadata"]["name"] for body in gpu_pools if body["spec"]["driver"] == "aks"]
    assert sorted(reached(result, "dcgm-exporter")) == ours
    values = result.operator_values()
    assert values is None or values["dcgmExporter"].get("enabled", True)


@given(pools())
def test_no_software_without_a_pool_for_it(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    drivers = {"amd" if body["spec"]["sku"] == MI300X else body["spec"]["driver"] for body in gpu_pools}
    assert bool(result.every("DaemonSet")) is bool({"aks", "amd"} & drivers)
    assert (result.operator_values() is not None) is ("operator" in drivers)
    assert bool(result.every("DeviceConfig")) is ("amd" in drivers)
    named = {body["metadata"]["name"] for body in result.every("Namespace")}
    homes = {"aks": "gpu-resources", "managed": "gpu-resources", "operator": "gpu-operator", "amd": "kube-amd-gpu"}
    found = {"node-feature-discovery"} if {"operator", "amd"} & drivers else set()
    assert named == {home for driver, home in homes.items() if driver in drivers} | found


@given(pools())
def test_a_pool_names_an_existing_configuration(gpu_pools: list[Body]) -> None:
    """The plugin selects a configuration by the label of the node, and uses `default` without a label."""
    result = emitted(fleet(), cluster(), *gpu_pools)
    for body in gpu_pools:
        name, driver = body["metadata"]["name"], body["spec"]["driver"]
        if driver not in ("aks", "operator") or body["spec"]["sku"] == MI300X:
            assert CONFIG not in labels(result, name)
            continue
        config = json.loads(configurations(result, driver)[labels(result, name).get(CONFIG, "default")])
        assert config["flags"] == {"migStrategy": "none"}
        ways = config.get("sharing", {})
        assert {way: settings["resources"] for way, settings in ways.items()} == {
            way: [{"name": "nvidia.com/gpu", **settings}]
            for way, settings in body["spec"].get("partition", {}).items()
            if way != "mig"
        }
        assert all(settings["failRequestsGreaterThanOne"] for settings in ways.values())


def configurations(output: Emitted, driver: str) -> Body:
    """The configurations of the device plugin by name: of gitgpu's plugin, or of the operator's."""
    if driver == "aks":
        data: Body = output.one("ConfigMap", "nvidia-device-plugin")["data"]
        return data
    config = (output.operator_values() or {}).get("devicePlugin", {}).get("config")
    if config is None:
        return {"default": json.dumps({"version": "v1", "flags": {"migStrategy": "none"}})}
    assert config["default"] in config["data"]
    values: Body = config["data"]
    return values


def test_the_configuration_that_the_plugin_reads_is_mounted() -> None:
    output = emitted(
        fleet(), cluster(), pool("shared", partition={"timeSlicing": {"replicas": 4}}), pool("whole", A100)
    )
    spec = output.one("DaemonSet", "nvidia-device-plugin")["spec"]["template"]["spec"]
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    assert volumes["available-configs"]["configMap"]["name"] == "nvidia-device-plugin"
    manager = next(container for container in spec["containers"] if container["name"] == "config-manager")
    environment = {variable["name"]: variable.get("value") for variable in manager["env"]}
    mounts = {mount["name"]: mount["mountPath"] for mount in manager["volumeMounts"]}
    assert environment["CONFIG_FILE_SRCDIR"] == mounts["available-configs"]
    assert str(environment["CONFIG_FILE_DST"]).startswith(mounts["config"])
    assert environment["NODE_LABEL"] == CONFIG
    assert environment["DEFAULT_CONFIG"] in output.one("ConfigMap", "nvidia-device-plugin")["data"]


def test_the_plugin_may_read_its_node() -> None:
    output = emitted(fleet(), cluster(), pool("t4"))
    account = output.one("DaemonSet", "nvidia-device-plugin")["spec"]["template"]["spec"]["serviceAccountName"]
    [binding] = output.every("ClusterRoleBinding")
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": account, "namespace": "gpu-resources"}]
    [role] = output.every("ClusterRole")
    assert binding["roleRef"]["name"] == role["metadata"]["name"]
    assert role["rules"] == [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "watch"]}]
    assert output.one("ServiceAccount", account)["metadata"]["namespace"] == "gpu-resources"


def test_the_kubelet_gets_the_devices_if_it_pins_cpus() -> None:
    """A static CPU manager rewrites the allowed devices of a container, and removes a GPU that it does not know."""

    def plugin(policy: str) -> Body:
        output = emitted(fleet(), cluster(), pool("t4", kubelet={"cpuManagerPolicy": policy}), pool("a100", A100))
        spec = output.one("DaemonSet", "nvidia-device-plugin")["spec"]["template"]["spec"]
        container: Body = next(
            container for container in spec["containers"] if container["name"] == "nvidia-device-plugin"
        )
        return container

    variable = {"name": "PASS_DEVICE_SPECS", "value": "true"}
    assert variable in plugin("static")["env"]
    assert plugin("static")["securityContext"] == {"privileged": True}
    assert variable not in plugin("none")["env"]
    assert plugin("none")["securityContext"]["capabilities"] == {"drop": ["ALL"]}


@given(pools())
def test_the_toolkit_reads_the_file_that_aks_wrote(gpu_pools: list[Body]) -> None:
    """A file from another source has a version that containerd on Ubuntu 24.04 rejects; the node becomes NotReady."""
    values = emitted(fleet(), cluster(), *gpu_pools).operator_values()
    wanted = [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}]
    assert values is None or values["toolkit"] == {"env": wanted}


def test_the_file_that_the_toolkit_reads_does_not_depend_on_image_or_engine() -> None:
    """A new node image can bring another containerd version without a change of the spec."""
    wanted = {"env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}]}
    for family in ("Ubuntu", "Ubuntu2204", "Ubuntu2404"):
        h100 = pool("h100", A100, driver="operator", image={"family": family})
        flux = emitted(fleet(), cluster(), h100)
        values = flux.operator_values()
        assert values is not None
        assert values["toolkit"] == wanted
        argo = emitted(fleet(delivery={"engine": "argocd"}), cluster(), h100)
        sources = argo.one("Application", "example-one.gpu-operator")["spec"]["source"]
        assert sources["helm"]["valuesObject"]["toolkit"] == wanted
