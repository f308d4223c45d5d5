"""AKS node pools: the object, the commands and Bicep are equivalent, and software selects the nodes."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit import emit
from gitgpu.emit.bicep import bicep as literal
from gitgpu.emit.pages.node_pools_bicep import PAGE as BICEP
from gitgpu.emit.pages.node_pools_commands import PAGE as COMMANDS
from gitgpu.load.schemas import Schemas
from gitgpu.model.aks_api import OLDEST_API
from gitgpu.objects.objects import Given
from gitgpu.plan.fields.agent_pool import properties
from gitgpu.rules.norms import own_norms
from gitgpu.rules.object_findings import object_findings
from gitgpu.source import SourceMap
from tests.emit.fleets import (
    A100,
    BY_NAME,
    CATALOG,
    CLUSTER_ID,
    EMITTERS,
    H100,
    SUBNET_ID,
    T4,
    Body,
    cluster,
    emitted,
    fleet,
    plans,
    pool,
    workload,
)
from tests.helping.cases import for_each

A10 = "Standard_NV36ads_A10_v5"
FLAGS = {  # the options of `az` for properties of the API
    "--node-vm-size": "vmSize",
    "--gpu-instance-profile": "gpuInstanceProfile",
    "--enable-artifact-streaming": "artifactStreamingProfile",
    "--os-type": "osType",
    "--os-sku": "osSKU",
    "--node-osdisk-size": "osDiskSizeGB",
    "--node-osdisk-type": "osDiskType",
    "--enable-fips-image": "enableFIPS",
    "--max-pods": "maxPods",
    "--mode": "mode",
    "--node-count": "count",
    "--enable-cluster-autoscaler": "enableAutoScaling",
    "--min-count": "minCount",
    "--max-count": "maxCount",
    "--priority": "scaleSetPriority",
    "--eviction-policy": "scaleSetEvictionPolicy",
    "--spot-max-price": "spotMaxPrice",
    "--node-taints": "nodeTaints",
    "--labels": "nodeLabels",
    "--tags": "tags",
    "--zones": "availabilityZones",
    "--vnet-subnet-id": "vnetSubnetID",
    "--crg-id": "capacityReservationGroupID",
    "--kubelet-config": "kubeletConfig",
    "--linux-os-config": "linuxOSConfig",
    "--enable-encryption-at-host": "enableEncryptionAtHost",
}


RESERVED = CLUSTER_ID.partition("/Microsoft.ContainerService")[0] + "/Microsoft.Compute/capacityReservationGroups/gpu"


def autoscaled(name: str = "one", **spec: Any) -> Body:
    """A Cluster with the cluster autoscaler and with another name in Azure."""
    return cluster(name, provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, **spec)


def by_object(documents: list[Body]) -> dict[str, Body]:
    """The properties of each pool, by its name in Azure, from the objects of Azure Service Operator."""
    specs = {}
    for body in emitted(*documents).every("ManagedClustersAgentPool"):
        spec = dict(body["spec"])
        assert spec.pop("owner") == {"armId": CLUSTER_ID}
        if subnet := spec.pop("vnetSubnetReference", None):
            spec["vnetSubnetID"] = subnet["armId"]
        if reserved := spec.pop("capacityReservationGroupReference", None):
            spec["capacityReservationGroupID"] = reserved["armId"]
        specs[spec.pop("azureName")] = spec
    return specs


def by_commands(script: str) -> dict[str, Body]:
    """The same properties from the script, parsed as by `az`."""
    lines = script.replace("\\\n", " ").splitlines()
    files = dict(
        re.findall(r'^printf %s (.+) >"\$KUBELET/(.+)\.json"$', line)[0][::-1] for line in lines if "printf" in line
    )
    words = [shlex.split(line) for line in lines if line.startswith("create ")]
    return {name: dict(_properties(rest, files)) for _, name, *rest in words}


def _properties(words: list[str], files: dict[str, str]) -> Iterator[tuple[str, Any]]:
    options: dict[str, list[str]] = {}
    values: list[str] = []
    for word in words:
        if word.startswith("--"):
            assert word not in options
            options[word] = values = []
        else:
            values.append(word)
    yield "enableAutoScaling", "--enable-cluster-autoscaler" in options
    yield "gpuProfile", dict(_gpu(options))
    for option, values in options.items():
        key, value = FLAGS[option], " ".join(values)
        if option in ("--labels", "--tags"):
            yield key, dict(pair.split("=", 1) for pair in values)
        elif option in ("--kubelet-config", "--linux-os-config"):
            file = value.removeprefix("$KUBELET/").removesuffix(".json")
            yield key, json.loads(shlex.split(files[file])[0])
        elif option == "--enable-artifact-streaming":
            yield key, {"enabled": True}
        elif option in ("--zones", "--node-taints"):
            yield key, value.replace(",", " ").split()
        else:
            yield key, int(value) if re.fullmatch(r"-?[0-9]+", value) else value or True


def by_api(script: str) -> dict[str, Body]:
    """The same properties from the calls of Azure's API in the script."""
    bodies = re.findall(r"^cat >\"\$KUBELET/(\w+)-pool.json\" <<'END'\n(.*?)\nEND$", script, re.DOTALL | re.MULTILINE)
    return {name: json.loads(body)["properties"] for name, body in bodies}


def _gpu(options: dict[str, list[str]]) -> Iterator[tuple[str, Any]]:
    yield "driver", options.pop("--gpu-driver")[0]
    if kind := options.pop("--driver-type", None):
        yield "driverType", kind[0]
    managed, strategy = options.pop("--enable-managed-gpu=true", None), options.pop("--gpu-mig-strategy", None)
    if managed is not None:
        yield "nvidia", {"managementMode": "Managed", **({"migStrategy": strategy[0]} if strategy else {})}


def by_bicep(module: str) -> dict[str, Body]:
    """The same properties from the Bicep module."""
    properties = {}
    for resource in re.findall(r"^resource pool_\w+ '[^']+' = (\{\n.*?\n\})$", module, re.DOTALL | re.MULTILINE):
        body = _json(resource)
        assert body["parent"] == "=cluster"
        properties[body["name"]] = body["properties"]
    return properties


def _json(resource: str) -> Any:
    lines = []
    for line in resource.splitlines():
        key, value = re.fullmatch(r"\s*(?:(\w+|'[^']*'): )?(.*)", line).groups()  # type: ignore[union-attr]
        if value.startswith("'"):
            value = json.dumps(re.sub(r"\\(.)", r"\1", value[1:-1]))
        elif not re.fullmatch(r"[\[{}\]]|-?\d+|true|false", value):
            value = json.dumps(f"={value}")
        lines.append(f'"{key.strip(chr(39))}": {value}' if key else value)
    return json.loads(re.sub(r",(?=[}\]])", "", re.sub(r"(?<![\[{])\n", ",", "\n".join(lines)).replace("\n", "")))


_LINUX = st.fixed_dictionaries(
    {"sku": st.sampled_from((T4, A100, H100)), "capacity": st.sampled_from((["spot"], ["on-demand"]))},
    optional={
        "image": st.sampled_from(({"family": "Ubuntu2204"}, {"osDiskGB": 512}, {"fips": True, "family": "AzureLinux"})),
        "kubelet": st.sampled_from(
            ({"cpuManagerPolicy": "static"}, {"containerLogMaxSize": "20M", "podPidsLimit": 9000})
        ),
        "linuxOSConfig": st.sampled_from(
            ({"swapFileSize": "2Gi"}, {"sysctls": {"netIPv4TCPKeepaliveIntvl": 30, "netIPv4TCPTwReuse": False}})
        ),
        "security": st.just({"encryptionAtHost": True}),
        "labels": st.just({"contoso.com/team": "research"}),
        "tags": st.just({"owner": "it's ${mine} \\ yours"}),
        "zones": st.sampled_from((["1"], ["2", "3"])),
        "maxPods": st.integers(10, 250),
        "driver": st.sampled_from(("aks", "none")),
        "taints": st.sampled_from(([], [{"key": "team", "value": "a", "effect": "NoExecute"}])),
    },
)
_WINDOWS = st.fixed_dictionaries(
    {"sku": st.just(A10), "os": st.just("windows")}, optional={"image": st.just({"family": "Windows2022"})}
)
_NODES = st.sampled_from(({"min": 2, "max": 2}, {"min": 1, "max": 4}, {"max": 3}))


@st.composite
def node_pools(draw: st.DrawFn) -> list[Body]:
    """Sound pools for a cluster with the cluster autoscaler."""
    specs = draw(st.lists(st.one_of(_LINUX, _LINUX, _WINDOWS), min_size=1, max_size=3))
    for spec in specs[1:]:
        if spec.get("capacity") != ["spot"]:
            spec["capacityReservationGroup"] = RESERVED
    return [pool(f"p-{at}", nodes=draw(_NODES), **spec) for at, spec in enumerate(specs)]


@given(node_pools(), st.sampled_from(({}, {"subnet": SUBNET_ID})))
def test_the_three_forms_of_a_pool_are_equal(pools: list[Body], network: Body) -> None:
    documents = [fleet(), autoscaled(network=network), *pools]
    objects, plan = by_object(documents), plans(*documents)["one"]
    commands, bicep = by_commands(COMMANDS.write(plan)), by_bicep(BICEP.write(plan))
    assert set(objects) == set(commands) == set(bicep) == {f"p{at}" for at in range(len(pools))}
    for name, spec in objects.items():
        if spec["enableAutoScaling"]:  # the initial count is only in the forms that create the pool once
            assert "count" not in spec
            assert commands[name].pop("count") == spec["minCount"]
            assert bicep[name].pop("count") == f"=create ? {spec['minCount']} : null"
        assert commands[name] == spec
        assert bicep[name] == spec


_EARLY = st.one_of(
    st.fixed_dictionaries(
        {"sku": st.just(A100), "driver": st.just("managed"), "nodes": st.just({"min": 2, "max": 2})},
        optional={
            "partition": st.sampled_from(
                [{"mig": {"profiles": {"1g.10gb": 7}, "strategy": strategy}} for strategy in ("single", "mixed")]
            )
        },
    ),
    st.fixed_dictionaries({"sku": st.just(T4), "os": st.just("windows"), "driverType": st.just("GRID")}),
    st.fixed_dictionaries({"sku": st.just(T4), "image": st.just({"artifactStreaming": True})}),
)


@given(node_pools(), _EARLY)
def test_a_pool_that_azure_service_operator_cannot_express_has_no_object(pools: list[Body], early: Body) -> None:
    """Azure Service Operator lacks a field. The commands and Bicep use an API version that has it."""
    documents = [fleet(), autoscaled(), *pools, pool("early", **{"nodes": {"min": 1, "max": 4}, **early})]
    plan = plans(*documents)["one"]
    script, module = COMMANDS.write(plan), BICEP.write(plan)
    wanted, by_options = by_bicep(module)["early"], (by_commands(script) | by_api(script))["early"]
    assert "early" not in by_object(documents)
    assert wanted.pop("count") in (2, f"=create ? {by_options['count']} : null")
    assert {"count": by_options["count"], **wanted} == by_options
    versions = dict(re.findall(r"^resource pool_(\w+) '[^'@]+@([^']+)'", module, re.MULTILINE))
    assert {name for name, version in versions.items() if version != OLDEST_API} == {"early"}
    assert versions["early"].endswith("-preview") == ("partition" in early or "driverType" in early)
    assert ("az extension add" in script) == versions["early"].endswith("-preview")
    assert ("az rest" in script) == ("early" in by_api(script)) == (versions["early"] == "2026-08-01")
    if "az rest" in script:
        assert f"\nput early {versions['early']}\n" in script


def test_managed_nodes_get_no_software_of_gitgpu() -> None:
    mig = {"mig": {"profiles": {"1g.10gb": 7}, "strategy": "mixed"}}
    slices = pool("slices", A100, driver="managed", nodes={"min": 2, "max": 2}, partition=mig)
    documents = [fleet(), autoscaled(), slices, workload("w", ["slices"], mig="1g.10gb")]
    made, plan = emitted(*documents), plans(*documents)["one"]
    module = BICEP.write(plan)
    [properties] = by_bicep(module).values()
    cluster_of_pools = "resource cluster 'Microsoft.ContainerService/managedClusters@2025-08-01' existing = {\n"
    assert f"{cluster_of_pools}  name: 'azure-one'\n}}\n" in module
    assert properties["gpuProfile"] == {
        "driver": "Install",
        "nvidia": {"managementMode": "Managed", "migStrategy": "Mixed"},
    }
    assert properties["gpuInstanceProfile"] == "MIG1g"
    assert properties["nodeLabels"] == {"nvidia.com/gpu.deploy.operands": "false"}
    assert "tags" not in properties, "the tag identifies Karpenter's machines"
    assert made.every("DaemonSet") == []
    [spec] = [patch["spec"]["template"]["spec"] for patch in made.patches().values()]
    assert spec["containers"][0]["resources"]["limits"] == {"nvidia.com/mig-1g.10gb": "1"}


@for_each(
    ("size", "asked", "written"),
    [(T4, "GRID", "GRID"), (T4, "CUDA", None), (A10, "GRID", None), ("Standard_NC24ads_A100_v4", "CUDA", None)],
)
def test_the_type_of_driver_is_set_if_it_is_not_the_default_of_aks(size: str, asked: str, written: str | None) -> None:
    documents = [fleet(), autoscaled(), pool("win", size, os="windows", nodes={"min": 1}, driverType=asked)]
    [properties] = by_bicep(BICEP.write(plans(*documents)["one"])).values()
    assert properties["gpuProfile"].get("driverType") == written
    assert (by_object(documents) == {}) is bool(written)


@given(node_pools())
def test_node_pools_have_no_findings(pools: list[Body]) -> None:
    plan = plans(fleet(), autoscaled(), *pools)["one"]
    given_ = [Given(manifest.body, SourceMap.of(manifest.origin.span), False) for manifest in emit(plan, EMITTERS)]
    assert object_findings(given_, "1.34", own_norms(Schemas(), CATALOG)) == []


def test_the_commands_are_those_of_a_shell_and_name_the_cluster() -> None:
    script = COMMANDS.write(plans(fleet(), autoscaled(), pool("t4", kubelet={"cpuManagerPolicy": "static"}))["one"])
    fake = 'az() { case $3 in show) return 1;; esac; printf \'%s\\n\' "$@"; cat "${!#}"; }\n'
    ran = subprocess.run(["bash", "-c", fake + script], capture_output=True, text=True, check=True)
    words = ran.stdout.split()
    assert words[:3] == ["aks", "nodepool", "add"]
    assert words[3:11] == [
        *["--subscription", "00000000-0000-0000-0000-000000000000", "--resource-group", "gpu"],
        *["--cluster-name", "azure-one", "--name", "t4"],
    ]
    assert ran.stdout.endswith('{"cpuManagerPolicy": "static"}')


def test_a_pool_without_an_option_is_created_by_the_api_and_awaited() -> None:
    managed = pool("t4", driver="managed", nodes={"min": 2, "max": 2}, tags={"owner": "it's $HOME"})
    script = COMMANDS.write(plans(fleet(), autoscaled(), managed)["one"])
    fake = 'az() { case $3 in show) return 1;; esac; printf "%s\\n" "$*"; if [ $1 = rest ]; then cat "${5#@}"; fi; }\n'
    ran = subprocess.run(["bash", "-c", fake + script], capture_output=True, text=True, check=True)
    called, rest = ran.stdout.split("\n", 1)
    body, end = json.JSONDecoder().raw_decode(rest)
    assert called.endswith(f"--output none --url {CLUSTER_ID}/agentPools/t4?api-version=2026-08-01")
    assert body == {"properties": by_api(script)["t4"]}
    assert body["properties"]["gpuProfile"]["nvidia"] == {"managementMode": "Managed"}
    assert body["properties"]["tags"] == {"owner": "it's $HOME"}
    assert rest[end:].strip().startswith("aks nodepool wait --subscription")
    assert rest.strip().endswith("--name t4 --created")
    assert "aks-preview" not in script


def test_a_pool_that_is_created_by_the_api_is_not_left_to_bicep() -> None:
    disk: Body = {"agentPool": {"kubeletDiskType": "Temporary"}, "nodes": {"min": 1, "max": 1}}
    script = COMMANDS.write(plans(fleet(), autoscaled(), pool("t4", driver="managed", **disk))["one"])
    assert "elsewhere" not in script
    assert by_api(script)["t4"]["kubeletDiskType"] == "Temporary"
    assert "elsewhere t4 kubeletDiskType" in COMMANDS.write(plans(fleet(), autoscaled(), pool("t4", **disk))["one"])


def test_a_retiring_pool_whose_fields_the_cli_does_not_know_is_changed_with_the_extension() -> None:
    managed = pool("t4", driver="managed", nodes={"min": 2, "max": 2}, retire=True)
    script = COMMANDS.write(plans(fleet(), autoscaled(), managed)["one"])
    assert script.index("az extension add --upgrade --name aks-preview") < script.index("\nretire t4 ")
    assert "az rest" not in script


@for_each(
    ("size", "more", "asked"),
    [(A10, {}, True), (T4, {}, False), (A10, {"driver": "none"}, False), (A10, {"os": "windows"}, False)],
)
def test_a_pool_whose_driver_needs_a_new_node_image_is_looked_at(size: str, more: Body, asked: bool) -> None:
    script = COMMANDS.write(plans(fleet(), autoscaled(), pool("gpu", size, nodes={"min": 1, "max": 2}, **more))["one"])
    assert ("needs node image 202606.08.1 or newer" in script) is asked
    assert ("az aks nodepool show $CLUSTER --name gpu --query nodeImageVersion" in script) is asked


def test_a_string_in_bicep_is_literal() -> None:
    assert literal("it's ${x} \\") == "'it\\'s \\${x} \\\\'"


def test_software_and_workloads_select_the_nodes_by_the_label_of_aks() -> None:
    ranker = workload("ranker", ["t4-a", "t4-spot"])
    pools = [pool("t4-a", T4), pool("t4-spot", T4, capacity=["spot"]), pool("win", A10, os="windows", nodes={"min": 1})]
    made = emitted(fleet(), autoscaled(stack=BY_NAME), *pools, ranker)
    assert made.every("NodePool") == made.every("AKSNodeClass") == []
    affinities = [body["spec"]["template"]["spec"] for body in (*made.every("DaemonSet"), *made.patches().values())]
    assert len(affinities) == 3
    for spec in affinities:
        wanted = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        [[choice]] = [term["matchExpressions"] for term in wanted["nodeSelectorTerms"]]
        assert choice == {"key": "kubernetes.azure.com/agentpool", "operator": "In", "values": ["t4a", "t4spot"]}
        assert "spot" in [toleration.get("value") for toleration in spec["tolerations"]]
        assert "nodeSelector" not in spec


def test_a_windows_pool_has_its_own_software() -> None:
    render = workload("render", ["win"])
    made = emitted(fleet(), autoscaled(), pool("win", A10, os="windows", nodes={"min": 1}), render)
    assert made.every("DaemonSet") == []
    [spec] = [patch["spec"]["template"]["spec"] for patch in made.patches().values()]
    assert spec["nodeSelector"] == {"kubernetes.io/os": "windows"}
    assert spec["containers"][0]["resources"] == {"limits": {"microsoft.com/directx": "1"}}


def test_the_operator_runs_only_on_its_node_pools() -> None:
    pools = [pool("t4", T4), pool("h100", H100, driver="operator", image={"family": "Ubuntu2204"})]
    documents = [fleet(), autoscaled(), *pools]
    specs = by_object(documents)
    assert specs["h100"]["gpuProfile"] == {"driver": "None"}
    assert specs["t4"]["nodeLabels"] == {"nvidia.com/gpu.deploy.operands": "false"}
    assert "kubernetes.azure.com/agentpool" in json.dumps(emitted(*documents).discovery())


@for_each(
    ("spec", "key", "value"),
    [
        ({"image": {"ephemeralOSDisk": True}}, "osDiskType", "Ephemeral"),
        ({"image": {"ephemeralOSDisk": False}}, "osDiskType", "Managed"),
        ({"kubelet": {"containerLogMaxSize": "500K"}}, "kubeletConfig", {"containerLogMaxSizeMB": 1}),
        ({"kubelet": {"containerLogMaxSize": "50M"}}, "kubeletConfig", {"containerLogMaxSizeMB": 50}),
    ],
)
def test_the_disk_and_the_logs_of_a_pool(spec: Body, key: str, value: object) -> None:
    written = pool("t4", nodes={"min": 1, "max": 2}, **spec)
    del written["spec"]["limits"]
    [properties] = by_object([fleet(), autoscaled(), written]).values()
    assert properties.get(key) == value


LARGER = "Standard_NC64as_T4_v3"


@for_each(
    ("nodes", "profile"),
    [
        ({"min": 1, "max": 1}, {"manual": [{"size": T4, "count": 1}, {"size": LARGER, "count": 1}]}),
        (
            {"min": 0, "max": 2},
            {"autoscale": [{"size": size, "minCount": 0, "maxCount": 2} for size in (T4, LARGER)]},
        ),
        (
            {"max": 2, "sizes": {LARGER.lower(): {"min": 1, "max": 1}}},
            {"manual": [{"size": LARGER, "count": 1}], "autoscale": [{"size": T4, "minCount": 0, "maxCount": 2}]},
        ),
        (
            {"min": 2, "max": 2, "sizes": {T4: {"min": 1, "max": 1}}},
            {"manual": [{"size": T4, "count": 1}, {"size": LARGER, "count": 2}]},
        ),
    ],
)
def test_a_pool_of_machines_has_numbers_of_nodes_for_each_size_only(nodes: Body, profile: Body) -> None:
    setup = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    machines = pool("t4", nodes=nodes, agentPool={"type": "VirtualMachines"})
    machines["spec"]["sku"] = [T4, LARGER]
    [made] = plans(fleet(), setup, machines)["one"].node_pools
    written = properties(made)
    assert written["virtualMachinesProfile"] == {"scale": profile}
    assert written["type"] == "VirtualMachines"
    assert {"vmSize", "count", "minCount", "maxCount", "enableAutoScaling"}.isdisjoint(written)


def test_objects_are_in_the_namespace_and_version_of_the_stack() -> None:
    stack = {"aso": {"namespace": "azure", "apiVersion": "v20251002preview"}}
    documents = [fleet(), autoscaled(stack=stack), pool("gpu", nodes={"min": 1, "max": 2})]
    of_pools = emitted(*documents).every("ManagedClustersAgentPool")
    assert [body["apiVersion"] for body in of_pools] == ["containerservice.azure.com/v20251002preview"]
    assert [body["metadata"]["namespace"] for body in of_pools] == ["azure"]


@for_each(
    ("version", "settings", "is_object"),
    [
        ("v1api20250801", {"image": {"family": "Ubuntu2404"}}, False),
        ("v20251002preview", {"image": {"family": "Ubuntu2404"}}, True),
        ("v20251002preview", {"image": {"family": "Ubuntu2604"}}, False),
        ("v20260501", {"image": {"family": "AzureContainerLinux"}}, True),
        ("v20260301", {"image": {"artifactStreaming": True}}, True),
        ("v20260501", {"driver": "managed"}, False),
        ("v1api20240901", {}, True),  # without gpuProfile, AKS installs the driver
        ("v1api20240901", {"driver": "operator"}, False),
    ],
)
def test_a_pool_is_an_object_if_the_version_has_all_its_settings(
    version: str, settings: Body, *, is_object: bool
) -> None:
    cluster_of_version = autoscaled(stack={"aso": {"apiVersion": version}}, kubernetesVersion="1.36")
    documents = [fleet(), cluster_of_version, pool("gpu", nodes={"min": 2, "max": 2}, **settings)]
    of_pools = emitted(*documents).every("ManagedClustersAgentPool")
    assert bool(of_pools) is is_object
    (plan,) = plans(*documents).values()
    assert "resource pool_gpu" in BICEP.write(plan)
