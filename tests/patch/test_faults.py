"""Faults in patches: each finding, its location and remedy, and objects that a patch breaks."""

from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from tests.helping.cases import for_each
from tests.patch.fleets import ID, Result, compiled, compiled_text, patches, text, under

POOL = {"kind": "NodePool"}


def of_pool(*changes: Any, target: dict[str, str] = POOL) -> Result:
    """The fleet with patches of its pool."""
    return compiled(pool=patches(*((target, change) for change in changes)))


def of_cluster(*changes: Any, target: dict[str, str]) -> Result:
    """The fleet with patches of its cluster."""
    return compiled(cluster=patches(*((target, change) for change in changes)))


def only(result: Result) -> Diagnostic:
    """The only finding."""
    [finding] = result.findings
    return finding


def source_of(result: Result, finding: Diagnostic) -> str:
    """The text at the place of a finding, to the end of its line."""
    [spec] = result.made.checked.texts
    return spec.content.splitlines()[finding.span.line - 1][finding.span.column - 1 :]


def test_a_patch_that_matches_nothing_names_the_objects() -> None:
    finding = only(of_pool({"spec": {}}, target={"kind": "NodePool", "name": "b100"}))
    assert (finding.code, finding.severity, finding.pointer) == ("PAT001", Severity.ERROR, "/spec/patches/0/target")
    assert finding.message == "the patch does not match any object of GpuPool a100 on cluster prod"
    assert finding.help == "correct name; the objects of this kind are: NodePool/a100"
    finding = only(of_pool({"spec": {}}, target={"kind": "NodePol"}))
    assert finding.help == "set kind: NodePool; the objects of this kind are: NodePool/a100"
    finding = only(of_cluster({"spec": {}}, target={"kind": "Gateway"}))
    assert finding.message == "the patch does not match any object of Cluster prod"
    assert "DaemonSet" in finding.help


@pytest.mark.parametrize(
    ("target", "remedy", "corrected"),
    [
        ({"kind": "NodePool", "group": "apps"}, "set group: karpenter.sh;", {"group": "karpenter.sh"}),
        ({"kind": "NodePool", "name": "b", "group": "apps"}, "correct name and group;", {"name": "a100", "group": ""}),
        ({"kind": "NodePool", "namespace": "x"}, "correct namespace; the objects of this kind are: NodePool/a100", {}),
        ({"kind": "nodepool", "name": "a.*"}, "set kind: NodePool;", {"kind": "NodePool"}),
        ({"kind": "Secret"}, "the objects are: AKSNodeClass/a100, NodePool/a100", {"kind": "AKSNodeClass"}),
    ],
)
def test_a_remedy_corrects_the_target(target: dict[str, str], remedy: str, corrected: dict[str, str]) -> None:
    assert remedy in only(of_pool({"metadata": {}}, target=target)).help
    kept = {key: text for key, text in target.items() if key != "namespace"}
    assert (
        of_pool({"metadata": {}}, target={key: text for key, text in {**kept, **corrected}.items() if text}).codes == []
    )


def test_a_remedy_lists_at_most_twelve_keys() -> None:
    labels = {f"label-{number:02}": "" for number in range(13)}
    replaced = {"op": "replace", "path": "/metadata/labels", "value": labels}
    finding = only(of_pool([replaced, {"op": "remove", "path": "/metadata/labels/zone"}]))
    assert finding.help.endswith(f"the keys at /metadata/labels are: {', '.join(sorted(labels)[:12])}")


def test_a_pool_cannot_patch_what_is_not_generated_from_it() -> None:
    finding = only(of_pool({"spec": {}}, target={"kind": "HelmRelease"}))
    assert finding.message == "HelmRelease/flux-system/keda on cluster prod is not generated from GpuPool a100"
    assert finding.help == "put the patch in Cluster prod, under spec.patches"
    assert of_cluster({"spec": {"timeout": "20m"}}, target={"kind": "HelmRelease"}).codes == []


def test_a_pool_that_commands_create_has_no_object_to_patch() -> None:
    cluster = f"  provisioner: cluster-autoscaler\n  resourceId: {ID}/managedClusters/prod"
    own = patches(({"kind": "ManagedClustersAgentPool"}, {"spec": {"count": 1}}))
    result = compiled(cluster=cluster, pool=f"  driver: managed\n  nodes: {{min: 4, max: 4}}\n{own}")
    [finding] = [finding for finding in result.findings if finding.code == "PAT001"]
    assert finding.help == "remove the patch: gitgpu does not generate objects from this document"


POOLS = """---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: b100}
spec:
  clusters: [prod]
  sku: Standard_NC24ads_A100_v4
  limits: {gpus: 4}
"""


def test_a_key_is_corrected_only_if_it_excludes_every_object() -> None:
    own = patches(({"kind": "NodePool", "name": "b100", "group": "apps"}, {"spec": {}}))
    finding = only(compiled_text(text(cluster=own) + POOLS))
    assert finding.help.startswith(
        "set group: karpenter.sh; the objects of this kind are: NodePool/a100, NodePool/b100"
    )


def test_a_patch_of_a_pool_leaves_the_objects_of_other_pools_alone() -> None:
    own = patches(({"kind": "NodePool"}, {"spec": {"weight": 3}}))
    result = compiled_text(text(pool=own) + POOLS)
    assert result.codes == []
    assert result.body("nodes/nodepool-a100.yaml")["spec"]["weight"] == 3
    assert "weight" not in result.body("nodes/nodepool-b100.yaml")["spec"]


@pytest.mark.parametrize(
    ("operation", "missing"),
    [("add", "value"), ("replace", "value"), ("test", "value"), ("move", "from"), ("copy", "from")],
)
def test_an_operation_without_a_key_that_it_needs(operation: str, missing: str) -> None:
    finding = only(of_pool([{"op": operation, "path": "/spec/weight"}]))
    assert (finding.code, finding.message) == ("PAT003", f"the operation {operation} has no {missing}")
    assert of_pool(
        [{"op": "add", "path": "/spec/weight", "value": None}, {"op": "remove", "path": "/spec/weight"}]
    ).made


SECOND = """---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: staging}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
"""


def test_an_object_of_another_cluster_is_not_found() -> None:
    content = text(cluster=patches(({"kind": "NodePool"}, {"spec": {"weight": 1}})))
    content = content.replace("clusters: [prod]", "clusters: [staging]") + SECOND
    assert "PAT001" in compiled_text(content).codes


def test_a_patch_of_a_pool_has_to_match_on_one_of_its_clusters_only() -> None:
    shared = under("pool", {"patches": [{"target": {"kind": "ManagedClustersAgentPool"}, "patch": {"spec": {}}}]}, 2)
    content = text().replace("  defaults:\n", f"  defaults:\n{shared}\n")
    [finding] = compiled_text(content).findings
    assert (finding.code, finding.object.kind) == ("PAT001", "Fleet")
    assert finding.pointer == "/spec/defaults/pool/patches/0/target"
    shared = under("pool", {"patches": [{"target": {"kind": "NodePool"}, "patch": {"spec": {"weight": 3}}}]}, 2)
    result = compiled_text(text().replace("  defaults:\n", f"  defaults:\n{shared}\n"))
    assert result.codes == []
    assert result.body("nodes/nodepool-a100.yaml")["spec"]["weight"] == 3
    assert result.header("nodes/nodepool-a100.yaml")[-1] == "# Patched by Fleet contoso in fleet.yaml."


@pytest.mark.parametrize(
    ("change", "path", "source"),
    [
        ({"metadata": {"name": "b"}}, "metadata.name", "b"),
        ({"kind": "Pool"}, "kind", "Pool"),
        ({"apiVersion": "karpenter.sh/v1beta1"}, "apiVersion", "karpenter.sh/v1beta1"),
        ({"metadata": {"namespace": "x"}}, "metadata.namespace", "x"),
        ({"metadata": None}, "metadata.name", "null"),
        ([{"op": "remove", "path": "/metadata"}], "metadata.name", "/metadata"),
        ([{"op": "replace", "path": "/metadata/name", "value": "b"}], "metadata.name", "b"),
    ],
)
def test_a_patch_cannot_change_what_makes_the_object_this_object(change: Any, path: str, source: str) -> None:
    result = of_pool(change)
    finding = only(result)
    assert (finding.code, finding.severity) == ("PAT002", Severity.ERROR)
    assert finding.message.startswith(f"the patch changes {path} of NodePool a100")
    assert source_of(result, finding) == source


def test_the_same_identity_may_be_repeated() -> None:
    head = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "a100"}}
    assert of_pool({**head, "spec": {"weight": 3}}).codes == []


@pytest.mark.parametrize(
    ("operation", "message", "remedy"),
    [
        ({"op": "remove", "path": "/spec/limit"}, "remove /spec/limit of NodePool a100", "did you mean limits?"),
        (
            {"op": "replace", "path": "/spec/limits/nvidia.com/gpu", "value": "4"},
            "/spec/limits/nvidia.com does not exist",
            "did you mean nvidia.com~1gpu? In a path, ~1 is a / inside a key",
        ),
        (
            {"op": "remove", "path": "/metadata/labels/zzzzz"},
            "does not exist",
            "the keys at /metadata/labels are: app.kubernetes.io~1managed-by, app.kubernetes.io~1part-of",
        ),
        (
            {"op": "replace", "path": "/spec/x/y", "value": 1},
            "/spec/x does not exist",
            "the keys at /spec are: disruption",
        ),
        (
            {"op": "add", "path": "/spec/x/y", "value": 1},
            "/spec/x does not exist",
            "add it first, or use a merge patch",
        ),
        (
            {"op": "test", "path": "/spec/limits", "value": {}},
            "/spec/limits has a different value",
            "correct the value",
        ),
        (
            {"op": "remove", "path": "/spec/template/spec/taints/1"},
            "does not exist",
            "has 1 entry: use an index below 1",
        ),
        (
            {"op": "add", "path": "/spec/template/spec/taints/7", "value": {}},
            "does not exist",
            "or - to add at the end",
        ),
        ({"op": "add", "path": "/spec/weight"}, "the operation add has no value", "add value"),
        ({"op": "copy", "path": "/spec/weight"}, "the operation copy has no from", "add from"),
        ({"op": "move", "path": "/spec/a", "from": "/spec/b"}, "/spec/b does not exist", "use a path that exists"),
    ],
)
def test_an_operation_that_cannot_be_carried_out(operation: dict[str, Any], message: str, remedy: str) -> None:
    result = of_pool([operation])
    finding = only(result)
    assert (finding.code, finding.severity) == ("PAT003", Severity.ERROR)
    assert message in finding.message
    assert remedy in finding.help
    assert finding.pointer.startswith("/spec/patches/0/patch/0")


def test_the_operations_of_a_refused_patch_have_no_effect_and_those_of_others_do() -> None:
    refused = [{"op": "add", "path": "/spec/weight", "value": 1}, {"op": "remove", "path": "/spec/nothing"}]
    result = of_pool(refused, [{"op": "test", "path": "/spec/weight", "value": 1}])
    assert [finding.pointer for finding in result.findings] == [
        "/spec/patches/0/patch/1/path",
        "/spec/patches/1/patch/0/path",
    ]


def test_two_patches_that_write_one_field_differently() -> None:
    result = compiled(
        pool=patches((POOL, {"spec": {"weight": 1}}), (POOL, [{"op": "replace", "path": "/spec/weight", "value": 2}])),
        cluster=patches((POOL, {"spec": {"weight": 3}})),
    )
    assert [(finding.code, finding.severity, finding.object.kind) for finding in result.findings] == [
        ("PAT004", Severity.WARNING, "Cluster"),
        ("PAT004", Severity.WARNING, "GpuPool"),
    ]
    last, first = result.findings
    assert (source_of(result, first), source_of(result, last)) == ("2", "3")
    assert first.message.startswith("the patch overwrites spec.weight, which is also set at fleet.yaml:")


@pytest.mark.parametrize(
    "others",
    [
        ({"spec": {"weight": 1}}, {"spec": {"weight": 1}}),
        ({"metadata": {"annotations": {"a/b": "c"}}}, {"metadata": {"annotations": {"a/c": "d"}}}),
        (
            [{"op": "add", "path": "/spec/template/spec/requirements/-", "value": {"key": "a", "operator": "Exists"}}],
            [{"op": "add", "path": "/spec/template/spec/requirements/-", "value": {"key": "b", "operator": "Exists"}}],
        ),
    ],
)
def test_patches_that_agree_or_write_other_fields(others: tuple[Any, Any]) -> None:
    assert of_pool(*others).codes == []


def test_a_value_and_a_patch_that_write_one_field() -> None:
    values = under("stack", {"values": {"keda": {"logging": {"operator": {"level": "debug"}}}}})
    change = {"spec": {"values": {"logging": {"operator": {"level": "error"}}}}}
    result = compiled(cluster=values + "\n" + patches(({"kind": "HelmRelease"}, change)))
    assert result.codes == ["PAT004"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"$patch": "delete"}, "a patch cannot delete or replace an object as a whole"),
        ({"spec": {"$retainKeys": ["a"]}}, "the directive $retainKeys is not supported"),
        ({"spec": {"limits": {"$patch": "drop"}}}, "unknown value 'drop' of $patch"),
        (
            {
                "spec": {
                    "template": {"spec": {"startupTaints": [{"key": "a", "effect": "NoSchedule", "$patch": "delete"}]}}
                }
            },
            "$patch has no effect in spec.template.spec.startupTaints: a patch replaces this list",
        ),
    ],
)
def test_directives_that_have_no_effect(change: Any, message: str) -> None:
    diagnostics = [finding for finding in of_pool(change).findings if finding.code == "PAT005"]
    assert [finding.message for finding in diagnostics] == [message]


def test_directives_that_work() -> None:
    result = of_pool({"spec": {"limits": {"$patch": "replace", "cpu": "100"}}})
    assert result.body("nodes/nodepool-a100.yaml")["spec"]["limits"] == {"cpu": "100"}
    signal = {"name": "config-manager", "env": [{"name": "ONESHOT", "$patch": "delete"}]}
    daemons = {"kind": "DaemonSet", "name": "nvidia-device-plugin"}
    result = of_cluster({"spec": {"template": {"spec": {"containers": [signal]}}}}, target=daemons)
    names = [entry["name"] for entry in _manager(compiled())["env"]]
    assert [name for name in names if name != "ONESHOT"] == [entry["name"] for entry in _manager(result)["env"]]
    assert "ONESHOT" in names


@for_each(
    ("change", "pointer"),
    [
        ({"$patch": "delete", "spec": {"weight": 1}}, "$patch"),
        ({"spec": {"limits": {"$patch": "remove"}}}, "spec/limits/$patch"),
        ({"spec": {"$retainKeys": ["limits"]}}, "spec/$retainKeys"),
        ({"spec": {"template": {"spec": {"taints": [{"$patch": "drop"}]}}}}, "spec/template/spec/taints/0/$patch"),
    ],
)
def test_a_directive_that_is_not_supported_is_reported_at_its_key(change: Any, pointer: str) -> None:
    finding = only(of_pool(change))
    assert (finding.code, finding.pointer) == ("PAT005", f"/spec/patches/0/patch/{pointer}")


def test_each_patch_is_reported_for_its_own_directives() -> None:
    def removing(key: str) -> Any:
        entry = {"key": "a", "effect": "NoSchedule", "$patch": "delete"}
        return {"spec": {"template": {"spec": {key: [entry]}}}}

    result = of_pool(removing("startupTaints"), removing("taints"))
    places = [finding.pointer for finding in result.findings if finding.code == "PAT005"]
    assert sorted(places) == [
        "/spec/patches/0/patch/spec/template/spec/startupTaints/0/$patch",
        "/spec/patches/1/patch/spec/template/spec/taints/0/$patch",
    ]


@for_each(
    ("operation", "key"),
    [
        ({"op": "move", "from": "/spec/b", "path": "/spec/a"}, "from"),
        ({"op": "copy", "from": "/spec/limits", "path": "/spec/x/y"}, "path"),
        ({"op": "remove", "path": "/spec/b"}, "path"),
        ({"op": "test", "path": "/spec/weight", "value": 4}, "path"),
        ({"op": "test", "path": "/spec/limits", "value": 4}, "path"),
    ],
)
def test_an_operation_is_refused_at_the_path_that_is_wrong(operation: dict[str, Any], key: str) -> None:
    assert only(of_pool([operation])).pointer == f"/spec/patches/0/patch/0/{key}"


def test_the_value_of_a_variable_that_is_a_secret() -> None:
    target = {"kind": "DaemonSet", "name": EXPORTER}
    env = "/spec/template/spec/containers/0/env"
    first = [{"op": "add", "path": f"{env}/0", "value": {"name": "API_PASSWORD", "value": "$(OTHER)"}}]
    second = [{"op": "replace", "path": f"{env}/0/value", "value": "hunter2"}]
    diagnostics = [finding for finding in of_cluster(first, second, target=target).findings if finding.code == "PAT006"]
    assert [finding.pointer for finding in diagnostics] == ["/spec/patches/1/patch/0/value"]
    harmless = [{"op": "replace", "path": f"{env}/0/value", "value": "$(MORE)"}]
    assert "PAT006" not in of_cluster(first, harmless, target=target).codes


def _manager(result: Result) -> Any:
    pod = result.body("controllers/daemonset-nvidia-device-plugin.yaml")["spec"]["template"]["spec"]
    return next(container for container in pod["containers"] if container["name"] == "config-manager")


def test_a_target_that_is_not_a_pattern() -> None:
    finding = only(of_pool({"spec": {}}, target={"kind": "NodePool", "name": "a(100"}))
    assert (finding.code, finding.pointer) == ("PAT005", "/spec/patches/0/target/name")


def test_a_pattern_that_takes_too_long_is_stopped() -> None:
    assert only(of_pool({"spec": {}}, target={"kind": "(a+)+b", "name": "(a|a)*c"})).code in ("PAT001", "PAT005")


@pytest.mark.parametrize(
    ("change", "source"),
    [
        ({"spec": {"weight": "heavy"}}, "heavy"),
        ({"spec": {"wieght": 3}}, "wieght: 3"),
        ({"spec": {"template": {"spec": {"requirements": [{"key": "a", "operator": "Is"}]}}}}, "Is"),
        ([{"op": "add", "path": "/spec/weight", "value": 1000}], "1000"),
        ([{"op": "replace", "path": "/spec/template/spec", "value": {"taints": [{"key": "a"}]}}], None),
    ],
)
def test_what_the_schema_says_is_reported_at_the_patch(change: Any, source: str | None) -> None:
    result = of_pool(change)
    errors = [finding for finding in result.findings if finding.severity is Severity.ERROR]
    assert {finding.code for finding in errors} == {"CNF001"}
    assert {finding.span.file for finding in result.findings} == {"fleet.yaml"}
    start = 1 + next(
        at for at, line in enumerate(result.made.checked.texts[0].content.splitlines()) if "patches" in line
    )
    assert all(finding.span.line > start for finding in result.findings)
    assert source is None or [source_of(result, finding) for finding in errors] == [source]


@pytest.mark.parametrize("change", [{"spec": {"template": None}}, [{"op": "remove", "path": "/spec/template"}]])
def test_a_required_field_that_a_patch_removes_is_missed_at_the_patch(change: Any) -> None:
    result = of_pool(change)
    finding = only(result)
    assert finding.code == "CNF001"
    assert source_of(result, finding) in ("null", "/spec/template", "template: null", "spec:")


def test_a_rule_that_a_patch_breaks_is_reported_at_the_patch() -> None:
    result = of_pool({"spec": {"disruption": {"consolidateAfter": "soon"}}})
    assert [source_of(result, finding) for finding in result.findings] == ["soon"]


BAD = [
    ("patches: [{target: {kind: NodePool}, patch: 'spec: {weight: 3}'}]", "a mapping to merge, or a list"),
    ("patches: [{target: {kind: NodePool}, patch: null}]", "a mapping to merge, or a list"),
    ("patches: [{target: null, patch: {a: 1}}]", "must be a mapping"),
    ("patches: [{target: {}, patch: {a: 1}}]", "missing key 'kind'"),
    ("patches: [{target: {kind: NodePool}}]", "missing key 'patch'"),
    ("patches: null", "must be a list"),
    ("patches: []", "must not be empty"),
    ("patches: [{target: {kind: NodePool}, patch: {}}]", "must not be empty"),
    ("patches: [{target: {kind: NodePool}, patch: [{op: add, path: '\\\\spec\\\\weight', value: 1}]}]", "JSON pointer"),
    ("patches: [{target: {kind: NodePool}, patch: [{op: add, path: spec/weight, value: 1}]}]", "JSON pointer"),
    ("patches: [{target: {kind: NodePool}, patch: [{op: set, path: /spec/weight, value: 1}]}]", "set"),
    ("patches: [{target: {kind: NodePool}, patch: [3]}]", "must be a mapping"),
    ("patches: [{target: {kind: NodePool, version: v1}, patch: {a: 1}}]", "unknown key 'version'"),
]


@for_each(("line", "message"), BAD)
def test_a_patch_of_the_wrong_shape(line: str, message: str) -> None:
    result = compiled(pool=f"  {line}")
    assert set(result.codes) == {"SHP003"}
    assert message in " ".join(f"{finding.message} {finding.help}" for finding in result.findings)


def test_a_thousand_patches() -> None:
    many = [(POOL, {"metadata": {"annotations": {f"contoso.com/a{at}": str(at)}}}) for at in range(1000)]
    result = compiled(pool=patches(*many))
    assert result.codes == []
    assert len(result.body("nodes/nodepool-a100.yaml")["metadata"]["annotations"]) == 1001


def test_anchors_in_patches() -> None:
    lines = """\
  patches:
    - target: {kind: NodePool}
      patch: &same {metadata: {annotations: {a/b: c}}}
    - target: {kind: AKSNodeClass}
      patch: *same"""
    result = compiled(pool=lines)
    assert result.codes == []
    for kind in ("nodepool", "aksnodeclass"):
        assert result.body(f"nodes/{kind}-a100.yaml")["metadata"]["annotations"]["a/b"] == "c"


def test_overrides_replace_the_patches_of_a_pool() -> None:
    own = patches((POOL, {"spec": {"weight": 1}}))
    other = [{"target": POOL, "patch": {"spec": {"weight": "two"}}}]
    result = compiled(pool=own + "\n" + under("overrides", [{"clusters": ["prod"], "set": {"patches": other}}]))
    finding = only(result)
    assert finding.code == "CNF001"
    assert source_of(result, finding) == "two"


def test_a_value_that_several_objects_refuse_is_reported_once() -> None:
    wrong = patches(({"kind": "NodePool|AKSNodeClass"}, {"metadata": {"labels": {"team": True}}}))
    result = compiled_text(text(cluster=wrong))
    assert result.codes == ["CNF001"]


ENV = {"name": "API_PASSWORD", "value": "hunter2"}
EXPORTER = "dcgm-exporter-profiling"


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"template": {"spec": {"containers": [{"name": "dcgm-exporter", "env": [ENV]}]}}}},
        [{"op": "add", "path": "/spec/template/spec/containers/0/env/-", "value": ENV}],
        [
            {"op": "add", "path": "/spec/template/spec/containers/0/env/-", "value": {"name": "API_PASSWORD"}},
            {"op": "add", "path": "/spec/template/spec/containers/0/env/0/value", "value": "x"},
            {"op": "add", "path": "/metadata/annotations", "value": {"a": "https://me:hunter2@contoso.com"}},
        ],
    ],
)
def test_a_secret_in_a_patch(change: Any) -> None:
    finding = only(of_cluster(change, target={"kind": "DaemonSet", "name": EXPORTER}))
    assert (finding.code, finding.severity) == ("PAT006", Severity.ERROR)
    assert "hunter2" not in finding.message
    assert finding.pointer.startswith("/spec/patches/0/patch")


def test_a_secret_in_a_patch_of_several_objects_is_reported_once() -> None:
    change: Any = {"metadata": {"annotations": {"contoso.com/token": "hunter2"}}}
    assert only(of_cluster(change, target={"kind": "DaemonSet"})).code == "PAT006"
    reference = {"name": "API_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "api", "key": "password"}}}
    change = {"spec": {"template": {"spec": {"containers": [{"name": "dcgm-exporter", "env": [reference]}]}}}}
    assert of_cluster(change, target={"kind": "DaemonSet", "name": EXPORTER}).codes == []


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"template": {"spec": {"taints": []}}}},
        {"spec": {"template": {"spec": {"taints": None}}}},
        [{"op": "remove", "path": "/spec/template/spec/taints"}],
        [{"op": "remove", "path": "/spec/template/spec/taints/0"}],
        [{"op": "replace", "path": "/spec/template/spec/taints/0/effect", "value": "PreferNoSchedule"}],
        {"spec": {"template": {"spec": {"taints": [{"key": "sku", "effect": "PreferNoSchedule"}]}}}},
    ],
)
def test_a_patch_that_removes_the_taint_of_a_pool(change: Any) -> None:
    finding = only(of_pool(change))
    assert (finding.code, finding.severity) == ("NPL015", Severity.WARNING)
    assert finding.span.line >= text().splitlines().index("metadata: {name: a100}")


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"template": {"spec": {"tolerations": []}}}},
        {"spec": {"template": {"spec": {"tolerations": None}}}},
        {"spec": {"template": {"spec": {"tolerations": [{"key": "team", "operator": "Exists"}]}}}},
        [{"op": "remove", "path": "/spec/template/spec/tolerations"}],
        [{"op": "remove", "path": "/spec/template/spec/tolerations/0"}],
    ],
)
def test_a_patch_that_removes_a_toleration_of_a_workload(change: Any) -> None:
    finding = only(compiled(workload=patches(({"kind": "Deployment"}, change))))
    assert (finding.code, finding.severity) == ("PAT007", Severity.WARNING)
    assert finding.message == (
        "the patch removes the toleration of sku=gpu:NoSchedule from Deployment chat, which must run on GPU nodes"
    )
    assert finding.object.kind == "GpuWorkload"


def test_a_toleration_of_every_value_is_not_kept_by_one_of_no_value() -> None:
    pool = "  taints: [{key: sku, effect: NoSchedule}]"
    change = {"spec": {"template": {"spec": {"tolerations": [{"key": "sku", "effect": "NoSchedule"}]}}}}
    finding = only(compiled(pool=pool, workload=patches(({"kind": "Deployment"}, change))))
    assert finding.code == "PAT007"
    assert "the toleration of sku:NoSchedule from Deployment chat" in finding.message


@pytest.mark.parametrize(
    "tolerations",
    [
        [{"operator": "Exists"}],
        [{"key": "sku", "operator": "Exists"}],
        [
            {"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"},
            {"key": "a", "operator": "Exists"},
        ],
    ],
)
def test_a_patch_that_keeps_what_its_pods_tolerate(tolerations: list[Any]) -> None:
    change = {"spec": {"template": {"spec": {"tolerations": tolerations}}}}
    assert compiled(workload=patches(({"kind": "Deployment"}, change))).codes == []
    again = [
        {"op": "remove", "path": "/spec/template/spec/tolerations"},
        {"op": "add", "path": "/spec/template/spec/tolerations", "value": tolerations},
    ]
    assert compiled(workload=patches(({"kind": "Deployment"}, again))).codes == []


@pytest.mark.parametrize("taints", [[], None, ["sku=gpu:PreferNoSchedule"]])
def test_a_patch_that_removes_the_taint_of_a_node_pool(taints: Any) -> None:
    cluster = f"  provisioner: cluster-autoscaler\n  resourceId: {ID}/managedClusters/prod"
    change = {"spec": {"nodeTaints": taints}}
    result = compiled(cluster=cluster, pool=patches(({"kind": "ManagedClustersAgentPool"}, change)))
    assert [(finding.code, finding.object.kind) for finding in result.findings] == [("PAT007", "GpuPool")]


JOBS = """---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {{name: render, namespace: batch}}
spec:
  pools: [a100]
  target: {{kind: Job, name: render}}
  job: {{template: {{spec: {{restartPolicy: Never, containers: [{{name: render, image: "render:1"}}]}}}}}}
  scaling:
    identity: 11111111-2222-3333-4444-555555555555
    triggers: [{{storageQueue: {{account: contoso, queue: render}}, target: 1}}]
    max: 4
{patches}
"""


@pytest.mark.parametrize(
    ("tolerations", "codes"),
    [
        ([], ["POD001", "PAT007"]),
        ([{"key": "sku", "value": "cpu", "effect": "NoSchedule"}], ["POD001"]),
        ([{"operator": "Exists"}], []),
        ([{"key": "sku", "operator": "Exists", "effect": "NoSchedule"}], []),
    ],
)
def test_a_patch_of_jobs_keeps_what_their_pods_tolerate(tolerations: list[Any], codes: list[str]) -> None:
    change = {"spec": {"jobTargetRef": {"template": {"spec": {"tolerations": tolerations}}}}}
    own = JOBS.format(patches=patches(({"kind": "ScaledJob"}, change)))
    result = compiled_text(text() + own)
    assert result.codes == codes
    for finding in (finding for finding in result.findings if finding.code == "PAT007"):
        assert finding.message.startswith(
            "the patch removes the toleration of sku=gpu:NoSchedule from ScaledJob render"
        )
        assert finding.pointer == "/spec/patches/0/patch/spec/jobTargetRef/template/spec/tolerations"


def test_what_only_some_releases_accept_is_a_warning_that_names_a_key_of_the_spec() -> None:
    budget = {"spec": {"disruption": {"budgets": [{"nodes": "1", "reasons": ["Unhealthy"]}]}}}
    [finding] = [finding for finding in of_pool(budget).findings if finding.code == "CNF023"]
    assert finding.severity is Severity.WARNING
    assert "accepted only as of Karpenter 1.15; node auto-provisioning runs 1.14.0" in finding.message
    start = "if the clusters run such a release, name it in Cluster.spec.karpenter; otherwise "
    assert finding.help.startswith(start)
