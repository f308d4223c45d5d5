"""Any NodePool and AKSNodeClass that Karpenter accepts can be described without replacing nodes."""

import copy
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.compare.hashes import hash_of
from gitgpu.compare.normal_form import as_stored
from tests.emit.fleets import CATALOG, SUBNET_ID, Body, cluster, document, emitted, fleet
from tests.emit.test_upstream_fields import INSIDE, OUTSIDE

OPT_OUT, SPOT = "nvidia.com/gpu.deploy.operands", "kubernetes.azure.com/scalesetpriority"
KARPENTER, AZURE = "karpenter.sh/", "karpenter.azure.com/"
EXAMPLES = int(os.environ.get("GITGPU_ROUND_TRIPS", "20"))  # 300 in `make roundtrips`
NAME = f"{AZURE}sku-name"
MEMORY = f"{AZURE}sku-memory"
WORDS = st.sampled_from(("a", "b", "gpu", "team-1", "x_y.z"))
KEYS = st.sampled_from(("team", "contoso.com/team", "example.com/a.b", "sku", "kubernetes.azure.com/ebpf-dataplane"))
EFFECTS = st.sampled_from(("NoSchedule", "PreferNoSchedule", "NoExecute"))


def some(**optional: st.SearchStrategy[Any]) -> st.SearchStrategy[Body]:
    """A mapping with any of these keys."""
    return st.fixed_dictionaries({}, optional=optional)


def taints() -> st.SearchStrategy[list[Body]]:
    """Taints. A key and effect occur only once on a node, so startup taints have other keys."""
    key = st.sampled_from(("sku", "nvidia.com/gpu", SPOT, "contoso.com/a"))
    taint = st.fixed_dictionaries({"key": key, "effect": EFFECTS}, optional={"value": st.sampled_from(("gpu", "spot"))})
    return st.lists(taint, max_size=4, unique_by=lambda each: (each["key"], each["effect"]))


def of_key(key: str, *values: str) -> st.SearchStrategy[Body]:
    """A requirement on one key, in any form."""
    some_of = st.lists(st.sampled_from(values), min_size=1, unique=True)
    listed = st.fixed_dictionaries({"key": st.just(key), "operator": st.just("In"), "values": some_of})
    exists = st.fixed_dictionaries(
        {"key": st.just(key), "operator": st.just("Exists")}, optional={"minValues": st.just(1)}
    )
    return st.one_of(listed, exists)


SIZES = st.one_of(
    st.just([]),
    of_key(NAME, "Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4", "Standard_ND96isr_H100_v5").map(
        lambda drawn: [drawn]
    ),
    st.just([{"key": f"{AZURE}sku-family", "operator": "In", "values": ["N"]}]),
    st.just([{"key": f"{AZURE}sku-gpu-name", "operator": "In", "values": ["T4"]}]),
    st.just([{"key": f"{AZURE}sku-gpu-count", "operator": "Gt", "values": ["0"]}]),
    st.just([{"key": NAME, "operator": "NotIn", "values": ["Standard_NC16as_T4_v3"]}]),
    st.just(
        [
            {"key": f"{AZURE}sku-gpu-manufacturer", "operator": "In", "values": ["nvidia"]},
            {"key": f"{AZURE}sku-cpu", "operator": "Gt", "values": ["7"]},
            {"key": f"{AZURE}sku-cpu", "operator": "Lt", "values": ["65"]},
        ]
    ),
)
OTHERS = (
    of_key(f"{KARPENTER}capacity-type", "spot", "on-demand"),
    of_key("topology.kubernetes.io/zone", "swedencentral-1", "swedencentral-2"),
    of_key("kubernetes.io/arch", "amd64"),
    of_key("kubernetes.io/os", "linux"),
    st.just({"key": "contoso.com/rack", "operator": "DoesNotExist"}),
    st.just({"key": "contoso.com/rack", "operator": "NotIn", "values": ["a", "b"]}),
    st.just({"key": MEMORY, "operator": "Gte", "values": ["1024"]}),
)
REQUIREMENTS = st.tuples(SIZES, st.lists(st.one_of(*OTHERS), max_size=4)).map(lambda both: [*both[0], *both[1]])
DURATIONS = st.sampled_from(("30m", "1h30m", "720h", "0s"))
LABELS = st.dictionaries(KEYS, WORDS, max_size=3)
TEMPLATE = st.fixed_dictionaries(
    {
        "nodeClassRef": st.sampled_from(("default", "gpu.nodes", "pool")),
        "requirements": REQUIREMENTS,
    },
    optional={
        "taints": taints(),
        "startupTaints": st.sampled_from(([], [{"key": "contoso.com/wait", "effect": "NoExecute"}])),
        "expireAfter": st.one_of(DURATIONS, st.just("Never")),
        "terminationGracePeriod": DURATIONS,
    },
)
METADATA = some(
    labels=st.one_of(LABELS, st.just({OPT_OUT: "false"})),
    annotations=st.dictionaries(KEYS, st.sampled_from(("a", "any text: {}")), max_size=2),
)
LIMITS = some(
    cpu=st.sampled_from(("1000", "96500m", "0")),
    memory=st.sampled_from(("4Ti", "8Ti")),
    nodes=st.sampled_from(("10", "0")),
    **{"nvidia.com/gpu": st.sampled_from(("8", "100")), "ephemeral-storage": st.just("10Ti"), "a.b/c": st.just("1")},
)
BUDGET = some(
    reasons=st.lists(st.sampled_from(("Underutilized", "Empty", "Drifted")), min_size=1, unique=True),
).map(lambda budget: {"nodes": "10%", **budget})
DISRUPTION = some(
    consolidationPolicy=st.sampled_from(("WhenEmpty", "WhenEmptyOrUnderutilized")),
    budgets=st.lists(BUDGET, max_size=2),
).map(lambda disruption: {"consolidateAfter": "5m", **disruption})
NODE_POOLS = st.fixed_dictionaries(
    {"metadata": METADATA, "template": TEMPLATE},
    optional={"limits": LIMITS, "weight": st.integers(1, 100), "disruption": DISRUPTION},
)
KUBELET = some(
    cpuManagerPolicy=st.sampled_from(("none", "static")),
    imageGCHighThresholdPercent=st.just(85),
    containerLogMaxFiles=st.integers(2, 9),
    cpuCFSQuota=st.booleans(),
    cpuCFSQuotaPeriod=st.sampled_from(("100ms", "0.1s", "5ms")),
    allowedUnsafeSysctls=st.sampled_from(([], ["net.core.somaxconn"])),
    podPidsLimit=st.integers(100, 200),
    failSwapOn=st.booleans(),
    topologyManagerPolicy=st.sampled_from(("none", "best-effort", "single-numa-node")),
    containerLogMaxSize=st.sampled_from(("50Mi", "1Gi")),
)
NODE_CLASSES = some(
    vnetSubnetID=st.just(SUBNET_ID),
    imageFamily=st.sampled_from(("Ubuntu", "Ubuntu2204", "AzureLinux")),
    osDiskSizeGB=st.sampled_from((128, 300)),
    fipsMode=st.sampled_from(("Disabled",)),
    artifactStreaming=st.sampled_from(({}, {"enabled": True}, {"enabled": False})),
    gpu=st.sampled_from(({}, {"mode": "Driver"}, {"mode": "None"})),
    maxPods=st.integers(10, 250),
    kubelet=KUBELET,
    linuxOSConfig=some(
        transparentHugePageEnabled=st.just("never"),
        swapFileSize=st.just("2Gi"),
        sysctls=some(vmSwappiness=st.just(10), fsFileMax=st.just(4000000)),
    ),
    security=some(encryptionAtHost=st.booleans()),
    localDNS=st.fixed_dictionaries(
        {
            "mode": st.sampled_from(("Preferred", "Required", "Disabled")),
            "vnetDNSOverrides": st.permutations((OUTSIDE, INSIDE)),
            "kubeDNSOverrides": st.just([OUTSIDE, INSIDE]),
        }
    ),
    tags=st.dictionaries(WORDS, WORDS, max_size=2),
)


def described(node_pool: Body, node_class: Body) -> Body:
    """The spec of a pool that emits these objects, translated key by key."""
    template, metadata = node_pool["template"], node_pool["metadata"]
    labels = dict(metadata.get("labels", {}))
    mode = node_class.get("gpu", {}).get("mode", "Driver")
    spec: Body = {
        "clusters": ["one"],
        "nodeRequirements": template["requirements"],
        "nodeClass": {"name": template["nodeClassRef"]},
        "taints": template.get("taints", []),
        "spotTaint": False,
        "driver": "none" if mode == "None" else "aks",
        "operatorOptOut": mode != "None" and labels.pop(OPT_OUT, None) == "false",
        "labels": labels,
    }
    if mode == "None" and OPT_OUT in metadata.get("labels", {}):
        spec["labels"][OPT_OUT] = "false"
    for key in ("startupTaints",):
        if key in template:
            spec[key] = template[key]
    if "annotations" in metadata:
        spec["annotations"] = metadata["annotations"]
    times = {key: template[key] for key in ("expireAfter", "terminationGracePeriod") if key in template}
    spec["disruption"] = {**node_pool.get("disruption", {}), **times}
    if limits := _limits(node_pool.get("limits", {})):
        spec["limits"] = limits
    if "weight" in node_pool:
        spec["weight"] = node_pool["weight"]
    spec |= _settings(node_class)
    explicit = _explicit(node_pool, node_class)
    return {**spec, "explicitDefaults": explicit} if explicit else spec


def _limits(limits: Body) -> Body:
    named: Body = {key: limits[key] for key in ("cpu", "memory") if key in limits}
    if "nodes" in limits:
        named["nodes"] = int(limits["nodes"])
    others = {key: value for key, value in limits.items() if key not in ("cpu", "memory", "nodes")}
    return {**named, "resources": others} if others else named


def _settings(node_class: Body) -> Body:
    image = {"family": node_class.get("imageFamily"), "osDiskGB": node_class.get("osDiskSizeGB")}
    if node_class.get("artifactStreaming", {}).get("enabled"):
        image["artifactStreaming"] = True
    own: Body = {"image": {key: value for key, value in image.items() if value is not None}}
    names = {"vnetSubnetID": "subnet", "maxPods": "maxPods", "tags": "tags"}
    own |= {ours: node_class[theirs] for theirs, ours in names.items() if node_class.get(theirs)}
    for key in ("security", "localDNS"):
        if node_class.get(key):
            own[key] = node_class[key]
    for key in ("kubelet", "linuxOSConfig"):
        if of_nodes := {name: value for name, value in node_class.get(key, {}).items() if value not in ([], {})}:
            own[key] = of_nodes
    return own


def _explicit(node_pool: Body, node_class: Body) -> Body:
    """The keys for fields that the objects set to an empty value or to the default."""
    template, metadata = node_pool["template"], node_pool["metadata"]
    empty: Body = {key: [] for key in ("taints", "startupTaints") if template.get(key) == []}
    empty |= {key: {} for key in ("labels", "annotations") if metadata.get(key) == {}}
    written: Body = {key: node_class[key] for key in ("fipsMode", "gpu", "artifactStreaming") if key in node_class}
    if written.get("gpu") == {"mode": "None"}:
        del written["gpu"]
    if node_class.get("artifactStreaming", {}).get("enabled"):
        del written["artifactStreaming"]
    for key in ("kubelet", "linuxOSConfig", "security"):
        nothing = {name: value for name, value in node_class.get(key, {}).items() if value in ([], {})}
        if nothing or node_class.get(key) == {}:
            written[key] = nothing
    explicit = {"nodePool": empty, "nodeClass": written}
    return {key: value for key, value in explicit.items() if value}


def hashes(node_pool: Body, node_class: Body) -> tuple[str, str]:
    """The hashes of both objects as the API server stores them."""
    values = []
    for body, name in ((node_pool, "nodepool"), (node_class, "aksnodeclass")):
        facts = CATALOG.must("edits", name)
        values.append(hash_of(as_stored(body, facts), facts["hash"]))
    return values[0], values[1]


def running(node_pool: Body, node_class: Body) -> tuple[Body, Body]:
    """The running objects."""
    template = copy.deepcopy(node_pool["template"])
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": template["nodeClassRef"]}
    spec = {"template": {"metadata": node_pool["metadata"], "spec": {**template, "nodeClassRef": reference}}}
    return {"spec": {**node_pool, **spec}}, {"spec": node_class}


@settings(max_examples=EXAMPLES, deadline=None)
@given(NODE_POOLS, NODE_CLASSES)
def test_any_node_pool_can_be_described_as_it_runs(node_pool: Body, node_class: Body) -> None:
    spec = described(node_pool, node_class)
    output = emitted(fleet(), cluster(), document("GpuPool", "pool", spec))
    (made,), (made_class,) = output.every("NodePool"), output.every("AKSNodeClass")
    assert hashes(made, made_class) == hashes(*running(node_pool, node_class))
    assert made["spec"]["template"]["spec"]["requirements"] == node_pool["template"]["requirements"]
    for key in ("limits", "weight"):
        assert made["spec"].get(key) == (node_pool.get(key) or None)
    for key, value in node_pool.get("disruption", {}).items():
        assert made["spec"]["disruption"][key] == value
