"""Remedies of faults of shape and syntax: the suggested value is valid."""

import pytest

from gitgpu.diagnostic import Change, Diagnostic
from gitgpu.load.explain import explain_faults
from gitgpu.load.explain.suggestions import suggestion
from gitgpu.load.parse.yaml import parse
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

DURATION = "^(([0-9]+(s|m|h))+|Never)$"
SIZE = r"^[0-9]+(\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
"""
IN_FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: ml}
spec:
  delivery: {engine: flux, repository: "https://example.com/fleet"}
  defaults:
    pool: """
IN_CLUSTER = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  pool: """
NODE_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
"""
CONFLICT = "a: 1\n<<<<<<< HEAD\nb: 2\n||||||| base\nb: 0\n=======\nb: 3\n>>>>>>> theirs\n"


def reported(text: str) -> list[Diagnostic]:
    return shape([Text("fleet.yaml", text, "fleet.yaml")])[1]


@for_each(
    ("value", "pattern", "expected"),
    [
        ("30d", DURATION, "720h"),
        ("2w", DURATION, "336h"),
        ("1d12h", DURATION, "36h"),
        ("1.5h", DURATION, "1h30m"),
        ("10 min", DURATION, "10m"),
        ("0d", DURATION, "0s"),
        ("1.5m", DURATION, "1m30s"),
        ("never", DURATION, "Never"),
        ("always", "^(Always|Never)$", "Always"),
        ("3 weeks", DURATION, "504h"),
        ("2 days", DURATION, "48h"),
        ("3 hrs", DURATION, "3h"),
        ("90 secs", DURATION, "90s"),
        ("0.5s", DURATION, ""),
        (" 10m ", DURATION, "10m"),
        (" a/b/ ", "^[a-z/]+$", "a/b/"),
        ("64 kB", SIZE, "64k"),
        ("https://contoso.azurecr.io", "^[a-z.]+$", "contoso.azurecr.io"),
        ("https://contoso.azurecr.io/", "^[a-z.]+$", "contoso.azurecr.io"),
        ("oci://contoso.azurecr.io/a/", "^[a-z./]+$", "contoso.azurecr.io/a/"),
        ("https://contoso.com/fleet/", "^https://[a-z./]*[a-z]$", "https://contoso.com/fleet"),
        ("5KI", SIZE, "5Ki"),
        ("5K", "^[0-9]+k$", "5k"),
        ("Team_A", "^[a-z_]+$", "team_a"),
        ("600", DURATION, ""),  # the unit is unknown
        ("soon", DURATION, ""),
        ("16GiB", SIZE, "16Gi"),
        ("16 gi", SIZE, "16Gi"),
        ("512GB", SIZE, "512G"),
        ("git@github.com:contoso/fleet.git", r"^(https|ssh)://[^\s]+$", "ssh://git@github.com/contoso/fleet.git"),
        ("Sweden Central", "^[a-z0-9]+$", "swedencentral"),
        ("Team_A", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "team-a"),
        ("dcgm_fi_dev_gpu_temp", "^DCGM_FI_[A-Z0-9_]+$", "DCGM_FI_DEV_GPU_TEMP"),
        ("v1.34", r"^1\.[0-9]{1,2}$", "1.34"),
        ("swedencentral-1", "^[1-9]$", "1"),
        ("eastus2-3", "^[1-9]$", "3"),
        ("swedencentral-0", "^[1-9]$", ""),
        ("Sweden-1 zone", "^[1-9]$", ""),
    ],
)
def test_what_a_text_was_meant_to_be(value: str, pattern: str, expected: str) -> None:
    assert suggestion(value, {"type": "string", "pattern": pattern}) == expected


@pytest.mark.parametrize(
    "schema", [{}, {"pattern": "^[a-z]+$", "minLength": 3}, {"pattern": "^[a-z]+$", "maxLength": 1}]
)
def test_nothing_is_suggested_without_a_pattern_or_outside_the_limits(schema: dict[str, object]) -> None:
    assert suggestion("AB", schema) == ""
    assert suggestion("AB", {"pattern": "^[a-z]+$", "minLength": 2, "maxLength": 2}) == "ab"
    assert suggestion(5, {"pattern": "^5$"}) == ""
    assert suggestion("A", {"pattern": "^[a-z]*$", "maxLength": 1}) == "a"


def test_a_duration_in_days_is_given_in_hours() -> None:
    (fault,) = reported(POOL + "  disruption: {expireAfter: 30d}\n")
    assert fault.help == "use 720h"
    (fault,) = conformed(NODE_POOL.replace("requirements", "expireAfter: 30d\n      requirements"))
    assert fault.help == "use 720h"
    (fault,) = reported(POOL + "  disruption: {expireAfter: x}\n")
    assert fault.help == "correct the value, for example 720h"  # Never would turn expiry off


def test_a_superfluous_level_is_removed() -> None:
    text = """
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: a, namespace: b}
spec:
  resource: {instanceType: Standard_NC24ads_A100_v4, labelSelector: {matchLabels: {a: b}}}
  inference: {preset: {name: phi-4-mini-instruct}}
"""
    (fault,) = conformed(text)
    assert fault.message == "unknown key 'spec': its keys belong one level up"
    assert fault.help == "remove 'spec:', and move its contents one level up"
    assert conformed(text.replace("spec:\n", "").replace("\n  ", "\n")) == []


def test_a_key_written_twice_is_a_superfluous_level() -> None:
    text = """
apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: a, image: nginx, securityContext: {securityContext: {runAsUser: 5}}}]}
"""
    fault = next(fault for fault in conformed(text) if fault.code == "CNF001")
    assert fault.help == "remove 'securityContext:', and move its contents one level up"


def test_a_key_is_not_moved_into_a_mapping_that_another_key_excludes() -> None:
    text = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a, namespace: b}
spec: {interval: 1h, version: 1.2.3, chartRef: {kind: OCIRepository, name: a}}
"""
    (fault,) = conformed(text)
    assert fault.help.startswith("remove it; the allowed keys are chart, chartRef")


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (NODE_POOL + "      kubelet: {maxPods: 30}\n", "set it in the AKSNodeClass, as spec.kubelet"),
        (NODE_POOL + "  imageFamily: Ubuntu\n", "set it in the AKSNodeClass, as spec.imageFamily"),
        (NODE_POOL + "  expireAfter: 1h\n", "move it to spec.template.spec"),
    ],
)
def test_the_remedy_names_the_place_where_a_key_belongs(text: str, remedy: str) -> None:
    (fault,) = conformed(text)
    assert fault.help == remedy


def test_the_node_class_of_another_cloud_is_not_said_to_be_of_azure() -> None:
    text = NODE_POOL.replace("karpenter.azure.com", "karpenter.k8s.aws").replace("AKSNodeClass", "EC2NodeClass")
    (fault,) = conformed(text + "      kubelet: {maxPods: 30}\n")
    assert fault.help.startswith("remove it; the allowed keys are")


@for_each(
    ("text", "remedy"),
    [
        (POOL + "  kubernetesVersion: '1.36'\n", "set it in the Cluster, as spec.kubernetesVersion"),
        (IN_CLUSTER + "{replicas: 2}\n", "set it in the GpuPool, as spec.replicas"),
        (IN_CLUSTER + "{nodeClass: {name: gpu}}\n", "set it in the GpuPool, as spec.nodeClass"),
        (IN_CLUSTER + "{nodes: {min: 1}}\n", "set it in the GpuPool, as spec.nodes"),
        (IN_FLEET + "{replicas: 2}\n", "set it in the GpuPool, as spec.replicas"),
        (IN_CLUSTER + "{engine: flux}\n", "set it in the Fleet, as spec.delivery.engine"),
        (POOL + "  expireAfter: 1h\n", "move it to spec.disruption"),
        (POOL + "weight: 3\n", "move it to spec"),
    ],
)
def test_the_remedy_names_the_kind_to_which_a_key_belongs(text: str, remedy: str) -> None:
    (fault,) = reported(text)
    assert fault.help == remedy


@for_each(
    ("text", "line"),
    [
        (CONFLICT, 2),
        (CONFLICT.replace("\n", "\r\n"), 2),
        ('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> theirs\n}\n', 2),
        ("a:\n  b: 1\n=======\n  b: 2\n", 3),  # partly resolved
        ("a: 1\n>>>>>>> theirs\n", 2),
    ],
)
def test_an_unresolved_merge_is_reported_at_its_first_line(text: str, line: int) -> None:
    documents, (fault,) = parse(Text("a.yaml", text, "a.yaml"))
    assert documents == []
    assert (fault.code, fault.message, fault.span.line) == ("YML001", "unresolved merge conflict", line)


@for_each(
    "text", ["a: |\n  <<<<<<< HEAD\n  x\n  >>>>>>> y\n", "a: =======\n", "# <<<<<<< x\na: 1\n", "a: |\n\n  =======\n"]
)
def test_conflict_markers_inside_a_text_are_not_a_merge(text: str) -> None:
    assert parse(Text("a.yaml", text, "a.yaml"))[1] == []


CLUSTER = "apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {name: c}\n"
WORKLOAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {name: w, namespace: team}\n"


@for_each(
    ("text", "remedy"),
    [
        (CLUSTER + "spec: {region: swedencentral, kubernetesVersion: 1.36}\n", 'quote it: "1.36"'),
        (CLUSTER + "spec: {region: swedencentral, kubernetesVersion: v1.36}\n", 'use "1.36"'),
        (CLUSTER + "spec: {region: swedencentral, kubernetesVersion: 1.30}\n", 'correct the value, for example "1.34"'),
        (POOL + "  capacity: Spot\n", "use [spot]"),
        (POOL + "  capacity: on_demand\n", "use [on-demand]"),
        (WORKLOAD + "spec: {pool: [t4], target: {kind: Deployment, name: w}}\n", "rename it to 'pools'"),
    ],
)
def test_a_remedy_keeps_what_the_author_meant(text: str, remedy: str) -> None:
    assert [diagnostic.help for diagnostic in reported(text)] == [remedy]


@for_each(
    ("old", "new", "key", "expected"),
    [
        (
            "nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}\n      requirements: []",
            "requirements: []",
            "nodeClassRef",
            "add nodeClassRef, a mapping with group, kind, name",
        ),
        ("requirements: []", "requirements: [{key: a}]", "operator", "add operator, one of "),
        ("requirements: []", "requirements: []\n      taints: [{key: a}]", "effect", "add effect, one of NoSchedule, "),
        ("name: default}", "}", "name", "add name"),
    ],
)
def test_a_missing_key_is_named_with_what_it_can_hold(old: str, new: str, key: str, expected: str) -> None:
    assert old in NODE_POOL
    (fault,) = [finding for finding in conformed(NODE_POOL.replace(old, new)) if finding.code == "CNF001"]
    assert fault.message == f"missing key '{key}'"
    assert fault.help.startswith(expected)


@for_each(
    ("key", "value", "is_quoted"),
    [
        ("placement", "5", False),
        ("placement", "true", False),
        ("driverBranch", "580", False),  # a number is accepted
        ("nodePoolName", "1e3", False),
        ("image", "{family: 2204}", False),
        ("zones", "[1.5]", False),
        ("subnet", "5", False),
        ("labels", "{team: 5}", True),
        ("labels", "{team: on}", True),
        ("weight", "'5'", False),
    ],
)
def test_quotes_are_a_fix_only_if_the_text_is_valid(key: str, value: str, *, is_quoted: bool) -> None:
    edits = [fault.edit for fault in reported(f"{POOL}  {key}: {value}\n") if fault.edit]
    assert [edit.change for edit in edits] == [Change.QUOTE] * is_quoted


def test_a_boolean_is_quoted_where_the_text_that_was_written_is_one_of_the_words() -> None:
    schema = {"type": "object", "properties": {"mode": {"type": "string", "enum": ["on", "off", "one"]}}}
    repairs = {str(value): explain_faults(schema, {"mode": value})[0].repair for value in (True, False, 1, 1.0)}
    assert [text for text, repair in repairs.items() if repair] == ["True", "False"]


def test_a_value_is_not_quoted_where_the_text_is_another_word() -> None:
    schema = {"type": "string", "enum": ["on", "5"]}
    assert {value: bool(explain_faults(schema, value)[0].repair) for value in (True, False, 5, 6)} == {
        True: True, False: False, 5: True, 6: False,
    }  # fmt: skip
