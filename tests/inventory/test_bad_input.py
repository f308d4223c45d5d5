"""Unsupported input for import: a finding with its place and the command to run instead."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.access import children
from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.encodings import decode_output
from gitgpu.inventory.joined import ImportOptions, join
from gitgpu.inventory.observed import Inventory
from gitgpu.inventory.read import all_sources
from gitgpu.load.text import Text
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each
from tests.helping.work import lines
from tests.inventory.reading import DOCUMENTS, bodies, faults, read, recorded

CLUSTER = "/subscriptions/s/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/a"
POOLS = recorded("az-aks-nodepool-list.json").content
AZ_TABLE = """Name    OsType    KubernetesVersion    VmSize            Count    MaxPods    ProvisioningState    Mode
------  --------  -------------------  ----------------  -------  ---------  -------------------  ------
gpu     Linux     1.34.2               Standard_NC6s_v3  1        110        Succeeded            User
"""
KUBECTL_TABLE = """NAME      NODECLASS   NODES   READY   AGE
default   default     1       True    30d
gpu       gpu         0       True    30d
"""
HCL = """# GPU nodes
resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
  name    = "gpu"
  vm_size = var.size
}
"""
BICEP = """param location string = resourceGroup().location
resource aks 'Microsoft.ContainerService/managedClusters@2025-05-01' = {
  name: 'a'
}
"""
SHOWN = """# azurerm_kubernetes_cluster_node_pool.gpu:
resource "azurerm_kubernetes_cluster_node_pool" "gpu" {
    name = "gpu"
}
"""
RUNNING = "pass the running state instead: the output of `az aks show -o json`"
SHOW = "run `terraform show -json` in its directory, and pass its output"
FORMATS = "Kubernetes objects, the JSON of `az aks`, `terraform show -json` or `helm list`, or an ARM template"
DEEP = '{"apiVersion": "v1", "kind": "A", "x": ' + '{"a": ' * 200 + "1" + "}" * 201


@for_each(
    ("content", "expected", "remedy"),
    [
        ("", "IMP001 1: the input is empty", "run the command again, and check that it prints something"),
        (" \n\n", "IMP001 1: the input is empty", "run the command again, and check that it prints something"),
        (
            "[]",
            "IMP001 1: the document is empty",
            "run the command again, with the resource group and names that you want",
        ),
        (
            f"// az aks nodepool list\n{POOLS}",
            "IMP003 1: JSON with comments",
            "remove the comments, or run the command again",
        ),
        (f"/* az */\n{POOLS}", "IMP003 1: JSON with comments", "remove the comments, or run the command again"),
        (
            '[{"name": "a", // pool\n "vmSize": 1}]',
            "IMP003 1: JSON with comments",
            "remove the comments, or run the command again",
        ),
        (
            POOLS[:-300],
            "IMP002 94: truncated JSON: the text ends inside a value",
            "run the command again, and pass its complete output",
        ),
        (
            POOLS[:200],
            "IMP002 8: truncated JSON: the text ends inside a value",
            "run the command again, and pass its complete output",
        ),
        (
            '{"a": 1]',
            "IMP002 1: not JSON: expecting ',' delimiter",
            "pass only the unchanged output of this command",
        ),
        (AZ_TABLE, "IMP003 1: a table, not data", "run the command with `-o json`, and pass its output"),
        (KUBECTL_TABLE, "IMP003 1: a table, not data", "run the command with `-o yaml`, and pass its output"),
        (
            "gpu\tLinux\t1.34\tStandard_NC6s_v3\n",
            "IMP003 1: tab-separated values, not data",
            "run the command with `-o json`, and pass its output",
        ),
        (HCL, "IMP003 1: HCL, not JSON", SHOW),
        (BICEP, "IMP003 1: Bicep, not JSON", "run `az bicep build --file FILE --stdout`, and pass its output"),
        (
            SHOWN,
            "IMP003 1: human-readable Terraform output, not JSON",
            "run `terraform show -json`, and pass its output",
        ),
        (
            f"WARNING: preview\n{POOLS}",
            "IMP003 1: text before the JSON",
            "pass only the standard output of the command: redirect it without `2>&1`",
        ),
        (
            '{"a": 1}',
            "IMP009 1: not a format that import reads",
            f"pass {FORMATS}; Helm values with `--values CHART=FILE`",
        ),
        (
            "driver:\n  enabled: false\n",
            "IMP009 1: not a format that import reads",
            f"pass {FORMATS}; Helm values with `--values CHART=FILE`",
        ),
        (
            "{{- if .Values.gpu }}\na: 1\n{{- end }}\n",
            "IMP003 1: a template, not data",
            "render it with its tool, such as `helm template CHART`, and pass the result",
        ),
        (
            "{{- if .Values.gpu }}\n[\n  1\n]\n{{- end }}\n",
            "IMP003 1: a template, not data",
            "render it with its tool, such as `helm template CHART`, and pass the result",
        ),
        (
            "pools:\n{{- range .Values.pools }}\n- {{ . }}\n{{- end }}\n",
            "IMP003 2: a template, not data",
            "render it with its tool, such as `helm template CHART`, and pass the result",
        ),
        (
            '{"count": {{ .Values.count }}}',
            "IMP003 1: a template, not data",
            "render it with its tool, such as `helm template CHART`, and pass the result",
        ),
        (
            '{"apiVersion": "karpenter.sh/v1", "spec": {}}',
            "IMP009 1: not a Kubernetes object: it has no kind",
            "add kind",
        ),
        (
            '{"kind": "NodePool", "spec": {}}',
            "IMP009 1: not a Kubernetes object: it has no apiVersion",
            "add apiVersion",
        ),
        ('{"resource": {"azurerm_kubernetes_cluster": {}}}', "IMP009 1: Terraform configuration", SHOW),
        ('{"module": {"aks": {"source": "Azure/aks"}}}', "IMP009 1: Terraform configuration", SHOW),
        (
            "apiVersion: v2\nname: a\nversion: 1.0.0\n",
            "IMP009 1: Chart.yaml of a Helm chart",
            "run `helm template CHART`, and pass its output",
        ),
        ("3", "IMP009 1: not a format that import reads", f"pass {FORMATS}"),
        (DEEP, "YML005 1: nested deeper than 100 levels", "flatten it"),
        ("[" * 100_000, "IMP002 1: not JSON: nested too deeply", "pass the unchanged output of the command"),
        ("[" + "9" * 5000 + "]", "IMP009 1: not a format that import reads", f"pass {FORMATS}"),
    ],
)
def test_what_cannot_be_read(content: str, expected: str, remedy: str) -> None:
    inventory = read(content)
    assert inventory.clusters == ()
    assert faults(inventory) == [expected]
    assert inventory.faults[0].help == remedy


def test_node_pools_of_other_controllers() -> None:
    for version, kind in (
        ("infrastructure.cluster.x-k8s.io/v1beta1", "AzureManagedMachinePool"),
        ("containerservice.azure.upbound.io/v1beta2", "KubernetesClusterNodePool"),
    ):
        inventory = read(json.dumps({"apiVersion": version, "kind": kind, "metadata": {"name": "gpu"}, "spec": {}}))
        assert faults(inventory) == [
            f"IMP010 1: {kind}/gpu describes a node pool for another controller: it is not read"
        ]
        assert inventory.faults[0].help == "pass the output of `az aks nodepool list -o json` as well"
        assert [(each.name, each.reason) for each in inventory.skipped] == [
            (f"{kind}/gpu", "a node pool of another controller")
        ]


def test_an_export_of_pulumi() -> None:
    inventory = read(json.dumps({"version": 3, "deployment": {"manifest": {}, "resources": []}}))
    assert faults(inventory) == ["IMP009 1: a Pulumi export, which import does not read"]
    assert inventory.faults[0].help == RUNNING


def test_a_parameter_file() -> None:
    schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"
    inventory = read(json.dumps({"$schema": schema, "contentVersion": "1.0.0.0", "parameters": {"a": {"value": 1}}}))
    assert faults(inventory) == ["IMP009 1: deployment parameters without their template"]
    assert inventory.faults[0].help == RUNNING


@for_each(
    "encoded",
    [POOLS.encode("utf-16"), b"\xfe\xff" + POOLS.encode("utf-16-be"), POOLS.encode("utf-8-sig"), POOLS.encode()],
)
def test_encodings_of_windows(encoded: bytes) -> None:
    text = decode_output("a.json", encoded)
    assert isinstance(text, Text)
    assert bodies(read(text)) == bodies(read(POOLS))


@for_each(
    ("raw", "code", "message", "remedy"),
    [
        (
            b"PK\x03\x04\x14\x00tfplan",
            "IMP004",
            "a binary file (ZIP), not text",
            "if it is a Terraform plan, run `terraform show -json FILE`, and pass its output",
        ),
        (b"\x1f\x8b\x08\x00", "INP002", "compressed: gzip", "unpack it, and pass what is in it"),
        (
            b"\xff\xfe\x00",
            "IMP004",
            "not UTF-16, although it starts with a UTF-16 byte order mark",
            "run the command again, and pass its complete output",
        ),
        (b"caf\xe9", "INP002", "byte 0xe9 is not UTF-8", "save the file as UTF-8"),
    ],
)
def test_bytes_that_are_not_text(raw: bytes, code: str, message: str, remedy: str) -> None:
    decoded = decode_output("a", raw)
    assert isinstance(decoded, Diagnostic)
    assert (decoded.code, decoded.message, decoded.help) == (code, message, remedy)


def test_several_outputs_in_one_file() -> None:
    """NDJSON, or the output of two `az` runs in one file. Places count from the beginning of the file."""
    first, other = json.loads(POOLS)[0], json.loads(POOLS)[0] | {"name": "other"}
    other["id"] = other["id"].replace("a100", "other")
    for text in (f"{json.dumps(first)}\n{json.dumps(other)}\n", POOLS + json.dumps([other], indent=2)):
        inventory = read(text)
        assert list(bodies(inventory)) == ["ml-weu/node pool a100", "ml-weu/node pool other"]
        line = inventory.clusters[0].objects[1].places.span(("spec", "vmSize")).line
        assert "vmSize" in text.splitlines()[line - 1]


def test_documents_before_a_fault_are_kept() -> None:
    inventory = read(f"{POOLS}\n[{{")
    assert list(bodies(inventory)) == ["ml-weu/node pool a100"]
    assert faults(inventory) == ["IMP002 102: truncated JSON: the text ends inside a value"]


def test_a_number_with_more_digits_than_python_reads() -> None:
    inventory = read(f"{POOLS}\n[{'9' * 5000}]")
    assert list(bodies(inventory)) == ["ml-weu/node pool a100"]
    assert faults(inventory) == ["IMP002 1: not JSON: a number has too many digits"]
    assert inventory.faults[0].help == "pass the unchanged output of the command"


def test_yaml_and_colours_of_az() -> None:
    """`-o yaml`, `-o jsonc` and `-o yamlc`; the last two write colour codes even to a file."""
    as_yaml = "- name: gpu\n  vmSize: Standard_NC6s_v3\n  mode: User\n  osSku: Ubuntu\n"
    coloured = (
        '[\x1b[94m{\x1b[39;49;00m"name": \x1b[33m"gpu"\x1b[39m, "vmSize": "Standard_NC6s_v3",'
        ' "mode": "User", "osSku": "Ubuntu"}]'
    )
    assert bodies(read(as_yaml)) == bodies(read(coloured))
    assert bodies(read(as_yaml))["/node pool gpu"]["spec"]["osSKU"] == "Ubuntu"


def test_json_that_yaml_does_not_read() -> None:
    """Long keys and surrogate pairs are valid JSON."""
    pool = {"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User", "tags": {"k" * 2000: "\U0001f600"}}
    text = json.dumps([pool])
    assert "\\ud83d" in text
    assert bodies(read(text))["/node pool gpu"]["spec"]["tags"] == pool["tags"]
    (cluster,) = read(f"[]\n{text}").clusters
    assert cluster.objects[0].places.span().line == 2


def test_an_unreadable_file_in_a_directory_is_skipped() -> None:
    """A file that was only found in a directory need not be meant for import."""
    for content in ('{"a": 1}', '{"a":', "", "{}", "[]"):
        inventory = read(content, asked=ImportOptions(named=frozenset()))
        assert faults(inventory) == []
        assert len(inventory.skipped) == 1


@pytest.mark.parametrize("content", [AZ_TABLE, POOLS[:-300], '{"apiVersion": "v1", "items": ['])
def test_a_broken_dump_in_a_directory_is_a_fault(content: str) -> None:
    """The output of a command about node pools or objects was meant for import."""
    assert faults(read(content, asked=ImportOptions(named=frozenset()))) == faults(read(content))


@pytest.mark.parametrize("content", ["# values\n---\nimage: {tag: 1}\n", "image\n---\nother\n"])
def test_a_document_that_begins_with_a_separator_is_not_a_table(content: str) -> None:
    assert "table" not in faults(read(content))[0]


ODD: tuple[Any, ...] = (None, 5, "x", [[]], [{}], {"a": 1})
NOWHERE = SourceMap.of(Span("a", 1, 1))


def slots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every mapping and list in a value, with each of its keys and indexes."""
    for key, item in list(children(value)):
        yield value, key
        yield from slots(item)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_shape_of_a_value_causes_a_crash(name: str) -> None:
    """With any value of a recorded document replaced, it is read or is not recognised as that format."""
    data = yaml.load(recorded(name).content, yaml.CSafeLoader)
    for number, (holder, key) in enumerate(slots(data)):
        kept = holder[key]
        for odd in ODD[number % 3 :: 3]:  # a third of them for each value
            holder[key] = odd
            sources = [source for source in all_sources() if source.recognises(data)]
            for source in sources:
                assert isinstance(join(source.reads(data, NOWHERE), ImportOptions()), Inventory)
        holder[key] = kept


def dump(number: int) -> str:
    """A kubectl list with this many objects."""
    meta = {"uid": "1", "resourceVersion": "1", "managedFields": [{"manager": "kubectl"}]}
    items = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"c{at}", **meta}, "data": {"a": "b"}}
        for at in range(number)
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1)


def test_work_grows_with_the_number_of_objects() -> None:
    """Ten times the objects take at most eleven times the work, in every format."""
    few, many = (lines(partial(read, dump(number))) for number in (100, 1000))
    assert many < 11 * few
    pools = [json.loads(POOLS)[0] | {"name": f"p{at}", "id": f"{CLUSTER}/agentPools/p{at}"} for at in range(500)]
    few, many = (lines(partial(read, json.dumps(pools[:number]))) for number in (50, 500))
    assert many < 11 * few


@given(st.sampled_from(DOCUMENTS), st.integers(0, 4000))
@settings(max_examples=40, deadline=None)
def test_no_truncated_document_causes_a_crash(name: str, length: int) -> None:
    assert isinstance(read(recorded(name).content[:length]), Inventory)


def test_an_empty_input_is_reported_at_its_first_character() -> None:
    [fault] = read(" \n").faults
    assert str(fault.span) == "a.json:1:1"


def test_a_comment_that_ends_with_a_colon_is_not_output_of_terraform() -> None:
    inventory = read("# StandardNCADSA100v4Family:\nstandard_nc24ads_a100_v4: {gpu: nvidia}\n")
    assert "Terraform" not in "".join(fault.message for fault in inventory.faults)
