"""Plans of realistic changes, in every format: nodes, objects, delivery, upgrades."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.compare import AtLimits, Both, Field, Kind, compare_clusters
from gitgpu.compare.facts import RowChange
from gitgpu.compare.sides import Sides
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.catalog.diff import FORMS as DIFF_FORMS
from gitgpu.report.catalog.diff import CatalogDiff, render_diff
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.comparison.pools import growth
from gitgpu.report.comparison.totals import total_line
from gitgpu.report.findings import Style
from gitgpu.report.html.style import STYLE
from gitgpu.report.plan_formats import render_plan
from gitgpu.source import Span
from gitgpu.write.render import render
from tests.compare.sides import AGENTS, CLASS, FLUX, POOL, REMOVED, Body, context, edited
from tests.helping.cases import for_each

Edits = Mapping[str, Any]
Side = Mapping[str, Body]
LIMITS = "spec/template/spec/containers/0/resources/limits"


def body(api_version: str, kind: str, name: str, spec: Any, **meta: Any) -> Body:
    """An object in a namespace."""
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": "gpu", **meta},
        "spec": spec,
    }


def pods(image: str, **limits: str) -> Body:
    """A pod template with one container."""
    return {"spec": {"containers": [{"name": "c", "image": image, "resources": {"limits": limits}}]}}


def renamed(given: Body, name: str) -> Body:
    """The object with a different name."""
    return {**given, "metadata": {**given["metadata"], "name": name}}


POOLS: dict[str, Body] = {
    "nodes a": renamed(POOL, "a100"),
    "nodes b": edited(renamed(POOL, "t4"), {"spec/limits": {"nvidia.com/gpu": "12"}, "spec/weight": 5}),
    "nodes c": renamed(POOL, "old"),
    "nodes d": edited(renamed(POOL, "gone"), {"metadata/annotations": {"a": "b"}}),
    "nodes e": CLASS,
    "nodes f": AGENTS,
    "nodes g": renamed(edited(AGENTS, {"spec/azureName": "small"}), "small"),
}
WORKLOADS: dict[str, Body] = {
    "workloads a": body("apps/v1", "Deployment", "web", {"replicas": 1, "template": pods("web:1")}),
    "workloads b": body("apps/v1", "StatefulSet", "index", {"serviceName": "x", "template": pods("index:1")}),
    "workloads c": body(
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        "web",
        {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "minReplicas": 1, "maxReplicas": 3},
    ),
    "workloads d": body(
        "keda.sh/v1alpha1", "ScaledObject", "chat", {"scaleTargetRef": {"name": "chat"}, "maxReplicaCount": 4}
    ),
    "workloads/gpu.chat a": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "chat"},
        "spec": {"template": pods("", **{"nvidia.com/gpu": "2", "memory": "8Gi"})},
    },
    "workloads/gpu.batch a": {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "batch"},
        "spec": {"template": pods("", **{"nvidia.com/gpu": "1"})},
    },
}
SOFTWARE: dict[str, Body] = {
    "controllers a": body(
        "apps/v1",
        "DaemonSet",
        "plugin",
        {
            "template": pods("nvcr.io/nvidia/k8s-device-plugin:v0.19.0"),
            "updateStrategy": {"rollingUpdate": {"maxUnavailable": "10%"}},
        },
    ),
    "controllers b": body(
        "helm.toolkit.fluxcd.io/v2",
        "HelmRelease",
        "keda",
        {"chart": {"spec": {"chart": "keda", "version": "2.19.0"}}, "values": {"a": 1, "b": [1, 2]}},
    ),
    "controllers c": body(
        "helm.toolkit.fluxcd.io/v2", "HelmRelease", "other", {"chart": {"spec": {"chart": "other", "version": "v2.0"}}}
    ),
    "controllers d": {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "counters", "namespace": "gpu"},
        "data": {"a.csv": "one\ntwo\nthree\n", "b": "x"},
    },
    "controllers e": body("v1", "Service", "exporter", {"ports": [{"port": 9400}], "sessionAffinity": "None"}),
    "monitoring a": body(
        "monitoring.coreos.com/v1", "PrometheusRule", "gpus", {"groups": [{"name": "a", "rules": [{"alert": "x"}]}]}
    ),
}
KUSTOMIZATIONS: dict[str, Body] = {
    f"sync {layer}": edited(
        FLUX,
        {
            "metadata/name": f"contoso-{layer}",
            "spec/path": f"./overlays/prod/{layer}",
            "spec/dependsOn": [{"name": f"contoso-{other}"} for other in needs],
        },
    )
    for layer, needs in (
        ("controllers", ()),
        ("nodes", ("controllers",)),
        ("monitoring", ("controllers",)),
        ("workloads", ("nodes", "monitoring", "elsewhere")),
    )
}
APPLICATIONS: dict[str, Body] = {
    "sync a": body("argoproj.io/v1alpha1", "Application", "contoso", {"source": {"path": "overlays/prod/nodes"}}),
    "controllers k": body(
        "argoproj.io/v1alpha1",
        "Application",
        "keda",
        {"source": {"chart": "keda", "targetRevision": "2.19.0", "helm": {"valuesObject": {"a": 1}}}},
    ),
    "controllers l": body(
        "argoproj.io/v1alpha1", "Application", "other", {"source": {"chart": "o", "targetRevision": "1", "helm": {}}}
    ),
}
FLEET = {**POOLS, **WORKLOADS, **SOFTWARE, **KUSTOMIZATIONS}
CHANGES: dict[str, Edits | None] = {
    "nodes a": {
        "spec/template/spec/taints": REMOVED,
        "spec/template/metadata/labels": {"team": "ai", "tier": "gold", "cost": "1"},
        "spec/limits": {"nvidia.com/gpu": "16", "cpu": "1e3"},
    },
    "nodes b": {"spec/weight": REMOVED, "spec/disruption/consolidateAfter": "30m"},
    "nodes c": None,
    "nodes d": None,
    "nodes e": {"spec/imageFamily": "AzureLinux", "spec/osDiskSizeGB": 300},
    "nodes f": {"spec/vmSize": "Standard_NC16as_T4_v3"},
    "nodes g": {"spec/maxCount": 6, "spec/tags": {"a": "b"}},
    "workloads a": {"spec/template/spec/containers/0/image": "web:2"},
    "workloads b": {"spec/template/spec/containers/0/image": "index:2"},
    "workloads c": {"spec/maxReplicas": 5, "spec/minReplicas": REMOVED},
    "workloads d": {"spec/maxReplicaCount": REMOVED, "spec/minReplicaCount": 2},
    "workloads/gpu.chat a": {LIMITS: {"nvidia.com/gpu": "4", "memory": "8Gi"}},
    "workloads/gpu.batch a": None,
    "controllers a": {"spec/template/spec/containers/0/image": "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"},
    "controllers b": {"spec/chart/spec/version": "2.20.2", "spec/values": {"a": 2, "b": [1], "c": {"d": {"e": 1}}}},
    "controllers c": {"spec/chart/spec/version": "v1.10"},
    "controllers d": {"data/a.csv": "one\n2\nthree\n", "data/b": REMOVED, "data/c": "`x`\n````\n"},
    "controllers e": {"spec/sessionAffinity": REMOVED},
    "monitoring a": {"spec/groups/0/rules": [{"alert": "x"}, {"alert": "y", "labels": {"severity": "page"}}]},
    "sync nodes": {"spec/path": "./overlays/production/nodes"},
}


def changed(before: Side, edits: Mapping[str, Edits | None], added: Side | None = None) -> dict[str, Body]:
    """The objects after edits, by name. None removes an object."""
    after = {}
    for name, given in before.items():
        edit = edits.get(name, {})
        if edit is not None:
            after[name] = edited(given, edit)
    return {**after, **(added or {})}


def files(cluster: str, objects: Side, header: str = "") -> dict[str, str]:
    """The files of a cluster by path. The name of an object starts with its folder."""
    contents = {}
    for name, given in objects.items():
        folder, _, _ = name.partition(" ")
        path = f"{cluster}/{folder}/{given['kind']}-{given['metadata']['name']}.yaml".lower()
        contents[path] = header + render(given)
    return contents


def plan(
    before: Mapping[str, str],
    after: Mapping[str, str],
    versions: Sides[Mapping[str, str]] = Sides({}, {}),  # noqa: B008
    rings: Mapping[str, Sequence[str]] | None = None,
    minutes: int | None = 12,
) -> Planned:
    """The plan between two sides. Asserts that everything can be read."""
    regions = dict.fromkeys({path.partition("/")[0] for path in (*before, *after)}, "swedencentral")
    changes, faults = compare_clusters(Both(before, after, "before/", regions, versions), context(minutes))
    assert faults == []
    return Planned(tuple(changes), "overlays at main", "USD" if minutes else "", rings or {})


PATCHED = "# Generated by gitgpu from Cluster prod.\n# Patched by Cluster prod in fleet.yaml.\n"
VALUED = "# Generated by gitgpu from Cluster prod.\n# Values from Fleet contoso in fleet.yaml.\n"
PAGES = {"prod/runbook/cluster.sh": "# Do this\naz aks update\n", "prod/runbook/old.sh": "x\n"}
BY_ARGO = {**{name: given for name, given in FLEET.items() if not name.startswith("sync")}, **APPLICATIONS}
CONFIRMED = {"metadata": {"annotations": {"argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"}}}
KEPT = {"metadata": {"annotations": {"argocd.argoproj.io/sync-options": "PruneLast=true, Prune=false"}}}


def _with(given: Body, more: Body) -> Body:
    return {**given, "metadata": {**given["metadata"], **more["metadata"]}}


def _waves(objects: Side) -> dict[str, Body]:
    waves = {"controllers": "0", "nodes": "1", "monitoring": "1", "workloads": "2"}
    made = {}
    for name, given in objects.items():
        notes = {
            **given["metadata"].get("annotations", {}),
            "argocd.argoproj.io/sync-wave": waves.get(name.split()[0], ""),
        }
        made[name] = _with(given, {"metadata": {"annotations": notes}})
    return made


def many() -> Planned:
    """Most kinds of objects, with Flux."""
    added = {
        "nodes z": renamed(POOL, "fresh"),
        "controllers z": body("v1", "Secret", "more", None),
        "workloads/gpu.new a": WORKLOADS["workloads/gpu.batch a"],
    }
    before = {**files("prod", FLEET), **PAGES}
    after = {**files("prod", changed(FLEET, CHANGES, added)), "prod/runbook/cluster.sh": "az aks update --x\n"}
    patched = "prod/nodes/aksnodeclass-p.yaml"
    after[patched] = PATCHED + after[patched]
    before["prod/nodes/nodepool-old.yaml"] = PATCHED + before["prod/nodes/nodepool-old.yaml"]
    before["prod/controllers/helmrelease-keda.yaml"] = VALUED + before["prod/controllers/helmrelease-keda.yaml"]
    return plan(before, after)


def by_argo() -> Planned:
    """The same with Argo CD, its waves, and objects that it keeps."""
    before = {
        **_waves(BY_ARGO),
        "nodes c": _with(POOLS["nodes c"], CONFIRMED),
        "nodes d": _with(POOLS["nodes d"], KEPT),
    }
    edits = {name: edit for name, edit in CHANGES.items() if name in before}
    keda: Edits = {"spec/source/targetRevision": "2.20.2", "spec/source/helm/valuesObject/a": 2}
    other: Edits = {"spec/source/helm": {"valuesObject": {"b": 1}}}
    after = changed(before, {**edits, "controllers k": keda, "controllers l": other})
    return plan(files("prod", before), files("prod", after))


def in_rings() -> Planned:
    """Clusters of rings, most with the same change, some without one."""
    names = [f"c{number}" for number in range(12)]
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for number, name in enumerate(names):
        before |= files(name, FLEET)
        edits = {"controllers b": CHANGES["controllers b"]} if number % 6 != 5 else {"nodes f": CHANGES["nodes f"]}
        after |= files(name, FLEET if number == 3 else changed(FLEET, edits))
    return plan(before, after, rings={"canary": ["c0", "c3"], "early": ["c3"], "rest": names[4:]})


def of_kubernetes() -> Planned:
    """Other versions of Kubernetes: an upgrade, a downgrade, one without pools, and an equal one."""
    sides = {name: files(name, {} if name == "none" else POOLS) for name in ("up", "down", "none", "same")}
    before = {path: text for side in sides.values() for path, text in side.items()}
    before |= files("none", {"controllers a": SOFTWARE["controllers a"]})
    old = {"up": "1.33.2", "down": "1.34", "none": "1.33", "same": "1.34"}
    new = {"up": "1.34", "down": "1.33", "none": "1.34", "same": "1.34.2"}
    return plan(before, before, Sides(old, new), minutes=None)


def whole_clusters() -> Planned:
    """A cluster that is added and one that is removed."""
    return plan(files("old", FLEET), files("new", FLEET), minutes=None)


def only_defaults() -> Planned:
    """Changes without effect: explicit defaults, and another header."""
    after = changed(FLEET, {"nodes e": {"spec/osDiskSizeGB": 128}})
    return plan(files("prod", FLEET), files("prod", after, PATCHED))


def unlimited() -> Planned:
    """A pool of any number of nodes, whose budget is a percentage, loses one of its two sizes."""
    pool = edited(POOL, {"spec/limits": REMOVED, "spec/disruption/budgets": [{"nodes": "10%"}]})
    fewer = edited(pool, {"spec/template/spec/requirements/0/values": ["Standard_NC4as_T4_v3"]})
    return plan(files("prod", {"nodes a": pool, "nodes b": CLASS}), files("prod", {"nodes a": fewer, "nodes b": CLASS}))


def nothing() -> Planned:
    """The same files."""
    return plan(files("prod", FLEET), files("prod", FLEET))


PLANS = (many, by_argo, in_rings, of_kubernetes, whole_clusters, only_defaults, unlimited, nothing)
FORMS = [(made, form) for made in PLANS for form in ("text", "markdown")]
FORMS += [(made, "json") for made in (many, in_rings, of_kubernetes, only_defaults)]
FORMS += [(made, "html") for made in (many, in_rings)]


@pytest.mark.parametrize(("made", "form"), FORMS, ids=lambda value: getattr(value, "__name__", value))
def test_a_plan(made: Callable[[], Planned], form: str, snapshot: SnapshotAssertion) -> None:
    assert render_plan(made(), form, Style(colour=form == "text")).replace(STYLE, "") == snapshot


@for_each(
    ("globs", "loses"),
    [
        ([], True),
        (["a100"], True),
        (["gone"], True),
        (["a"], True),
        (["small"], False),
        (["fresh", "small"], False),
        (["prod/a*"], True),
        (["other/a*"], False),
        (["A100"], False),
        (["small", "prod/t4"], True),
    ],
)
def test_pools_that_lose_nodes(globs: list[str], loses: bool) -> None:
    """Nodes that are replaced or removed, and pools to be recreated."""
    assert many().loses(globs) is loses


def test_a_plan_that_changes_something() -> None:
    assert [made().changes for made in PLANS] == [True, True, True, True, True, False, True, False]


ROWS = [
    RowChange("prices", "eastus", Kind.CHANGED, (Field("onDemand.a|b", 1.0, 2.0),)),
    RowChange("skus", "x", Kind.ADDED, (Field("vcpus", None, 4),)),
]
NOTE = Diagnostic("CAT018", Severity.WARNING, "odd", "look", Span("a.yaml", 1, 1))


@pytest.mark.parametrize("form", DIFF_FORMS)
def test_a_newer_catalog(form: str, snapshot: SnapshotAssertion) -> None:
    """Clusters with changes in prices only are listed with their prices."""
    planned = of_kubernetes()
    [down, *others] = planned.clusters
    pools = tuple(change._replace(before=change.after, after=change.before) for change in many().clusters[0].pools)
    priced = down._replace(upgrade=None, changes=(), pools=pools)
    diff = CatalogDiff(ROWS, 1200, planned._replace(clusters=(priced, *others), currency="EUR"), (NOTE,))
    nothing_else = CatalogDiff(ROWS[:1], 0, nothing())
    assert [render_diff(each, form, Style()) for each in (diff, nothing_else)] == snapshot
    assert (diff.changes, nothing_else.changes) == (True, True)
    assert not CatalogDiff((), 9, nothing()).changes
    assert CatalogDiff((), 0, planned).changes


def test_a_comment_that_is_too_long_omits_fields() -> None:
    """Pools that lose nodes come first."""
    names = [f"c{number:03}" for number in range(120)]
    before = {path: text for name in names for path, text in files(name, {"nodes a": POOL, "nodes e": CLASS}).items()}
    after: dict[str, str] = {}
    for number, name in enumerate(names):
        labels = {f"label-{at}": f"{name}-{at}" for at in range(40)}
        edits: Edits = {"metadata/labels": labels, "spec/weight": number + 1}
        if number == 50:
            edits = {**edits, "spec/template/spec/taints": []}
        after |= files(name, {"nodes a": edited(POOL, edits), "nodes e": CLASS})
    long = render_plan(plan(before, after), "markdown", Style())
    assert len(long) < 65_536
    assert long.endswith("Too long to show field by field: run `gitgpu plan` to see everything.\n")
    assert "<details>" not in long
    assert long.index("### c050") < long.index("### c000, c001")


def test_the_total_names_pools_that_it_lacks() -> None:
    """A pool without a price or a limit is not counted on either side, and is named."""
    [cluster, *_] = many().clusters
    priced, *_ = [pool for pool in cluster.pools if pool.after and pool.after.price]
    side = priced.after
    assert side
    assert side.nodes
    assert side.gpus
    assert side.price
    free = priced._replace(name="free", before=side, after=side._replace(price=None, unpriced=("Standard_X",)))
    endless = priced._replace(name="endless", before=None, after=AtLimits())
    alone = cluster._replace(pools=(priced._replace(before=side), free, endless))
    line = total_line([alone], "USD")
    assert line.startswith(f"At the limits: {2 * side.nodes} nodes, {2 * side.gpus} GPUs, {side.price:,.2f} USD/hour, ")
    assert line.endswith(", without pool endless, whose limit is unknown, without pool free, whose price is unknown")
    assert total_line([cluster._replace(pools=(endless,))], "USD") == ""
    beside = total_line([alone._replace(pools=(priced,), uncounted=("managed",))], "USD")
    assert beside.endswith(", without pool managed, which only the runbook has")
    assert list(growth(alone.pools, "USD"))[-1].endswith(", without pools free, endless (no price for Standard_X)")
