"""Dumps that are not what a diagnosis needs: each has a finding with its place, or an answer."""

import copy
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.diagnose.states import items

GROUP = "azure:///subscriptions/0/resourceGroups/{}/providers/Microsoft.Compute/virtualMachines/x"


def node(name: str = "aks-a", provider: str = GROUP.format("MC_a"), at: str = "2026-11-29T10:00:00Z") -> dict[str, Any]:
    """A GPU node without its GPUs."""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "creationTimestamp": "2026-11-29T08:00:00Z",
            "labels": {"node.kubernetes.io/instance-type": "Standard_NC24ads_A100_v4", "kubernetes.io/os": "linux"},
        },
        "spec": {"providerID": provider},
        "status": {
            "capacity": {"cpu": "24", "pods": "110"},
            "allocatable": {"cpu": "24", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True", "lastHeartbeatTime": at, "lastTransitionTime": at}],
        },
    }


def pod(at: object = "2026-11-29T09:00:00Z") -> dict[str, Any]:
    """A pod that waits for a GPU."""
    container = {"name": "main", "image": "x", "resources": {"limits": {"nvidia.com/gpu": "1"}}}
    metadata = {"name": "chat", "namespace": "ml", "creationTimestamp": at}
    waits = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes"}
    status = {"phase": "Pending", "conditions": [waits]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"containers": [container]},
        "status": status,
    }


def system(uid: str) -> dict[str, Any]:
    """The namespace whose UID is that of the cluster."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kube-system", "uid": uid}}


def text(*items: object) -> str:
    """A dump of these objects."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1)


def diagnosed(run: Run, **files: str | bytes) -> Any:
    """The report for these files of a directory."""
    Path("dump").mkdir(exist_ok=True)
    for name, content in files.items():
        Path(f"dump/{name}.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    done = run("diagnose", "dump", "-o", "json")
    assert "Traceback" not in done.err
    return json.loads(done.out)


def codes(report: Mapping[str, Any]) -> list[str]:
    """The findings about what was read."""
    found = report["results"] if report["kind"] == "Findings" else report["unread"]
    assert all(each["file"].startswith("dump/") for each in found)
    return [each["code"] for each in found]


SOUND = text(node(), pod())
UNREADABLE: dict[str, tuple[str | bytes, str]] = {
    "truncated in an object": (SOUND[: len(SOUND) // 2], "IMP002"),
    "truncated before the end": (SOUND[:-3], "IMP002"),
    "a table": ("NAMESPACE   NAME   READY\nml   chat   0/1\n", "IMP003"),
    "an error before it": (f"Error from server (Forbidden): no\n{SOUND}", "IMP003"),
    "an error alone": ('error: the server doesn\'t have a resource type "nodeclaims"\n', "IMP003"),
    "nothing": ("", "IMP001"),
    "another tool": ('{"version": 4, "resources": 1}', "DIA003"),
    "Latin-1": (SOUND.replace("chat", "ch\xe9t").encode("latin-1"), "INP002"),
    "a NUL": (SOUND.replace("chat", "ch\0t"), "INP002"),
    "compressed": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "INP002"),
    "nested too deeply": ("[" * 100_000, "IMP002"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_has_a_finding_and_a_place(run: Run, name: str) -> None:
    content, code = UNREADABLE[name]
    report = diagnosed(run, a=content)
    assert (report["kind"], codes(report)) == ("Findings", [code])


def test_the_rest_is_answered_if_one_file_cannot_be_read(run: Run) -> None:
    report = diagnosed(run, a=SOUND, b=SOUND[:100], c='{"x": 1}', d='{"y": 1}')
    assert codes(report) == ["IMP002", "DIA003"]
    assert "nor do 1 other documents" in report["unread"][1]["message"]
    assert report["causes"]


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"involvedObject": None},
        {"involvedObject": "x"},
        {"involvedObject": {"kind": 1, "name": []}},
        {
            "involvedObject": {"kind": "Pod", "name": "chat", "namespace": "ml"},
            "series": "x",
            "message": ["y"],
            "count": "3",
        },
        {"regarding": {"kind": "Pod", "name": "chat"}, "metadata": None, "lastTimestamp": 5},
    ],
)
def test_events_without_an_object_are_left_out(run: Run, event: dict[str, Any]) -> None:
    report = diagnosed(run, a=text(node(), pod(), {"apiVersion": "v1", "kind": "Event", **event}))
    assert codes(report) == []
    assert len(report["causes"]) == 1


def test_times_that_cannot_be_true_are_unknown(run: Run) -> None:
    for at in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "yesterday", None, 5):
        [cause] = diagnosed(run, a=text(node(), pod(at)))["causes"]
        assert cause["minutes"] == 120  # of the node, until its kubelet last reported
        for file in Path("dump").iterdir():
            file.unlink()
        Path("dump").rmdir()


def test_one_node_whose_clock_is_ahead_does_not_move_the_time_of_the_dump(run: Run) -> None:
    nodes = [node(f"aks-{at}", at=f"2026-11-29T10:0{at}:00Z") for at in range(4)]
    report = diagnosed(run, a=text(*nodes, node("ahead", at="2026-12-24T10:00:00Z"), pod()))
    assert max(cause["minutes"] for cause in report["causes"]) <= 130


def test_dumps_of_two_clusters_are_said_to_be_mixed(run: Run) -> None:
    report = diagnosed(
        run, a=text(node(), pod(), system("1")), b=text(node("aks-b", GROUP.format("mc_b")), system("2"))
    )
    assert codes(report) == ["DIA002"]
    assert "kube-system is 1 in dump/a.json, 2 in dump/b.json" in report["unread"][0]["message"]


def test_nodes_of_two_resource_groups_are_of_two_clusters(run: Run) -> None:
    report = diagnosed(
        run, a=text(node(), node("aks-b", GROUP.format("mc_A"))), b=text(node("c", GROUP.format("mc_b")))
    )
    assert codes(report) == ["DIA002"]
    assert "resource group of nodes is mc_a in dump/a.json, mc_b in dump/b.json" in report["unread"][0]["message"]


def test_what_az_shows_of_another_cluster_is_said_to_be_mixed_in(run: Run) -> None:
    shown = {"name": "b", "location": "eastus", "nodeResourceGroup": "MC_b", "agentPoolProfiles": []}
    shown |= {"type": "Microsoft.ContainerService/ManagedClusters", "kubernetesVersion": "1.34.1"}
    report = diagnosed(run, a=text(node()), cluster=json.dumps(shown))
    assert codes(report) == ["DIA002"]
    assert codes(diagnosed(run, a=text(node()), cluster=json.dumps({**shown, "nodeResourceGroup": "mc_A"}))) == []


def test_two_dumps_of_one_cluster_are_one(run: Run) -> None:
    report = diagnosed(run, a=text(node(), system("1")), b=text(node("aks-b", GROUP.format("mc_A")), system("1")))
    assert codes(report) == []


def test_nodes_of_another_cloud_are_named_and_not_judged(run: Run) -> None:
    report = diagnosed(
        run, a=text(node(provider="aws:///us-east-1a/i-0"), node("kind", "kind://docker/kind/kind"), pod())
    )
    assert codes(report) == ["DIA004"]
    assert "(aws, kind)" in report["unread"][0]["message"]


def test_a_windows_node_is_not_said_to_lack_nvidia_gpus(run: Run) -> None:
    windows = node()
    windows["metadata"]["labels"]["kubernetes.io/os"] = "windows"
    assert diagnosed(run, a=text(windows))["causes"] == []


def test_objects_of_an_old_version_are_one_finding_for_each_kind(run: Run) -> None:
    old = [
        {"apiVersion": "karpenter.azure.com/v1alpha1", "kind": "AKSNodeClass", "metadata": {"name": f"gpu-{at}"}}
        for at in range(50)
    ]
    report = diagnosed(run, a=text(node(), pod(), *old))
    assert codes(report) == ["DIA001"]
    assert report["unread"][0]["message"].startswith("AKSNodeClass gpu-0 and 49 more are not read: ")
    assert "AKSNodeClass" in [missing["kind"] for missing in report["missing"]]


def test_a_kind_of_which_nothing_is_read_is_not_nothing_wrong(run: Run) -> None:
    old = {"apiVersion": "karpenter.sh/v1alpha5", "kind": "NodeClaim", "metadata": {"name": "gpu-a"}, "spec": {}}
    new = {"apiVersion": "karpenter.sh/v1alpha5", "kind": "Provisioner", "metadata": {"name": "gpu"}, "spec": {}}
    plain = node()
    del plain["metadata"]["labels"]["node.kubernetes.io/instance-type"]
    for objects, code in (([plain, old], 2), ([plain], 0), ([plain, new], 0), ([node(), old], 1)):
        Path("a.json").write_text(text(*objects))
        assert run("diagnose", "a.json").code == code


def test_a_dump_of_events_alone_says_what_it_lacks(run: Run) -> None:
    about = {"kind": "Pod", "namespace": "ml", "name": "chat-0"}
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "a"},
        "involvedObject": about,
        "reason": "Pulled",
    }
    Path("a.json").write_text(text(event))
    done = run("diagnose", "a.json")
    assert done.code == 2
    assert "error[IMP001] there is no pod, node or NodeClaim" in done.out


def test_nodeclaims_and_nodepools_of_v1beta1_are_read(run: Run) -> None:
    for name in ("without-gpus", "limit-used-up", "idle-node-kept-by-budget"):
        objects = items(name)
        Path("new.json").write_text(text(*objects))
        Path("old.json").write_text(text(*map(as_v1beta1, objects)))
        assert diagnosed_file(run, "old.json") == diagnosed_file(run, "new.json"), name


def as_v1beta1(body: dict[str, Any]) -> dict[str, Any]:
    """A NodeClaim or NodePool as karpenter.sh/v1beta1 has it; itself for other kinds."""
    if body["kind"] not in ("NodeClaim", "NodePool"):
        return body
    old = copy.deepcopy(body) | {"apiVersion": "karpenter.sh/v1beta1"}
    spec = old["spec"] if body["kind"] == "NodeClaim" else old["spec"]["template"]["spec"]
    reference = spec["nodeClassRef"]
    reference["apiVersion"] = f"{reference.pop('group')}/v1alpha2"
    spec["kubelet"] = {"maxPods": 50}
    disruption = old["spec"].get("disruption", {})
    if body["kind"] == "NodePool" and "expireAfter" in spec:
        disruption["expireAfter"] = spec.pop("expireAfter")
    if disruption.get("consolidationPolicy") == "WhenEmptyOrUnderutilized" and disruption["consolidateAfter"] == "0s":
        disruption["consolidationPolicy"] = "WhenUnderutilized"
        del disruption["consolidateAfter"]
    return old


def diagnosed_file(run: Run, name: str) -> tuple[int, object]:
    done = run("diagnose", name, "-o", "json")
    return done.code, json.loads(done.out)["causes"]


def test_a_must_gather_folder_and_cluster_info_dump(run: Run) -> None:
    """As `oc adm must-gather` lays it out (YAML, a file for each object), and `kubectl cluster-info dump` (lists)."""
    gathered = Path("gathered/quay-io-x")
    layouts: dict[str, object] = {
        "cluster-scoped-resources/core/nodes/aks-a.yaml": node(),
        "namespaces/ml/core/pods.yaml": {"apiVersion": "v1", "kind": "PodList", "items": [pod()]},
        "namespaces/ml/pods/chat/chat.yaml": pod(),
        "namespaces/ml/core/secrets.yaml": {"apiVersion": "v1", "kind": "SecretList", "items": []},
        "../dumped/nodes.json": {"apiVersion": "v1", "kind": "NodeList", "items": [node()]},
        "../dumped/ml/pods.json": {"apiVersion": "v1", "kind": "PodList", "items": [pod()]},
        "../dumped/ml/events.json": {"apiVersion": "v1", "kind": "EventList", "items": []},
    }
    for name, body in layouts.items():
        path = gathered / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(body))  # JSON is YAML
    for log in ("namespaces/ml/pods/chat/main/main/logs/current.log", "version", "../dumped/ml/chat/logs.txt"):
        path = gathered / log
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a: [log\n")
    for folder in ("gathered/quay-io-x/cluster-scoped-resources", "gathered"):
        report = json.loads(run("diagnose", folder, "gathered/quay-io-x/namespaces", "-o", "json").out)
        assert (report["pending"], report["nodes"], report["unread"]) == (1, 1, [])
    report = json.loads(run("diagnose", "gathered/dumped", "-o", "json").out)
    assert (report["pending"], report["nodes"], report["unread"]) == (1, 1, [])


def listed(kind: str) -> bytes:
    """What the API server answers if not objects were asked for."""
    return json.dumps({"apiVersion": "meta.k8s.io/v1", "kind": kind, "rows": [], "items": []}).encode()


FORMS: Mapping[str, tuple[bytes, str]] = {
    "table": (listed("Table"), "a table in JSON, not objects"),
    "status": (
        b'{"apiVersion": "v1", "kind": "Status", "reason": "Forbidden"}',
        "not objects: Forbidden",
    ),
    "events": (
        b"LAST SEEN   TYPE      REASON   OBJECT\n2m          Warning   Failed   pod/a-0\n",
        "a table",
    ),
    "describe": (
        b"Name:       aks-a\nRoles:      <none>\nTaints:  a\n",
        "what `kubectl describe` prints",
    ),
    "name": (b"node/aks-a\npod/chat-0\n", "names, not objects"),
    "message": (b'Error from server (Forbidden): nodes is forbidden: User "x"\n', "a message of kubectl"),
    "gzip": (gzip.compress(b"{}"), "compressed: gzip"),
}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_dump_says_what_to_run(form: str, run: Run) -> None:
    content, message = FORMS[form]
    Path("dump.txt").write_bytes(content)
    done = run("diagnose", "dump.txt")
    assert done.code == 2
    assert message in done.out + done.err
    assert "help: " in done.out + done.err


def test_an_array_of_objects_is_read(run: Run) -> None:
    Path("dump.json").write_text(json.dumps([node(), pod()]))
    assert run("diagnose", "dump.json").code == 1
