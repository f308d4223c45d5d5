"""Differences between clusters: overrides, defaults of clusters, and pools with the same name."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.edit import apply_edits
from gitgpu.load.spec.merge_patch import Overlay, last_write, merge_patch
from gitgpu.load.text import Text
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.runs.build import BuildOptions, build
from gitgpu.runs.validate import link_fleet, validate_texts
from tests.helping.cases import for_each

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
FLEET = f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec:\n  delivery: {{repository: https://example.com/x}}\n"
DEFAULTS = f"{FLEET}  defaults: {{pool: {{tags: {{a: fleet, b: fleet, c: fleet, d: fleet}}, maxPods: 50}}}}\n"
SPEC = 'spec:\n  region: swedencentral\n  kubernetesVersion: "1.36"\n'
PROD = f"{HEAD}Cluster\nmetadata: {{name: prod, labels: {{env: prod}}}}\n{SPEC}"
STAGING = f"{HEAD}Cluster\nmetadata: {{name: staging, labels: {{env: staging}}}}\n{SPEC}"
POOL = (
    f"{HEAD}GpuPool\nmetadata: {{name: t4}}\nspec:\n  clusters: [prod, staging]\n  sku: Standard_NC16as_T4_v3\n"
    "  limits: {gpus: 8}\n"
)
WORKLOAD = (
    f"{HEAD}GpuWorkload\nmetadata: {{name: chat, namespace: serving}}\nspec:\n  pools: [t4]\n"
    "  target: {kind: Deployment, name: chat}\n"
)


def checked(*documents: str) -> tuple[Inputs, tuple[Diagnostic, ...]]:
    """The linked fleet of some documents in one file, and every finding in order."""
    result = validate_texts([Text("f.yaml", "---\n".join(documents), "f.yaml")])
    assert result.inputs is not None
    return result.inputs, in_order(result.diagnostics)


def reported(*documents: str) -> list[str]:
    """The errors as `CODE line:column pointer`."""
    diagnostics = checked(*documents)[1]
    return [f"{it.code} {it.span.line}:{it.span.column} {it.pointer}" for it in diagnostics if it.severity == "error"]


def on(inputs: Inputs, cluster: str) -> Pool:
    """The only pool of a cluster."""
    [pool] = inputs.on[cluster]
    return pool


def overrides(*entries: str) -> str:
    """The overrides of a pool or a workload, each entry in one line."""
    return "  overrides:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries)


def files(*documents: str) -> dict[str, str]:
    """The files that a fleet compiles to, without the lines that their headers name."""
    text = Text("f.yaml", "---\n".join(documents), "f.yaml")
    made = build(link_fleet([text]), options=BuildOptions(proven=True))
    assert made.errors == ()
    return {path: re.sub(r"f\.yaml:\d+", "f.yaml", content) for path, content in made.files.items()}


def test_an_override_changes_the_pool_on_its_clusters_only() -> None:
    changed = overrides("clusters: [staging], set: {limits: {gpus: 2}, zones: ['1']}")
    inputs, _ = checked(FLEET, PROD, STAGING, POOL + changed)
    assert (on(inputs, "prod").limits.gpus, on(inputs, "prod").zones) == (8, ())
    assert (on(inputs, "staging").limits.gpus, on(inputs, "staging").zones) == (2, ("1",))
    assert [pool.clusters for pool in inputs.pools] == [("prod",), ("staging",)]


def test_later_entries_win_and_labels_select() -> None:
    first, later = (
        "clusters: {matchLabels: {env: staging}}, set: {maxPods: 20}",
        "clusters: [staging], set: {maxPods: 30}",
    )
    assert on(checked(FLEET, PROD, STAGING, POOL + overrides(first, later))[0], "staging").max_pods == 30
    assert on(checked(FLEET, PROD, STAGING, POOL + overrides(later, first))[0], "staging").max_pods == 20


def test_null_restores_the_default() -> None:
    pool = f"{POOL}  maxPods: 60\n  zones: ['2']\n"
    changed = overrides("clusters: [staging], set: {maxPods: null, zones: null, limits: {nodes: 3, gpus: null}}")
    inputs, _ = checked(DEFAULTS, PROD, STAGING, pool + changed)
    here = on(inputs, "staging")
    assert (here.max_pods, here.zones, here.limits.gpus, here.limits.nodes) == (50, (), None, 3)


def test_the_precedence_is_fleet_cluster_pool_override() -> None:
    cluster = f"{STAGING}  pool: {{tags: {{b: cluster, c: cluster, d: cluster}}, maxPods: 40}}\n"
    pool = f"{POOL}  tags: {{c: pool, d: pool}}\n" + overrides("clusters: [staging], set: {tags: {d: override}}")
    inputs, _ = checked(DEFAULTS, PROD, cluster, pool)
    assert on(inputs, "staging").tags == {"a": "fleet", "b": "cluster", "c": "pool", "d": "override"}
    assert on(inputs, "prod").tags == {"a": "fleet", "b": "fleet", "c": "pool", "d": "pool"}
    assert (on(inputs, "prod").max_pods, on(inputs, "staging").max_pods) == (50, 40)


@for_each(
    ("entry", "expected"),
    [
        ("clusters: [nowhere], set: {maxPods: 30}", [("LNK004", "36:17 /spec/overrides/0/clusters/0")]),
        ("clusters: [other], set: {maxPods: 30}", [("LNK010", "36:17 /spec/overrides/0/clusters/0")]),
        (
            "clusters: {matchLabels: {env: test}}, set: {maxPods: 30}",
            [("LNK010", "36:30 /spec/overrides/0/clusters/matchLabels")],
        ),
        ("clusters: [staging], set: {clusters: [prod]}", [("LNK009", "36:43 /spec/overrides/0/set/clusters")]),
        ("clusters: [staging], set: {overrides: []}", [("LNK009", "36:44 /spec/overrides/0/set/overrides")]),
        ("clusters: [staging], set: {name: x}", [("LNK009", "36:39 /spec/overrides/0/set/name")]),
        ("clusters: [staging], set: {maxPods: 3}", [("SHP003", "36:42 /spec/overrides/0/set/maxPods")]),
        ("clusters: [staging], set: {maxPodz: 30}", [("SHP003", "36:33 /spec/overrides/0/set/maxPodz")]),
        ("clusters: [staging], set: {sku: null}", [("SHP003", "36:27 /spec/overrides/0/set")]),
        ("clusters: [staging], set: {requirements: {vcpus: 4}}", [("SHP003", "36:27 /spec/overrides/0/set")]),
        ("clusters: [staging], set: {limits: null, nodes: {}}", [("SHP003", "36:54 /spec/overrides/0/set/nodes")]),
        ("clusters: [staging], set: {limits: {gpus: null}}", [("SHP003", "36:41 /spec/overrides/0/set/limits")]),
        ("clusters: [staging], set: {sku: Standard_NC17as_T4_v3}", [("LNK007", "36:38 /spec/overrides/0/set/sku")]),
        (
            "clusters: [staging], set: {limits: {memory: 1Gi}}",
            [("SKU007", "36:50 /spec/overrides/0/set/limits/memory")],
        ),
        ("clusters: [staging]", [("SHP003", "36:5 /spec/overrides/0/set")]),
        ("clusters: [staging], set: {}", [("SHP003", "36:32 /spec/overrides/0/set")]),
    ],
)
def test_a_finding_is_at_the_override(entry: str, expected: list[tuple[str, str]]) -> None:
    other = STAGING.replace("name: staging", "name: other")
    lines = reported(FLEET, PROD, STAGING, other, POOL + overrides(entry))
    assert lines == [f"{code} {place}" for code, place in expected]


NULL = "in an override, null removes a key"


@for_each(
    ("changes", "message", "remedy"),
    [
        ("maxPods: 3", "must be a whole number from 10 to 250; found 3", "correct the value, for example 110"),
        ("limits: {gpus: null}", "with this override, spec.limits is invalid: must not be empty", f"add a key; {NULL}"),
        (
            "requirements: {vcpus: 4}",
            "with this override, spec is invalid: must not have 'sku' and 'requirements' together",
            f"remove it, or what conflicts with it; {NULL}",
        ),
        (
            "clusters: [prod]",
            "an override cannot set 'clusters'",
            "remove it; create another GpuPool with the same name for other clusters",
        ),
        (
            "overrides: []",
            "an override cannot set 'overrides'",
            "remove it; use one entry of overrides for each difference",
        ),
        (
            "metadata: {}",
            "an override cannot set 'metadata'",
            "remove it; an override is a patch of spec, and metadata is the same on all clusters",
        ),
        ("name: x", "an override cannot set 'name'", "remove it; create another document with that name"),
        (
            "namespace: x",
            "an override cannot set 'namespace'",
            "remove it; create another document for that namespace",
        ),
    ],
)
def test_what_is_wrong_with_an_override(changes: str, message: str, remedy: str) -> None:
    pool = POOL + overrides(f"clusters: [staging], set: {{{changes}}}")
    ((text, advice),) = [(fault.message, fault.help) for fault in checked(FLEET, PROD, STAGING, pool)[1]]
    assert (text, advice) == (message, remedy)


def test_labels_may_be_those_of_a_cluster_with_errors() -> None:
    broken = STAGING.replace("swedencentral", "5")
    changed = overrides("clusters: {matchLabels: {env: staging}}, set: {maxPods: 30}")
    assert [finding for finding in reported(FLEET, PROD, broken, POOL + changed) if "overrides" in finding] == []


def test_the_finding_of_the_base_stays_at_the_base() -> None:
    pool = POOL.replace("gpus: 8", "gpus: 0, memory: 1Gi")
    changed = overrides("clusters: [staging], set: {limits: {memory: 2Gi}}")
    expected = ["SKU007 27:29 /spec/limits/memory", "SKU007 29:50 /spec/overrides/0/set/limits/memory"]
    assert reported(FLEET, PROD, STAGING, pool + changed) == expected


def test_what_an_override_removes_is_reported_where_it_removes_it() -> None:
    diagnostics = checked(FLEET, PROD, STAGING, POOL + overrides("clusters: [staging], set: {limits: null}"))[1]
    places = [(it.span.line, it.pointer) for it in diagnostics if it.code == "SKU008"]
    assert places == [(29, "/spec/overrides/0/set/limits")]


def test_a_default_of_a_cluster_is_reported_at_the_cluster() -> None:
    cluster = f"{STAGING}  pool: {{kubelet: {{imageGCHighThresholdPercent: 50, imageGCLowThresholdPercent: 60}}}}\n"
    diagnostics = checked(FLEET, PROD, cluster, POOL)[1]
    places = [(it.object.kind, it.pointer) for it in diagnostics if it.pointer.startswith("/spec/pool")]
    assert places == [("Cluster", "/spec/pool/kubelet/imageGCLowThresholdPercent")]


@pytest.mark.parametrize("own", [True, False])
def test_a_patch_is_at_the_document_that_writes_it(*, own: bool) -> None:
    """Patches of the pool replace those of its cluster."""
    patches = "  patches: [{target: {kind: NodePool}, patch: {spec: {weight: 5}}}]\n"
    documents = (FLEET, PROD, f"{STAGING}  pool:\n  {patches}", POOL + (patches if own else ""))
    [patch] = on(checked(*documents)[0], "staging").patches
    lines = [number for number, line in enumerate("---\n".join(documents).splitlines(), 1) if "patches" in line]
    assert patch.place("patch", "spec").line == lines[-1]


@pytest.mark.parametrize(
    ("entry", "mended"),
    [
        ("clusters: [staging], set: {maxPodz: 30}", "clusters: [staging], set: {maxPods: 30}"),
        ("clusters: [staging], set: {capacity: [Spot]}", "clusters: [staging], set: {capacity: [spot]}"),
    ],
)
def test_a_fix_changes_the_override(entry: str, mended: str) -> None:
    text = "---\n".join((FLEET, PROD, STAGING, POOL + overrides(entry)))
    diagnostics = validate_texts([Text("f.yaml", text, "f.yaml")]).diagnostics
    assert apply_edits(text, [it.edit for it in diagnostics if it.edit]) == (text.replace(entry, mended), 1)


def test_a_key_in_the_wrong_place_of_an_override_is_not_moved_into_the_pool() -> None:
    text = "---\n".join((FLEET, PROD, STAGING, POOL + overrides("clusters: [staging], set: {gpus: 3, zones: ['1']}")))
    diagnostics = validate_texts([Text("f.yaml", text, "f.yaml")]).diagnostics
    assert [it.code for it in diagnostics] == ["SHP003"]
    assert [it.edit for it in diagnostics] == [None]


def test_pools_of_one_name_may_be_on_disjoint_clusters() -> None:
    first, other = POOL.replace("[prod, staging]", "[prod]"), POOL.replace("[prod, staging]", "[staging]")
    other = other.replace("NC16as", "NC4as")
    inputs, diagnostics = checked(FLEET, PROD, STAGING, first, other, WORKLOAD)
    assert [it for it in diagnostics if it.severity == "error"] == []
    assert [on(inputs, name).sizes for name in ("prod", "staging")] == [
        ("Standard_NC16as_T4_v3",),
        ("Standard_NC4as_T4_v3",),
    ]
    assert [(it.name, it.clusters) for it in inputs.workloads] == [("chat", ("prod",)), ("chat", ("staging",))]
    sizes = [[pool.sizes for pool in inputs.pools_of(workload)] for workload in inputs.workloads]
    assert sizes == [[("Standard_NC16as_T4_v3",)], [("Standard_NC4as_T4_v3",)]]


@pytest.mark.parametrize("wanted", ["[staging, prod]", "{matchLabels: {env: staging}}"])
def test_pools_of_one_name_may_not_share_a_cluster(wanted: str) -> None:
    diagnostics = checked(FLEET, PROD, STAGING, POOL, POOL.replace("[prod, staging]", wanted))[1]
    [double] = [it for it in diagnostics if it.code == "LNK003"]
    assert "staging; the first is at f.yaml:23:18" in double.message
    assert double.help == "give it a unique name, or other clusters"


def test_a_workload_differs_between_clusters() -> None:
    other = POOL.replace("name: t4", "name: small").replace("[prod, staging]", "[staging]")
    pool = POOL.replace("[prod, staging]", "[prod]")
    workload = WORKLOAD + overrides("clusters: [staging], set: {pools: [small], cuda: '12.8'}")
    inputs, diagnostics = checked(FLEET, PROD, STAGING, other, pool, workload)
    assert [it for it in diagnostics if it.severity == "error"] == []
    assert [(it.pools, it.cuda, it.clusters) for it in inputs.workloads] == [
        (("t4",), None, ("prod",)),
        (("small",), "12.8", ("staging",)),
    ]


@for_each(
    ("entry", "expected"),
    [
        ("clusters: [staging], set: {pools: [t5]}", ["LNK010", "LNK005"]),
        ("clusters: [away], set: {gpus: 2}", ["LNK010"]),
        ("clusters: {matchLabels: {env: away}}, set: {gpus: 2}", ["LNK010"]),
        ("clusters: [staging], set: {gpus: 0}", ["SHP003"]),
        ("clusters: [staging], set: {target: null}", ["SHP003"]),
        ("clusters: [staging], set: {namespace: x}", ["LNK009"]),
        ("clusters: [staging], set: {scaling: {target: 70}}", ["SHP003"]),
    ],
)
def test_what_is_wrong_with_an_override_of_a_workload(entry: str, expected: list[str]) -> None:
    away = STAGING.replace("name: staging, labels: {env: staging}", "name: away, labels: {env: away}")
    lines = reported(FLEET, PROD, STAGING, away, POOL, WORKLOAD + overrides(entry))
    assert [it.split()[0] for it in lines] == expected
    assert all("/spec/overrides/0/" in it for it in lines)


def test_an_override_that_equals_the_base_changes_no_byte() -> None:
    same = overrides("clusters: [staging], set: {limits: {gpus: 8}, sku: [Standard_NC16as_T4_v3]}")
    equal = overrides("clusters: {matchLabels: {env: staging}}, set: {pools: [t4]}")
    base = FLEET, PROD, STAGING
    assert files(*base, POOL + same, WORKLOAD + equal) == files(*base, POOL, WORKLOAD)


def test_only_the_files_of_the_selected_cluster_change() -> None:
    base = files(FLEET, PROD, STAGING, POOL, WORKLOAD)
    after = files(FLEET, PROD, STAGING, POOL + overrides("clusters: [staging], set: {limits: {gpus: 2}}"), WORKLOAD)
    changed = {path for path in base if base[path] != after[path]}
    assert base.keys() == after.keys()
    assert changed == {"staging/nodes/nodepool-t4.yaml"}


KEYS = st.sampled_from("abc")
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.integers(0, 3), st.lists(st.integers(0, 2), max_size=2)),
    lambda below: st.dictionaries(KEYS, below, max_size=3),
    max_leaves=8,
)
PATCHES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.integers(0, 3), st.lists(st.integers(0, 2), max_size=2)),
    lambda below: st.dictionaries(KEYS, below, max_size=3),
    max_leaves=8,
)
MAPPINGS = st.dictionaries(KEYS, VALUES, max_size=3)
PATCH = st.dictionaries(KEYS, PATCHES, max_size=3)


def holds_null(value: Any) -> bool:
    """Whether any value is null."""
    return value is None or (isinstance(value, dict) and any(map(holds_null, value.values())))


@given(MAPPINGS, PATCH)
def test_a_patch_applied_twice_is_applied_once(target: Any, patch: Any) -> None:
    once = merge_patch(target, patch)
    assert merge_patch(once, patch) == once
    assert not holds_null(once)


@given(MAPPINGS)
def test_the_empty_patch_and_the_own_value_change_nothing(target: Any) -> None:
    assert merge_patch(target, {}) == target == merge_patch(target, target) == merge_patch({}, target)


@given(MAPPINGS, st.lists(PATCH, max_size=3))
def test_where_a_value_is_written_holds_that_value(target: Any, patches: Sequence[Any]) -> None:
    spec, overlays = target, []
    for at, patch in enumerate(patches):
        spec = merge_patch(spec, patch)
        overlays.append(Overlay((at,), patch))
    for path, value in leaves(spec):
        written_value = last_write(overlays, ("spec", *path))
        if written_value is None:
            assert at_path(target, path) == value
        else:
            assert written_value.value == value
            assert at_path(patches[int(written_value.at[0])], written_value.at[1:]) == value


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Every value inside that is not a mapping, with its path."""
    if not isinstance(value, dict):
        return [(path, value)]
    return [leaf for key, below in value.items() for leaf in leaves(below, (*path, key))]


def at_path(value: Any, path: Sequence[str | int]) -> Any:
    """The value at a path."""
    for part in path:
        value = value[part]
    return value


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(10, 250), min_size=1, max_size=4), st.permutations(["prod", "staging"]))
def test_the_last_entry_wins_in_any_number(numbers: list[int], names: list[str]) -> None:
    entries = [f"clusters: [{names[0]}], set: {{maxPods: {number}}}" for number in numbers]
    inputs, _ = checked(FLEET, PROD, STAGING, POOL + overrides(*entries))
    assert on(inputs, names[0]).max_pods == numbers[-1]
    assert on(inputs, names[1]).max_pods is None


def test_the_same_fault_at_the_base_and_at_an_override_is_two_findings() -> None:
    long = "b" * 70
    changed = overrides(f"clusters: [staging], set: {{labels: {{{long}: other}}}}")
    lines = reported(FLEET, PROD, STAGING, f"{POOL}  labels: {{{long}: x}}\n{changed}")
    assert [it.split()[-1] for it in lines] == [f"/spec/labels/{long}", f"/spec/overrides/0/set/labels/{long}"]


def test_the_same_fault_of_a_model_at_the_base_and_at_an_override_is_two_findings() -> None:
    fleet = f"{FLEET}  defaults: {{stack: {{kaito: helm}}}}\n"
    model = WORKLOAD.replace("target: {kind: Deployment, name: chat}", "inference: {preset: no-such-model}")
    changed = overrides("clusters: [staging], set: {inference: {preset: no-such-model}}")
    lines = [it.split() for it in reported(fleet, PROD, STAGING, POOL, model + changed)]
    assert [it[-1] for it in lines if it[0] == "KTO002"] == [
        "/spec/inference/preset",
        "/spec/overrides/0/set/inference/preset",
    ]
