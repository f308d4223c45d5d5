"""Namespaces of workloads: the overlays list or create them, and never delete them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit import pages
from gitgpu.emit.manifest import Layer
from tests.emit.fleets import A100, Body, cluster, document, emitted, fleet, plans, pool, workload

CREATE = {"namespaces": "create"}
SCALING = {"metric": "query", "query": "up", "target": 1, "max": 2}
NAMES = st.sampled_from(
    ["serving", "batch", "kube-system", "kube-public", "default", "keda", "gpu-resources", "team-a"]
)
NEVER = {"kube-system", "kube-public", "default", "flux-system", "argocd"}


def scaled(name: str, namespace: str) -> Body:
    """A workload with a scaler, in a namespace."""
    body = workload(name, ["t4"], scaling=SCALING)
    body["metadata"]["namespace"] = namespace
    return body


def page(*documents: Body) -> str:
    """What the runbook says about namespaces."""
    [runbook] = [runbook for runbook in pages() if runbook.name == "namespaces.sh"]
    return runbook.write(plans(*documents)["one"])


@given(st.lists(NAMES, min_size=1, max_size=4), st.sampled_from(["flux", "argocd"]), st.booleans())
def test_every_namespace_is_created_or_reported(names: list[str], engine: str, create: bool) -> None:
    delivery = {"engine": engine, **(CREATE if create else {})}
    workloads = [scaled(f"w{at}", name) for at, name in enumerate(names)]
    documents = fleet(delivery=delivery, stack={"keda": "helm"}), cluster(), pool("t4"), *workloads
    result, text = emitted(*documents), page(*documents)
    made = {body["metadata"]["name"] for body in result.every("Namespace")}
    needed = {m.ref.namespace for m in result.manifests if m.ref.namespace and m.layer is not Layer.SYNC}
    listed = set(text.partition("for name in ")[2].partition(";")[0].split())
    assert needed <= made | listed | NEVER
    assert not made & NEVER, "only Kubernetes and the engine have these"
    assert not listed & made
    assert not (listed if create else made & {"serving", "batch", "team-a"})


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_a_namespace_of_workloads_is_never_deleted(engine: str) -> None:
    documents = fleet(delivery={"engine": engine, **CREATE}), cluster(), pool("t4"), scaled("chat", "serving")
    output = emitted(*documents)
    [manifest] = [
        manifest for manifest in output.manifests if (manifest.ref.kind, manifest.ref.name) == ("Namespace", "serving")
    ]
    notes = manifest.body["metadata"]["annotations"]
    assert manifest.layer is Layer.CONTROLLERS
    assert "pod-security.kubernetes.io/enforce" not in manifest.body["metadata"]["labels"]
    if engine == "flux":
        assert notes == {"kustomize.toolkit.fluxcd.io/prune": "disabled"}
    else:
        assert notes["argocd.argoproj.io/sync-options"] == "Delete=false,Prune=false"
        assert notes["argocd.argoproj.io/sync-wave"] == "0"


def test_the_layer_of_the_namespaces_comes_before_that_of_the_workloads() -> None:
    stack = {"metrics": {"exporter": False}, "driver": "none"}
    wanted = scaled("chat", "serving")
    wanted["spec"]["scaling"] = {**SCALING, "metric": "query"}
    output = emitted(fleet(delivery=CREATE), cluster(stack=stack), pool("t4"), wanted)
    specs = {body["metadata"]["name"]: body["spec"] for body in output.every("Kustomization", Layer.SYNC)}
    assert specs["example-controllers"]["wait"] is True
    assert {"name": "example-controllers"} in specs["example-nodes"]["dependsOn"]


def test_models_need_theirs() -> None:
    served = document(
        "GpuWorkload", "chat", {"pools": ["models"], "inference": {"preset": "phi-4-mini-instruct"}}, namespace="chats"
    )
    nodes = pool("models", A100, image={"osDiskGB": 512})
    stack = {"kaito": "helm", "keda": "helm"}
    assert "for name in chats;" in page(fleet(), cluster(stack=stack), nodes, served)
    output = emitted(fleet(delivery=CREATE), cluster(stack=stack), nodes, served)
    assert "chats" in {body["metadata"]["name"] for body in output.every("Namespace")}


def test_a_workload_that_is_only_patched_needs_none() -> None:
    assert not page(fleet(), cluster(), pool("t4"), workload("chat", ["t4"]))
