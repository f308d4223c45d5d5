"""Labels and annotations of pools and workloads are set on their objects, but not in templates."""

import re
from typing import Any

import pytest
import yaml

from gitgpu.compare import Both, compare_clusters
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.text import Text
from gitgpu.runs.build import BuildOptions, build
from gitgpu.runs.validate import link_fleet, validate_texts
from tests.compare.sides import context
from tests.helping.cases import for_each

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: f}
spec:
  delivery: {repository: https://example.com/x, engine: %s}
  defaults:
    stack: {keda: helm, kaito: helm, verify: true, metrics: {scrape: prometheus-operator, server: "http://prom.example"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {region: swedencentral, kubernetesVersion: "1.36", %s}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4POOL}
spec:
  clusters: [prod]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: servingWORK}
spec:
  pools: [t4]
  target: {kind: Deployment, name: chat}
  scaling: {metric: query, query: "sum(waiting)", target: 4, max: 4}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: phi, namespace: servingWORK}
spec:
  pools: [t4]
  inference: {preset: phi-4-mini-instruct}
"""
POOL = ", labels: {team: research}, annotations: {contoso.com/owner: a@b.c}"
WORK = ", labels: {app: gateway}, annotations: {contoso.com/owner: d@e.f}"
ID = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/g/providers/Microsoft.ContainerService"
NAP, AUTOSCALER = "provisioner: nap", f"provisioner: cluster-autoscaler, resourceId: {ID}/managedClusters/prod"
SYSTEMS = [("flux", NAP), ("argocd", NAP), ("flux", AUTOSCALER)]


def text(system: tuple[str, str], pool: str = "", work: str = "") -> Text:
    """A fleet whose pool and workloads have this metadata."""
    return Text("f.yaml", (FLEET % system).replace("POOL", pool).replace("WORK", work), "f.yaml")


def files(system: tuple[str, str], pool: str = "", work: str = "") -> dict[str, str]:
    """The files that it compiles to."""
    source = text(system, pool, work)
    made = build(link_fleet([source]), options=BuildOptions())
    assert made.errors == ()
    return dict(made.files)


def diagnostics(pool: str = "", work: str = "", engine: str = "flux") -> list[Diagnostic]:
    """The findings about metadata."""
    every = in_order(validate_texts([text((engine, NAP), pool, work)]).diagnostics)
    return [it for it in every if it.code in ("SCH026", "SHP003")]


def objects(made: dict[str, str]) -> dict[str, Any]:
    """The objects by path."""
    paths = [
        path for path in made if path.endswith(".yaml") and "kustomization" not in path and "/runbook/" not in path
    ]
    return {path: yaml.load(made[path], yaml.CSafeLoader) for path in paths}


@pytest.mark.parametrize("system", SYSTEMS)
def test_only_the_metadata_of_their_own_objects_changes(system: tuple[str, str]) -> None:
    before, after = objects(files(system)), objects(files(system, POOL, WORK))
    assert before.keys() == after.keys()
    changed = {path for path in before if before[path] != after[path]}
    pools = ["nodepool", "aksnodeclass"] if system[1] == NAP else ["managedclustersagentpool"]
    assert {f"prod/nodes/{kind}-t4.yaml" for kind in pools} <= changed
    assert {path.split("/")[1] for path in changed} == {"nodes", "workloads", "models", "verify"}
    for path in changed:
        meta = after[path]["metadata"]
        given = (
            ("team", "research", "a@b.c") if path.split("/")[1] in ("nodes", "verify") else ("app", "gateway", "d@e.f")
        )
        assert (meta["labels"].pop(given[0]), meta["annotations"].pop("contoso.com/owner")) == given[1:]
        assert {**after[path], "metadata": {key: value for key, value in meta.items() if value}} == before[path]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_plan_replaces_no_node_and_restarts_no_pod(system: tuple[str, str]) -> None:
    both = Both(files(system), files(system, POOL, WORK), "", {"prod": "swedencentral"})
    [cluster], faults = compare_clusters(both, context())
    assert faults == []
    assert [(pool.name, pool.replaced, pool.refused) for pool in cluster.pools] == [("t4", "none", ())]
    assert cluster.effects == ()
    assert {field.path for change in cluster.changes for field in change.fields} <= {
        "metadata.labels.team",
        "metadata.labels.app",
        "metadata.annotations",
        'metadata.annotations."contoso.com/owner"',
    }


@for_each(
    ("pool", "expected"),
    [
        (", labels: {app.kubernetes.io/managed-by: me}", "SCH026 /metadata/labels/app.kubernetes.io~1managed-by"),
        (", labels: {gitgpu.dev/x: me}", "SCH026 /metadata/labels/gitgpu.dev~1x"),
        (", annotations: {gitgpu.dev/x: me}", "SCH026 /metadata/annotations/gitgpu.dev~1x"),
        (", labels: {team: a b}", "SHP003 /metadata/labels/team"),
        (", labels: {-team: a}", "SHP003 /metadata/labels/-team"),
        (", annotations: {owner: 3}", "SHP003 /metadata/annotations/owner"),
        (", annotations: {a/b/c: x}", "SHP003 /metadata/annotations/a~1b~1c"),
    ],
)
def test_invalid_keys_are_reported(pool: str, expected: str) -> None:
    assert [f"{it.code} {it.pointer}" for it in diagnostics(pool)] == [expected]
    assert [f"{it.code} {it.pointer}" for it in diagnostics(work=pool)] == [expected] * 2


@for_each(
    ("engine", "annotation", "on_pools", "on_workloads"),
    [
        ("flux", "kustomize.toolkit.fluxcd.io/prune: enabled", 1, 0),
        ("argocd", "kustomize.toolkit.fluxcd.io/prune: enabled", 0, 0),
        ("argocd", "argocd.argoproj.io/sync-wave: '4'", 1, 2),
        ("flux", "argocd.argoproj.io/sync-wave: '4'", 0, 0),
        ("argocd", "argocd.argoproj.io/sync-options: Replace=true", 1, 0),
        ("flux", "karpenter.azure.com/aksnodeclass-hash-version: v1", 1, 0),
    ],
)
def test_annotations_of_the_engine_are_reserved_where_gitgpu_sets_them(
    engine: str, annotation: str, on_pools: int, on_workloads: int
) -> None:
    meta = f", annotations: {{{annotation}}}"
    assert [len(diagnostics(pool=meta, engine=engine)), len(diagnostics(work=meta, engine=engine))] == [
        on_pools,
        on_workloads,
    ]


def test_the_metadata_of_fleets_and_clusters_reaches_no_object() -> None:
    plain = text(("flux", NAP))
    content = plain.content.replace("{name: f}", "{name: f, labels: {a: b}, annotations: {c: d}}")
    content = content.replace("{name: prod}", "{name: prod, labels: {e: f}, annotations: {g: h}}")
    source = plain._replace(content=content)
    made = build(link_fleet([source]), options=BuildOptions(proven=True))
    assert made.errors == ()
    assert re.search("[acg]: [bdh]$", "".join(made.files.values()), re.MULTILINE) is None
    assert dict(made.files) == files(("flux", NAP))
