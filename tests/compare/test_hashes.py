"""Hashes equal those of Karpenter, with vectors from its own tests and from the Go library."""

from typing import Any

import pytest

from gitgpu.compare.hashes import hash_of, nanoseconds
from gitgpu.compare.normal_form import as_stored
from tests.compare.sides import context
from tests.helping.cases import for_each

TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
OTHER = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
KUBELET = {
    "cpuManagerPolicy": "static",
    "cpuCFSQuota": True,
    "cpuCFSQuotaPeriod": "100ms",
    "imageGCHighThresholdPercent": 85,
    "imageGCLowThresholdPercent": 80,
    "topologyManagerPolicy": "none",
    "allowedUnsafeSysctls": ["net.core.somaxconn"],
    "containerLogMaxSize": "10Mi",
    "containerLogMaxFiles": 10,
}
BASE = {
    "vnetSubnetID": "subnet-id",
    "osDiskSizeGB": 30,
    "imageFamily": "Ubuntu2204",
    "maxPods": 100,
    "kubelet": KUBELET,
    "tags": {"keyTag-1": "valueTag-1"},
}


def pool(metadata: Any = None, **spec: Any) -> str:
    """The hash of a NodePool with class gpu."""
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    template = {"spec": {"nodeClassRef": reference, **spec}, **({} if metadata is None else {"metadata": metadata})}
    facts = context().catalog.must("edits", "nodepool")
    return hash_of(as_stored({"spec": {"template": template}}, facts), facts["hash"])


def node_class(spec: dict[str, Any]) -> str:
    """The hash of an AKSNodeClass as stored."""
    facts = context().catalog.must("edits", "aksnodeclass")
    return hash_of(as_stored({"spec": spec}, facts), facts["hash"])


@for_each(
    ("metadata", "spec", "wanted"),
    [
        (None, {}, "11703174906743198241"),
        ({}, {}, "11703174906743198241"),  # an empty struct is a zero value
        (None, {"expireAfter": "720h"}, "11703174906743198241"),
        (None, {"expireAfter": "43200m"}, "11703174906743198241"),
        (None, {"expireAfter": "Never"}, "3197269457091679928"),
        (None, {"expireAfter": "30h"}, "7042474241180515852"),
        ({"labels": {"workload": "gpu"}}, {}, "566926825556904494"),
        ({"labels": {"workload": "gpu", "team": "ml"}}, {}, "13503615472863072281"),
        ({"annotations": {"a": "b"}}, {}, "16382067640729850919"),
        ({"labels": {}}, {}, "11659904646410805067"),
        (None, {"taints": [TAINT]}, "1664955465043715971"),
        (None, {"taints": [TAINT, OTHER]}, "17482847454330029394"),
        (None, {"taints": [OTHER, TAINT]}, "17482847454330029394"),
        (None, {"taints": []}, "3823642254590328444"),
        (None, {"taints": [TAINT, TAINT]}, "3823642254590328444"),
        (None, {"startupTaints": [TAINT]}, "236930758093980045"),
        (None, {"terminationGracePeriod": "1h"}, "13168950091811296724"),
        (None, {"terminationGracePeriod": "60m"}, "13168950091811296724"),
    ],
)
def test_the_hash_of_a_nodepool(metadata: Any, spec: dict[str, Any], wanted: str) -> None:
    assert pool(metadata, **spec) == wanted


@for_each(
    ("edit", "wanted"),
    [
        ({}, "4108492229247269128"),
        ({"tags": {"keyTag-3": "valueTag-3"}}, "4108492229247269128"),
        ({"vnetSubnetID": "subnet-id-2"}, "13971920214979852468"),
        ({"osDiskSizeGB": 40}, "7816855636861645563"),
        ({"imageFamily": "AzureLinux"}, "15616969746300892810"),
        ({"kubelet": {**KUBELET, "cpuManagerPolicy": "none"}}, "33638514539106194"),
        ({"maxPods": 200}, "15508761509963240710"),
        ({"localDNS": {"mode": "Required"}}, "17805442572569734619"),
        ({"localDNS": {"vnetDNSOverrides": [{"zone": "example.com", "queryLogging": "Log"}]}}, "14608914734386108436"),
        ({"localDNS": {"kubeDNSOverrides": [{"zone": "example.com", "protocol": "ForceTCP"}]}}, "4529827108104295737"),
        ({"localDNS": {"vnetDNSOverrides": [{"zone": "example.com", "cacheDuration": "1h"}]}}, "11008649797056761238"),
        (
            {"localDNS": {"vnetDNSOverrides": [{"zone": "example.com", "serveStaleDuration": "30m"}]}},
            "4895720480850206885",
        ),
        ({"artifactStreaming": {"enabled": True}}, "15355387647114481444"),
    ],
)
def test_the_hash_of_a_node_class_of_upstream(edit: dict[str, Any], wanted: str) -> None:
    assert node_class({**BASE, **edit}) == wanted


@for_each(
    ("spec", "wanted"),
    [
        ({}, "11637731675550486674"),
        ({"osDiskSizeGB": 128, "imageFamily": "Ubuntu"}, "11637731675550486674"),
        ({"gpu": {"mode": "Driver"}}, "3449298729431660602"),
        ({"gpu": {}}, "3449298729431660602"),
        ({"gpu": {"mode": "None"}}, "11617942611440040208"),
        ({"osDiskSizeGB": 256}, "12083352403975715460"),
        ({"imageFamily": "Ubuntu2204"}, "17390774718828605676"),
        ({"imageFamily": "AzureLinux"}, "2041609807394396150"),
        ({"fipsMode": "Disabled"}, "5460045366495164676"),
        ({"maxPods": 110}, "13620723728749656684"),
        ({"security": {"encryptionAtHost": False}}, "14257182284587970369"),
        ({"artifactStreaming": {"enabled": False}}, "10770550264681101266"),
        ({"kubelet": {}}, "10511255942522118522"),
    ],
)
def test_the_hash_of_a_node_class_with_defaults(spec: dict[str, Any], wanted: str) -> None:
    assert node_class(spec) == wanted


@for_each(
    ("text", "wanted"),
    [
        ("1h30m", 5_400 * 10**9),
        ("1.5h", 5_400 * 10**9),
        ("2s", 2 * 10**9),
        ("100ms", 10**8),
        ("5us", 5_000),
        ("5µs", 5_000),
        ("7ns", 7),
    ],
)
def test_durations_as_go_reads_them(text: str, wanted: int) -> None:
    assert nanoseconds(text) == wanted


@for_each("text", ["", "30d", "1h-", "Never", " 1h", 5])
def test_texts_that_are_not_durations(text: Any) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        nanoseconds(text)


def test_a_number_of_64_bits() -> None:
    facts = context().catalog.must("edits", "aksnodeclass")["hash"]
    assert hash_of({"spec": {"kubelet": {"podPidsLimit": 1024}}}, facts) == "9745576805618240637"


PERIODS: tuple[dict[str, str], ...] = ({}, {"cpuCFSQuotaPeriod": "0s"}, {"cpuCFSQuotaPeriod": "1s"})


def test_a_duration_of_zero_is_omitted_from_the_hash() -> None:
    facts = context().catalog.must("edits", "aksnodeclass")["hash"]
    bare, zero, second = ({"spec": {"kubelet": {"podPidsLimit": 1024, **more}}} for more in PERIODS)
    assert hash_of(bare, facts) == hash_of(zero, facts) != hash_of(second, facts)


def test_an_empty_text_is_left_out_of_the_hash_and_a_zero_is_not() -> None:
    facts = context().catalog.must("edits", "aksnodeclass")["hash"]
    zone = {"zone": ".", "protocol": "ForceTCP"}
    texts = [{"spec": {"localDNS": {"vnetDNSOverrides": [{**zone, **more}]}}} for more in ({}, {"serveStale": ""})]
    assert hash_of(texts[0], facts) == hash_of(texts[1], facts)
    sizes: list[dict[str, Any]] = [{"spec": {"osDiskSizeGB": 0}}, {"spec": {}}]
    assert hash_of(sizes[0], facts) != hash_of(sizes[1], facts)
