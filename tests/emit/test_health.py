"""GPU health: alerts on existing conditions, a detector if AKS has none, and a working runbook."""

import json
import os
import re
import subprocess
from pathlib import Path

from hypothesis import given

from gitgpu.emit import pages
from gitgpu.model.metrics.promql_faults import refusal
from tests.emit.fleets import (
    BY_NAME,
    CATALOG,
    CLUSTER_ID,
    H100,
    MI300X,
    PROMETHEUS,
    T4,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    met,
    placed,
    plans,
    pool,
    pools,
    taints,
)
from tests.helping.cases import for_each

HEALTH: Body = {"health": "npd"}
NAME = "gpu-problem-detector"
OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
BY_PROGRAMS = {13, 31, 43, 45, 68, 109}  # Xid errors after which NVIDIA's device plugin keeps a GPU healthy
KUBECTL = """\
#!/bin/sh
echo "kubectl $*" >> "$CALLS"
case "$*" in
  *ownerReferences*|*NodeClaim*) echo t4-abcde ;;
  *agentpool*) echo t4 ;;
  *range*) printf 'node-1 Ready: fine\\nnode-2 XIDErrors: NVRM: Xid 79\\n' ;;
esac
"""


def alerts(output: Emitted) -> dict[str, Body]:
    """The alerts by name."""
    rules = [rule for body in output.every("PrometheusRule") for rule in body["spec"]["groups"][0]["rules"]]
    return {rule["alert"]: rule for rule in rules if "alert" in rule}


@given(pools())
def test_the_detector_runs_where_aks_has_none(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(stack={**HEALTH, **BY_NAME}), cluster(), *gpu_pools)
    wanted = sorted(
        body["metadata"]["name"]
        for body in gpu_pools
        if body["spec"]["driver"] in ("operator", "none") and body["spec"]["sku"] != MI300X
    )
    daemons = [body for body in result.every("DaemonSet") if body["metadata"]["name"] == NAME]
    assert bool(daemons) is bool(wanted)
    for daemon in daemons:
        spec = daemon["spec"]["template"]["spec"]
        assert placed(spec["affinity"]) == wanted
        for name in wanted:
            assert met(result.one("NodePool", name), starting=True) <= taints(spec.get("tolerations", ()))
    every = emitted(fleet(stack=HEALTH), cluster(), *gpu_pools).every("DaemonSet")
    of_pools = {body["metadata"]["name"]: body["spec"]["template"]["spec"] for body in every}
    chosen = {name: placed(pod["affinity"]) for name, pod in of_pools.items() if name.startswith(NAME)}
    assert chosen == {f"{NAME}-pool-{name}": [name] for name in wanted}


def test_nothing_is_written_that_is_not_requested() -> None:
    output = emitted(fleet(), cluster(), pool("t4", **OPERATED))
    assert not [manifest for manifest in output.manifests if NAME in manifest.ref.name]
    assert not alerts(output)


@for_each(
    ("gpu_pool", "wanted"),
    [
        (pool("t4"), {"GpuMissing", "GpuXidErrors", "GpuClockThrottling"}),
        (pool("t4", **OPERATED), {"GpuXidErrors"}),
        (pool("t4", driver="managed"), {"GpuDevicePluginUnhealthy", "GpuDcgmUnhealthy", "GpuMissing"}),
        (pool("a10", "Standard_NV36ads_A10_v5"), {"GpuGridUnlicensed"}),
        (pool("h100", "Standard_ND96isr_H100_v5"), {"GpuNvlinkInactive", "GpuInfinibandFlapping"}),
    ],
    ids=["aks", "operator", "managed", "grid", "fabric"],
)
def test_an_alert_is_about_a_condition_that_is_set(gpu_pool: Body, wanted: set[str]) -> None:
    rules = alerts(emitted(fleet(stack=HEALTH), cluster(), gpu_pool))
    assert wanted <= set(rules)
    assert ("GpuGridUnlicensed" in rules) is ("a10" in gpu_pool["metadata"]["name"])
    assert ("GpuDcgmUnhealthy" in rules) is (gpu_pool["spec"].get("driver") == "managed")
    assert ("GpuInfinibandFlapping" in rules) is ("h100" in gpu_pool["metadata"]["name"])
    for rule in rules.values():
        assert not refusal(rule["expr"])


def test_usual_alerts_and_health_are_one_group() -> None:
    stack = {**HEALTH, "metrics": {**PROMETHEUS, "alerts": True}}
    rules = alerts(emitted(fleet(stack=stack), cluster(), pool("t4")))
    assert {"GpuHot", "GpuMissing"} <= set(rules)


def config() -> Body:
    """The configuration of the detector."""
    output = emitted(fleet(stack=HEALTH), cluster(), pool("h100", H100, **OPERATED))
    [data] = [body["data"] for body in output.every("ConfigMap") if body["metadata"]["name"].startswith(NAME)]
    settings: Body = json.loads(data["gpus.json"])
    return settings


def test_the_detector_ignores_errors_that_programs_cause() -> None:
    [rule] = config()["rules"]
    line = "NVRM: Xid (PCI:0001:00:00): {}, pid=1234, name=python, and more"
    heard = {xid for xid in range(1000) if re.search(rule["pattern"] + r"\Z", line.format(xid))}
    assert heard == set(range(1000)) - BY_PROGRAMS
    assert not re.search(rule["pattern"] + r"\Z", line.format(79) + "\nnext: a line of something else")


def test_rules_and_conditions_of_the_detector_fit() -> None:
    settings = config()
    known = {condition["type"] for condition in settings["conditions"]}
    assert {rule["condition"] for rule in settings["rules"]} == known
    row = CATALOG.must("conditions", "gpu-xid-errors")
    assert known == {row["types"][0]}


def run(tmp_path: Path, script: str, *arguments: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """Runs the script with stand-ins for its commands, which record their arguments."""
    for name in ("kubectl", "az"):
        program = tmp_path / name
        program.write_text(KUBECTL.replace("kubectl $*", f"{name} $*"))
        program.chmod(0o755)
    calls = tmp_path / "calls"
    calls.write_text("")
    env = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "CALLS": str(calls)}
    done = subprocess.run(
        ["sh", "-s", "--", *arguments], input=script, env=env, capture_output=True, text=True, check=False
    )
    return done, calls.read_text()


def script(*documents: Body) -> str:
    """The runbook of a cluster."""
    [page] = [page for page in pages() if page.name == "gpu-health.sh"]
    return page.write(plans(*documents)["one"])


def test_the_runbook_lists_unhealthy_nodes(tmp_path: Path) -> None:
    text = script(fleet(stack=HEALTH), cluster(), pool("t4"))
    done, _ = run(tmp_path, text)
    assert done.stdout == "node-2 XIDErrors: NVRM: Xid 79\n"
    assert run(tmp_path, text, "replace")[0].returncode == 2


def test_the_runbook_replaces_a_node_of_karpenter(tmp_path: Path) -> None:
    done, calls = run(tmp_path, script(fleet(stack=HEALTH), cluster(), pool("t4")), "replace", "node-2")
    assert done.returncode == 0, done.stderr
    assert calls.splitlines()[0] == "kubectl cordon node-2"
    assert calls.splitlines()[-1] == "kubectl delete nodeclaim t4-abcde"


def test_the_runbook_replaces_a_node_of_a_node_pool(tmp_path: Path) -> None:
    where = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    done, calls = run(tmp_path, script(fleet(stack=HEALTH), where, pool("t4", T4)), "replace", "node-2")
    assert done.returncode == 0, done.stderr
    first, drain, *_, last = calls.splitlines()
    assert first == "kubectl cordon node-2"
    assert drain.startswith("kubectl drain node-2 ")
    assert last.startswith("az aks nodepool delete-machines --subscription 00000000-")
    assert last.endswith("--cluster-name azure-one --name t4 --machine-names node-2")


def test_there_is_no_runbook_without_health() -> None:
    assert script(fleet(), cluster(), pool("t4")) == ""
