"""AKS Automatic clusters: --automatic, lint.automatic and lint.excludedNamespaces."""

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run
from tests.inventory.test_safeguards import cluster, operator, resource

AGENT = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: gpu}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: "contoso.azurecr.io/agent:1.0", securityContext: {privileged: true}}]
"""
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint: {%s}\n"


@pytest.fixture(autouse=True)
def _agent(run: Run) -> None:
    Path("agent.yaml").write_text(AGENT)


def test_a_cluster_is_no_automatic_one_unless_something_says_so(run: Run) -> None:
    assert "APL103" not in run("lint", "agent.yaml").out


def test_the_option_warns_because_namespaces_may_be_excluded(run: Run) -> None:
    ran = run("lint", "agent.yaml", "--automatic")
    assert ran.code == 0
    assert "warning[APL103] AKS Automatic rejects pods with privileged containers, unless" in ran.out


@pytest.mark.parametrize(
    ("settings", "code", "severity"),
    [
        ("automatic: true", 0, "warning[APL103]"),
        ("automatic: true, excludedNamespaces: []", 1, "error[APL103]"),
        ("automatic: true, excludedNamespaces: [other]", 1, "error[APL103]"),
        ("automatic: true, excludedNamespaces: [other, gpu]", 0, ""),
        ("excludedNamespaces: []", 0, ""),
    ],
)
def test_the_configuration_says_which_namespaces_are_excluded(
    run: Run, settings: str, code: int, severity: str
) -> None:
    Path(".gitgpu.yaml").write_text(CONFIG % settings)
    ran = run("lint", "agent.yaml")
    assert ran.code == code
    assert (severity or "APL103") in ran.out if severity else "APL103" not in ran.out


OTHERS = """
apiVersion: v1
kind: Service
metadata: {name: agent, namespace: gpu, labels: {kubernetes.azure.com/managedby: aks}}
spec: {selector: {app: agent}, ports: [{port: 80}]}
---
apiVersion: v1
kind: Service
metadata: {name: agents, namespace: gpu}
spec: {clusterIP: None, selector: {app: agent}, ports: [{port: 80}]}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: models}
provisioner: kubernetes.io/azure-disk
"""


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("automatic: true", {"warning[APL113]", "warning[APL114]", "error[APL112]"}),
        ("automatic: true, excludedNamespaces: [other]", {"error[APL113]", "warning[APL114]", "error[APL112]"}),
        ("automatic: true, excludedNamespaces: [gpu]", {"error[APL112]"}),
        ("automatic: false", set()),
    ],
)
def test_the_safeguards_read_more_than_pods(run: Run, settings: str, found: set[str]) -> None:
    """A StorageClass has no namespace, so no exclusion helps."""
    Path(".gitgpu.yaml").write_text(CONFIG % settings)
    Path("others.yaml").write_text(OTHERS)
    out = run("lint", "others.yaml").out
    assert {text for text in out.split() if "[APL" in text} == found


EVERYTHING = """
hostNetwork: true
hostPID: true
hostIPC: true
nodeSelector: {kubernetes.io/os: windows}
volumes: [{name: root, hostPath: {path: /}}]
containers:
- name: agent
  image: contoso.azurecr.io/agent:1.0
  volumeMounts: [{name: root, mountPath: /host}]
  ports: [{containerPort: 80, hostPort: 80}]
  securityContext: {privileged: true, capabilities: {add: [SYS_ADMIN, NET_ADMIN]}}
"""
REFUSED = {
    ("APL102", "/metadata/namespace"),
    ("APL103", "/hostNetwork"),
    ("APL103", "/hostPID"),
    ("APL103", "/hostIPC"),
    ("APL103", "/volumes/0/hostPath"),
    ("APL103", "/containers/0/securityContext/privileged"),
    ("APL103", "/containers/0/securityContext/capabilities/add/0"),
    ("APL103", "/containers/0/securityContext/capabilities/add/1"),
    ("APL103", "/containers/0/ports/0/hostPort"),
    ("APL110", "/nodeSelector/kubernetes.io~1os"),
}


@pytest.mark.parametrize("kind", ["Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "RayCluster"])
def test_all_that_would_be_refused_is_reported_at_its_place(run: Run, kind: str) -> None:
    """For each kind that has pods, also one of an operator."""
    spec = yaml.load(EVERYTHING, yaml.CSafeLoader)
    pod = {"metadata": {"labels": {"app": "agent"}}, "spec": spec}
    body = {
        "Pod": spec,
        "Job": {"template": pod},
        "CronJob": {"schedule": "0 * * * *", "jobTemplate": {"spec": {"template": pod}}},
        "RayCluster": {"headGroupSpec": {"template": pod}},
    }
    group = {"Pod": "v1", "Job": "batch/v1", "CronJob": "batch/v1", "RayCluster": "ray.io/v1"}
    labels = {"selector": {"matchLabels": {"app": "agent"}}, "template": pod}
    item = {
        "apiVersion": group.get(kind, "apps/v1"),
        "kind": kind,
        "metadata": {"name": "agent", "namespace": "kube-system"},
        "spec": body.get(kind, labels),
    }
    Path("agent.yaml").write_text(yaml.safe_dump(item))
    found = json.loads(run("lint", "agent.yaml", "--automatic", "--output", "json").out)["results"]
    places = [(one["code"], one["pointer"]) for one in found if one["code"].startswith("APL")]
    assert {(code, end) for code, place in places for _, end in REFUSED if place.endswith(end)} == REFUSED
    assert len(places) == len(REFUSED)


@pytest.mark.parametrize(
    ("files", "code", "severity"),
    [
        ([["gpu"]], 0, ""),
        ([["other"]], 1, "error[APL103]"),
        ([None], 1, "error[APL103]"),
        ([["gpu"], ["gpu"]], 0, ""),
        ([["gpu"], ["other"]], 0, "warning[APL103]"),
    ],
    ids=["excluded", "another one", "none", "in two clusters", "in one of two clusters"],
)
def test_the_output_of_azure_says_which_namespaces_are_excluded(
    run: Run, files: list[list[str] | None], code: int, severity: str
) -> None:
    for number, excluded in enumerate(files):
        Path(f"{number}.json").write_text(json.dumps(resource(excluded)))
    ran = run("lint", ".", "--automatic")
    assert ran.code == code, ran.out
    assert severity in ran.out if severity else "APL103" not in ran.out
    assert "LNT017" not in ran.out


def test_the_configuration_precedes_the_output_of_azure(run: Run) -> None:
    Path(".gitgpu.yaml").write_text(CONFIG % "automatic: true, excludedNamespaces: [gpu]")
    Path("safeguards.json").write_text(json.dumps(resource(["other"])))
    assert "APL103" not in run("lint", ".").out


def test_a_cluster_of_azure_says_which_namespaces_are_excluded(run: Run) -> None:
    profile = {"level": "Enforcement", "excludedNamespaces": ["other"]}
    Path("show.json").write_text(json.dumps(cluster(safeguardsProfile=profile)))
    ran = run("lint", ".", "--automatic")
    assert "error[APL103]" in ran.out
    assert "LNT017" in ran.out


def test_safeguards_alone_do_not_make_a_cluster_automatic(run: Run) -> None:
    Path("safeguards.json").write_text(json.dumps(resource(["other"])))
    assert "APL103" not in run("lint", ".").out


@pytest.mark.parametrize(("excluded", "code"), [(["gpu"], 0), (["other"], 1)])
def test_a_cluster_of_the_operator_says_which_namespaces_are_excluded(run: Run, excluded: list[str], code: int) -> None:
    """Only preview versions of its API have the safeguards of a cluster."""
    profile = {"level": "Enforcement", "excludedNamespaces": excluded}
    body = operator(sku={"name": "Automatic"}, safeguardsProfile=profile)
    Path("aks.yaml").write_text(yaml.safe_dump(body))
    ran = run("lint", ".", "--automatic")
    assert ("error[APL103]" in ran.out) == bool(code), ran.out
