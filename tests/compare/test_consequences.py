"""Effects of a change other than on nodes: budgets, limits, delivery, pods, charts."""

from typing import Any

import pytest

from gitgpu.compare import PoolChange, Rollout
from gitgpu.emit.manifest import Layer
from gitgpu.write.render import render
from tests.compare.sides import AGENTS, CLASS, FLUX, POOL, REMOVED, Body, between, edited, overlays, pool_between
from tests.emit.fleets import cluster, emitted, fleet, pool
from tests.helping.cases import for_each

DAEMON: Body = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "d", "namespace": "gpu"},
    "spec": {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"spec": {"containers": [{"name": "c", "image": "i:1", "env": [{"name": "E", "value": "1"}]}]}},
    },
}
RELEASE: Body = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "r", "namespace": "gpu"},
    "spec": {"chart": {"spec": {"chart": "c", "version": "1.0.0"}}, "values": {"a": 1}},
}
TEXT: Body = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "m", "namespace": "gpu"},
    "data": {"x.csv": "one\ntwo\n"},
}
SCALER: Body = {
    "apiVersion": "keda.sh/v1alpha1",
    "kind": "ScaledObject",
    "metadata": {"name": "s", "namespace": "web"},
    "spec": {"scaleTargetRef": {"name": "w"}, "minReplicaCount": 1, "maxReplicaCount": 4},
}

DRIVER: Body = {
    "apiVersion": "nvidia.com/v1alpha1",
    "kind": "NVIDIADriver",
    "metadata": {"name": "n"},
    "spec": {"driverType": "gpu", "usePrecompiled": False, "image": "driver", "version": "580"},
}
CLAIM: Body = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaimTemplate",
    "metadata": {"name": "t", "namespace": "web"},
    "spec": {"spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}]}}},
}
NUMBERED: Body = {
    **DAEMON,
    "kind": "StatefulSet",
    "spec": {**DAEMON["spec"], "serviceName": "a", "updateStrategy": {"type": "OnDelete"}},
}
MANAGED = "spec/tags/EnableManagedGPUExperience"
KAITO: Body = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "kaito-workspace", "namespace": "kaito"},
    "spec": {
        "chart": {"spec": {"chart": "workspace", "version": "0.12.0"}},
        "values": {
            "nodeProvisioner": "karpenter",
            "karpenterProviders": {
                "azure": {"nodeClasses": [{"name": "gpu", "default": True, "spec": {"osDiskSizeGB": 300}}]}
            },
        },
    },
}
KAITO_BY_ARGO: Body = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "kaito"},
    "spec": {"source": {"chart": "workspace", "helm": {"valuesObject": KAITO["spec"]["values"]}}},
}
NODE_CLASS = "karpenterProviders/azure/nodeClasses/0/spec/osDiskSizeGB"
SET: Body = {
    "apiVersion": "kaito.sh/v1beta1",
    "kind": "InferenceSet",
    "metadata": {"name": "chat", "namespace": "web"},
    "spec": {
        "replicas": 1,
        "labelSelector": {"matchLabels": {"pool": "a"}},
        "template": {"inference": {"preset": {"name": "phi-4"}}},
    },
}
TUNED: Body = {
    "apiVersion": "kaito.sh/v1beta1",
    "kind": "Workspace",
    "metadata": {"name": "tune", "namespace": "web"},
    "resource": {"labelSelector": {"matchLabels": {"pool": "a"}}},
    "tuning": {"preset": {"name": "phi-4"}, "method": "qlora", "output": {"image": "a:1"}},
}
SERVED: Body = {**TUNED, "tuning": None, "inference": {"preset": {"name": "phi-4"}, "config": "one"}}
ENGINE: Body = {
    "apiVersion": "kaito.sh/v1beta1",
    "kind": "RAGEngine",
    "metadata": {"name": "manuals", "namespace": "web"},
    "spec": {
        "compute": {"instanceType": "Standard_NC24ads_A100_v4", "labelSelector": {"matchLabels": {"pool": "a"}}},
        "embedding": {"local": {"modelID": "a/b"}},
        "storage": {"persistentVolume": {"persistentVolumeClaim": "one"}},
    },
}


UNAFFECTED = (
    "spec.storage.persistentVolume.persistentVolumeClaim does not affect what already runs: delete the object first, "
    "or give it another name"
)


def effects(before: Body, edits: dict[str, Any]) -> list[str]:
    """The reported effects of an edit of one object."""
    (change,) = between(overlays([before], "controllers"), overlays([edited(before, edits)], "controllers"))
    return [effect.text for effect in change.effects]


@for_each(
    ("body", "edits", "wanted"),
    [
        (DAEMON, {"spec/template/spec/containers/0/image": "i:2"}, "its pods restart on every node"),
        (DAEMON, {"spec/template/spec/containers/0/env/0/value": "2"}, "its pods restart"),
        (DAEMON, {"spec/selector/matchLabels/a": "c"}, "is immutable"),
        (DRIVER, {"spec/usePrecompiled": True}, "spec.usePrecompiled"),
        (CLAIM, {"spec/spec/devices/requests/0/exactly/count": 2}, "spec.spec.devices"),
        (NUMBERED, {"spec/serviceName": "b"}, "spec.serviceName"),
        (CLASS, {MANAGED: "true"}, "existing nodes keep their GPU software"),
        (
            edited(CLASS, {MANAGED: "true"}),
            {"spec/tags": REMOVED},
            "spec.tags.EnableManagedGPUExperience applies to new",
        ),
        (RELEASE, {"spec/chart/spec/version": "2.0.0"}, "Helm upgrades the chart from 1.0.0 to 2.0.0"),
        (RELEASE, {"spec/chart/spec/version": "0.10.0"}, "Helm downgrades the chart from 1.0.0 to 0.10.0"),
        (RELEASE, {"spec/chart/spec/version": "0.x"}, "Helm upgrades the chart from 1.0.0 to 0.x"),
        (RELEASE, {"spec/values/a": 2}, "with new values"),
        (TEXT, {"data/x.csv": "one\n"}, "no pod restarts"),
        (SET, {"spec/template/inference/preset/name": "phi-4-mini"}, "applies to new replicas only"),
        (SET, {"spec/labelSelector/matchLabels/pool": "b"}, "applies to new replicas only"),
        (SET, {"spec/template/resource": {"partition": {"mode": "mig"}}}, "is immutable"),
        (TUNED, {"tuning/method": "lora"}, "tuning.method"),
        (TUNED, {"tuning/preset/name": "phi-4-mini"}, "tuning.preset.name"),
        (TUNED, {"tuning/output/image": "a:2"}, "its Job runs again from the start, for tuning.output.image"),
        (SERVED, {"inference/config": "two"}, "its pods are replaced"),
        (SERVED, {"inference/preset/name": "phi-4-mini"}, "inference.preset.name"),
        (ENGINE, {"spec/compute/instanceType": "Standard_NC40ads_H100_v5"}, "spec.compute"),
        (ENGINE, {"spec/compute/labelSelector/matchLabels/pool": "b"}, "spec.compute"),
        (ENGINE, {"spec/embedding/local/modelID": "a/c"}, "its pods are replaced for spec.embedding.local.modelID"),
        (ENGINE, {"spec/storage/persistentVolume/persistentVolumeClaim": "two"}, UNAFFECTED),
        (SCALER, {"spec/maxReplicaCount": 9}, "replicas 1 to 4 become 1 to 9"),
        (SCALER, {"spec/minReplicaCount": REMOVED}, "replicas 1 to 4 become default to 4"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_effects_of_an_edit_beyond_nodes(body: Body, edits: dict[str, Any], wanted: str) -> None:
    assert [wanted in text for text in effects(body, edits)] == [True]


@pytest.mark.parametrize(
    ("body", "above"),
    [(KAITO, "spec/values"), (KAITO_BY_ARGO, "spec/source/helm/valuesObject")],
    ids=["flux", "argocd"],
)
def test_kaito_never_changes_an_existing_node_class(body: Body, above: str) -> None:
    reported = effects(body, {f"{above}/{NODE_CLASS}": 512})
    path = f"{above}/{NODE_CLASS}".replace("/0/", "[0].").replace("/", ".")
    instead = f"to change {path}, edit that AKSNodeClass itself, or give the class another name"
    assert reported == [
        f"KAITO creates missing node classes but never updates existing ones: {instead}",
        "Helm upgrades the release with new values",
    ]
    assert not any("AKSNodeClass" in text for text in effects(body, {f"{above}/nodeProvisioner": "byo"}))


OPERATOR: Body = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {"name": "gpu-operator", "namespace": "flux-system"},
    "spec": {"chart": {"spec": {"chart": "gpu-operator", "version": "v26.7.0"}}, "values": {"driver": {}}},
}
OPERATOR_BY_ARGO: Body = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "gpu-operator", "namespace": "argocd"},
    "spec": {
        "source": {"chart": "gpu-operator", "targetRevision": "v26.7.0", "helm": {"valuesObject": {"driver": {}}}}
    },
}


@for_each(
    ("body", "above"),
    [(OPERATOR, "spec/values"), (OPERATOR_BY_ARGO, "spec/source/helm/valuesObject")],
    ids=["flux", "argocd"],
)
@for_each(
    ("edits", "parts"),
    [
        ({"toolkit": {"env": [{"name": "A", "value": "b"}]}}, "container toolkit"),
        ({"dcgm": {"enabled": True}, "dcgmExporter": {"version": "4"}}, "DCGM, DCGM exporter"),
        ({"dcgmExporter": {"serviceMonitor": {"enabled": True}}}, ""),
        ({"operator": {"logging": {"level": "debug"}}}, ""),
    ],
)
def test_operands_that_restart(body: Body, above: str, edits: dict[str, Any], parts: str) -> None:
    [text] = effects(body, {f"{above}/{key}": value for key, value in edits.items()})
    restart = f", and the operator restarts the pods of {parts}" if parts else ""
    assert text == f"Helm upgrades the release with new values{restart}"


@for_each("above", ["values", "values/node-feature-discovery"], ids=["own chart", "of an operator"])
def test_a_worker_that_restarts(above: str) -> None:
    chart = "network-operator" if "/" in above else "node-feature-discovery"
    release = edited(OPERATOR, {"spec/chart/spec/chart": chart, f"spec/{above}": {"worker": {"enable": True}}})
    upgrade, restart = effects(release, {f"spec/{above}/worker/tolerations": [{"operator": "Exists"}]})
    assert upgrade == "Helm upgrades the release with new values"
    assert "the worker of Node Feature Discovery" in restart
    assert "labels stay" in restart
    assert effects(release, {f"spec/{above}/master": {"replicaCount": 2}}) == [upgrade]
    by_source = edited(release, {"spec/chart": REMOVED, "spec/chartRef": {"kind": "OCIRepository", "name": chart}})
    assert effects(by_source, {f"spec/{above}/worker/tolerations": [{"operator": "Exists"}]}) == [upgrade, restart]
    waits = edited(release, {f"spec/{above}/worker/updateStrategy": {"type": "OnDelete"}})
    assert effects(waits, {f"spec/{above}/worker/tolerations": [{"operator": "Exists"}]}) == [upgrade]


def test_a_part_of_a_chart_that_restarts_or_ends() -> None:
    worker = {"spec/values/node-feature-discovery/worker/tolerations": [{"operator": "Exists"}]}
    [text] = effects(OPERATOR, worker)
    assert text.endswith("the operator restarts the pods of Node Feature Discovery")
    driver = edited(OPERATOR, {"spec/chart/spec/chart": "dra-driver-nvidia-gpu"})
    upgrade, restart = effects(driver, {"spec/values/kubeletPlugin": {"tolerations": [{"operator": "Exists"}]}})
    assert "the kubelet plugin of NVIDIA's DRA driver" in restart
    assert effects(driver, {"spec/values/resources": {"gpus": {"enabled": False}}}) == [upgrade]


def test_node_feature_discovery_that_moves_to_another_release() -> None:
    chart = {"spec/chart/spec/chart": "network-operator"}
    worker = {"worker": {"tolerations": [{"operator": "Exists"}]}}
    release = edited(OPERATOR, {**chart, "spec/values": {"node-feature-discovery": worker}})
    off = {"nfd": {"enabled": False}}
    upgrade, moves = effects(release, {"spec/values": off})
    assert "no longer includes Node Feature Discovery" in moves
    assert effects(edited(release, {"spec/values": off}), {"spec/values": release["spec"]["values"]}) == [upgrade]


def test_more_replicas_of_a_model_are_not_other_replicas() -> None:
    assert effects(SET, {"spec/replicas": 3}) == []


@pytest.mark.parametrize("edits", [{"metadata/labels": {"a": "b"}}, {"spec/selector/matchLabels": {"a": "b"}}])
def test_edits_that_restart_no_pods(edits: dict[str, Any]) -> None:
    (change,) = between(overlays([DAEMON], "controllers"), overlays([edited(DAEMON, edits), POOL], "controllers"))
    assert change.effects == ()


def test_pods_that_change_only_when_they_are_deleted() -> None:
    before = edited(DAEMON, {"spec/updateStrategy": {"type": "OnDelete"}})
    assert "OnDelete" in effects(before, {"spec/template/spec/containers/0/image": "i:2"})[0]


def rolled(edits: dict[str, Any], minutes: int | None = None) -> Rollout:
    """How the nodes of a pool with 8 nodes are replaced if its class changes."""
    pool = edited(POOL, {"spec/limits": {"nodes": "8"}, **edits})
    change = pool_between([pool, CLASS], [pool, edited(CLASS, {"spec/maxPods": 50})], minutes=minutes)
    assert change.roll
    return change.roll


BUDGETS = "spec/disruption/budgets"
NIGHT = {"nodes": "0", "schedule": "0 6 * * 1-5", "duration": "14h"}


@for_each(
    ("budgets", "at_once", "waves", "closed", "blocked"),
    [
        (None, 1, 8, 0, ""),
        ([{"nodes": "25%"}], 2, 4, 0, ""),
        ([{"nodes": "3"}], 3, 3, 0, ""),
        ([{"nodes": "3"}, {"nodes": "50%"}], 3, 3, 0, ""),
        ([{"nodes": "100%"}], 8, 1, 0, ""),
        ([{"nodes": "1", "reasons": ["Empty"]}], 8, 1, 0, ""),
        ([{"nodes": "0", "reasons": ["Underutilized"]}, {"nodes": "2"}], 2, 4, 0, ""),
        ([NIGHT, {"nodes": "2"}], 2, 4, 70, ""),
        ([{"nodes": "0"}, NIGHT], 0, None, 70, "a budget without a schedule does not allow disruption"),
        ([{**NIGHT, "schedule": "0 0 * * *", "duration": "24h"}], 8, 1, 168, "at any time of the week"),
        (
            [{**NIGHT, "schedule": "61 6 * * *"}],
            8,
            1,
            0,
            "61 6 * * * cannot be parsed, so Karpenter does not allow disruption",
        ),
        ([{"nodes": "2"}, {**NIGHT, "schedule": "61 6 * * *"}], 2, 4, 0, "61 6 * * * cannot be parsed"),
        ([], 8, 1, 0, ""),
    ],
)
def test_the_number_of_waves_of_a_rollout(
    budgets: Any, at_once: int, waves: int | None, closed: float, blocked: str
) -> None:
    rollout = rolled({BUDGETS: budgets} if budgets is not None else {})
    assert (rollout.nodes, rollout.at_once, rollout.waves, rollout.closed) == (8, at_once, waves, closed)
    assert blocked in rollout.blocked
    assert bool(blocked) == bool(rollout.blocked)


def test_only_existing_nodes_are_replaced() -> None:
    was, now = (edited(POOL, {"spec/limits": {"nodes": nodes}}) for nodes in ("4", "8"))
    rollout = pool_between([was, CLASS], [now, edited(CLASS, {"spec/maxPods": 50})]).roll
    assert rollout is not None
    assert (rollout.nodes, rollout.waves) == (4, 4)
    none = pool_between(
        [was, CLASS], [edited(POOL, {"spec/limits": {"nodes": "0"}}), edited(CLASS, {"spec/maxPods": 50})]
    )
    assert none.roll is not None
    assert "no room" in none.roll.blocked
    empty = edited(POOL, {"spec/limits": {"nodes": "0"}})
    risen = pool_between([empty, CLASS], [now, edited(CLASS, {"spec/maxPods": 50})]).roll
    assert risen is not None
    assert risen.blocked == ""


def test_minutes_are_never_guessed() -> None:
    assert (rolled({}).minutes, rolled({}).slowest) == (None, None)
    rollout = rolled({BUDGETS: [{"nodes": "2"}]}, 10)
    assert (rollout.minutes, rollout.slowest) == (40, 80)


def test_a_pool_without_limits_has_no_end() -> None:
    rollout = rolled({"spec/limits": REMOVED})
    assert (rollout.nodes, rollout.at_once, rollout.waves) == (None, None, None)


def test_a_drain_is_bounded_by_the_grace_period() -> None:
    assert (rolled({}).drain, rolled({"spec/template/spec/terminationGracePeriod": "2h"}).drain) == (None, "2h")


def limits(edits: dict[str, Any]) -> Any:
    """The maximum of a new pool."""
    return pool_between([], [edited(POOL, edits), CLASS]).after


def test_limits_count_complete_nodes_of_the_size_that_allows_most() -> None:
    at_limits = limits({})
    assert (at_limits.nodes, at_limits.gpus) == (8, 8)
    assert str(at_limits.price) == "10.208"  # eight nodes of the more expensive size
    assert (limits({"spec/limits": {"cpu": "33"}}).nodes, limits({"spec/limits": {"memory": "1Gi"}}).nodes) == (8, 0)
    assert limits({"spec/limits": REMOVED}).nodes is None


def test_an_unknown_price_stays_unknown() -> None:
    sizes = ["Standard_NC16as_T4_v3", "Standard_NC8ads_A10_v4"]
    at_limits = limits({"spec/template/spec/requirements/0/values": sizes})
    assert (at_limits.price, at_limits.unpriced) == (None, ("Standard_NC8ads_A10_v4",))


def test_sizes_that_karpenter_cannot_offer_are_not_priced() -> None:
    named, phantom = "spec/template/spec/requirements/0/values", "Standard_ND128isr_NDR_GB200_v6"
    both, alone = limits({named: ["Standard_NC16as_T4_v3", phantom]}), limits({named: [phantom]})
    assert both == limits({named: ["Standard_NC16as_T4_v3"]})
    assert (alone.nodes, alone.gpus, alone.price, alone.unpriced) == (None, None, None, ())
    before, after = (
        [edited(POOL, {named: names}), CLASS]
        for names in (["Standard_NC16as_T4_v3", phantom], ["Standard_NC16as_T4_v3"])
    )
    change = pool_between(before, after)
    assert (change.replaced, change.before) == ("none", change.after)


def removed(annotations: dict[str, str], sync: Body) -> PoolChange:
    """A removed pool, with annotations and settings of its engine."""
    gone = edited(POOL, {"metadata/annotations": annotations})
    before = overlays([gone, CLASS])
    after = overlays([CLASS])
    for side in (before, after):
        side["c/sync/kustomization-f-nodes.yaml"] = render(sync)
    (change,) = between(before, after)
    return change.pools[0]


ARGO: Body = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "f-c"},
    "spec": {"sources": []},
}


@for_each(
    ("annotations", "sync", "replaced"),
    [
        ({"kustomize.toolkit.fluxcd.io/prune": "disabled"}, FLUX, "none"),
        ({"kustomize.toolkit.fluxcd.io/prune": "Disabled"}, FLUX, "none"),
        ({}, FLUX, "all"),
        ({"argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"}, FLUX, "all"),
        ({"argocd.argoproj.io/sync-options": "Delete=confirm,Prune=confirm"}, ARGO, "none"),
        ({"argocd.argoproj.io/sync-options": "Prune=false"}, ARGO, "none"),
        ({"argocd.argoproj.io/sync-options": "Delete=confirm"}, ARGO, "all"),
        ({"kustomize.toolkit.fluxcd.io/prune": "disabled"}, ARGO, "all"),
    ],
)
def test_what_the_engine_deletes(annotations: dict[str, str], sync: Body, replaced: str) -> None:
    assert removed(annotations, sync).replaced == replaced


def test_fields_are_compared_by_key_and_texts_by_line() -> None:
    edits = {"spec/template/spec/containers": [{"name": "new"}, *DAEMON["spec"]["template"]["spec"]["containers"]]}
    (change,) = between(overlays([DAEMON], "controllers"), overlays([edited(DAEMON, edits)], "controllers"))
    assert [field.path for field in change.changes[0].fields] == ["spec.template.spec.containers[new].name"]
    assert change.changes[0].fields[0].whole == "spec.template.spec.containers[new]"


def test_an_added_or_removed_container_is_one_change() -> None:
    """An added or removed container is shown as one path. A changed value has its own path."""
    more = [*DAEMON["spec"]["template"]["spec"]["containers"], {"name": "new", "image": "i", "command": ["a"]}]
    both = edited(DAEMON, {"spec/template/spec/containers": more})
    stem = "spec.template.spec.containers"
    for before, after in ((DAEMON, both), (both, DAEMON)):
        (change,) = between(overlays([before], "controllers"), overlays([after], "controllers"))
        assert {field.whole for field in change.changes[0].fields} == {f"{stem}[new]"}
        assert len(change.changes[0].fields) == 3
    newer = edited(DAEMON, {"spec/template/spec/containers/0/image": "i:2"})
    (change,) = between(overlays([DAEMON], "controllers"), overlays([newer], "controllers"))
    assert [(field.path, field.whole, field.before, field.after) for field in change.changes[0].fields] == [
        (f"{stem}[c].image", f"{stem}[c].image", "i:1", "i:2")
    ]


def test_the_order_of_init_containers_matters() -> None:
    first, second = {"name": "a", "image": "a"}, {"name": "b", "image": "b"}
    before = edited(DAEMON, {"spec/template/spec/initContainers": [first, second]})
    after = edited(DAEMON, {"spec/template/spec/initContainers": [second, first]})
    (change,) = between(overlays([before], "controllers"), overlays([after], "controllers"))
    assert [field.path for field in change.changes[0].fields] == ["spec.template.spec.initContainers.(order)"]


def test_patches_with_one_name_in_two_folders_are_two_objects() -> None:
    patch = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "w"}, "spec": {"template": {}}}
    both = {f"c/workloads/{folder}.w/deployment-w.yaml": render(patch) for folder in ("one", "two")}
    (change,) = between({}, both)
    assert len(change.changes) == 2


def test_a_text_of_the_runbook_is_compared_by_line_below_its_head() -> None:
    texts = {at: f"#!/bin/sh\n# from fleet.yaml:{at}\naz one\n{'az two' * at}\n" for at in (0, 1)}
    sides = [{**overlays([POOL]), "c/runbook/setup.sh": text} for text in (texts[0], texts[1])]
    (change,) = between(sides[0], sides[1])
    assert [(effect.object, effect.text) for effect in change.effects] == [
        ("Page/setup.sh", "to read or run manually; not applied by Flux or Argo CD")
    ]
    assert change.steps == ()
    moved = {**sides[0], "c/runbook/setup.sh": texts[0].replace("yaml:0", "yaml:9")}
    assert between(sides[0], moved) == []
    (gone,) = between(sides[0], overlays([POOL]))
    assert [fate.stays for fate in gone.fates] == [True]


def test_objects_removed_from_a_remaining_layer_are_deleted() -> None:
    config = {**TEXT, "metadata": {"name": "gone", "namespace": "gpu"}}
    (change,) = between(overlays([TEXT, config], "controllers"), overlays([TEXT], "controllers"))
    assert [(fate.stays, fate.reason) for fate in change.fates] == [(False, "Flux deletes it")]
    (change,) = between(overlays([config], "controllers"), overlays([], "controllers"))
    assert [fate.stays for fate in change.fates] == [True]


def test_argo_cd_deletes_an_object_of_a_remaining_layer() -> None:
    after = in_layers([ARGO], {"nodes": "0"}, "1")
    (change,) = between({**after, "c/nodes/gone.yaml": render(edited(TEXT, {"metadata/name": "gone"}))}, after)
    assert [(fate.stays, fate.reason) for fate in change.fates] == [(False, "Argo CD deletes it")]


def test_every_layer_that_an_engine_applies_is_a_step() -> None:
    everywhere = dict.fromkeys(map(str, Layer), "")
    (change,) = between(in_layers([], everywhere, "1"), in_layers([], everywhere, "2"))
    assert [step.layer for step in change.steps] == [layer for layer in Layer if not layer.by_hand]


def test_no_engine_deletes_what_a_person_applied() -> None:
    config = {**TEXT, "metadata": {"name": "gone", "namespace": "gpu"}}
    (change,) = between(overlays([TEXT, config], "verify"), overlays([TEXT], "verify"))
    assert [(fate.stays, fate.reason) for fate in change.fates] == [
        (True, "Flux and Argo CD do not delete objects of verify/: delete it manually")
    ]


def kustomization(layer: str, *needs: str) -> Body:
    """Flux's Kustomization for a layer, with dependencies."""
    name = {"metadata/name": f"f-{layer}", "spec/path": f"./overlays/c/{layer}/"}
    return edited(FLUX, {**name, "spec/dependsOn": [{"name": f"f-{need}"} for need in needs]})


def in_layers(sync: list[Body], waves: dict[str, str], version: str) -> dict[str, str]:
    """A cluster with a ConfigMap in each layer, in a wave, and with the objects of its engine."""
    files = {f"c/sync/{at}.yaml": render(body) for at, body in enumerate(sync)}
    for layer, wave in waves.items():
        marks = {f"metadata/{MARKS}": {WAVE: wave}} if wave else {}
        text = edited(TEXT, {"metadata/name": layer, "data/a": version, **marks})
        files[f"c/{layer}/configmap.yaml"] = render(text)
    return files


MARKS, WAVE = "annotations", "argocd.argoproj.io/sync-wave"


def steps(sync: list[Body], waves: dict[str, str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """The layers in order: what applies each, and which layers come before it."""
    (change,) = between(in_layers(sync, waves, "1"), in_layers(sync, waves, "2"))
    return [(step.layer, step.by, step.after) for step in change.steps]


def test_flux_applies_a_layer_after_all_that_it_waits_for() -> None:
    sync = [kustomization("controllers"), kustomization("nodes", "controllers"), kustomization("workloads", "nodes")]
    all_ = dict.fromkeys(("workloads", "nodes", "controllers"), "")
    assert steps(sync, all_) == [
        ("controllers", "Kustomization/flux-system/f-controllers", ()),
        ("nodes", "Kustomization/flux-system/f-nodes", ("controllers",)),
        ("workloads", "Kustomization/flux-system/f-workloads", ("controllers", "nodes")),
    ]
    assert steps(sync, {"workloads": "", "controllers": ""})[1][2] == ("controllers",)
    assert steps(sync, {"workloads": ""})[0][2] == ()


def test_argo_cd_applies_a_layer_after_those_of_earlier_waves() -> None:
    waves = {"controllers": "00", "nodes": "10", "monitoring": "10", "workloads": "20"}
    assert steps([ARGO], waves) == [
        ("controllers", "Argo CD", ()),
        ("nodes", "Argo CD", ("controllers",)),
        ("monitoring", "Argo CD", ("controllers",)),
        ("workloads", "Argo CD", ("controllers", "nodes", "monitoring")),
    ]


@for_each(
    ("nodes", "workloads"), [("9", "10"), ("-2", "-1"), ("-1", ""), ("", "1"), ("-1", "last")], ids=lambda wave: wave
)
def test_waves_are_numbers_and_0_where_an_object_has_none(nodes: str, workloads: str) -> None:
    _, later = steps([ARGO], {"nodes": nodes, "workloads": workloads})
    assert later == ("workloads", "Argo CD", ("nodes",))


def test_it_is_unknown_what_applies_sync_and_it_has_no_wave() -> None:
    for sync in ([ARGO], [kustomization("nodes")]):
        before = in_layers(sync, {"nodes": "10"}, "1")
        after = in_layers([edited(body, {"metadata/labels": {"a": "b"}}) for body in sync], {"nodes": "10"}, "2")
        (change,) = between(before, after)
        assert [(step.layer, step.after) for step in change.steps] == [("sync", ()), ("nodes", ())]
        assert "sync" in change.steps[0].by


def test_a_removed_cluster_has_its_previous_engine() -> None:
    for sync, engine in (([ARGO], "argocd"), ([kustomization("nodes")], "flux"), ([], "")):
        side = in_layers(sync, {"nodes": "10"}, "1")
        [gone], [new] = between(side, {}), between({}, side)
        assert (gone.engine, new.engine) == (engine, engine)
        assert (gone.steps, [step.layer for step in new.steps][-1:]) == ((), ["nodes"])


def test_a_cluster_without_an_engine_is_applied_by_the_previous_one() -> None:
    before, after = in_layers([kustomization("nodes")], {"nodes": ""}, "1"), in_layers([], {"nodes": ""}, "2")
    (change,) = between(before, after)
    assert ("nodes", "Kustomization/flux-system/f-nodes", ()) in change.steps


@pytest.mark.parametrize("left", [{}, {"controllers": ""}])
def test_without_an_engine_the_tool_that_applies_the_overlays_decides(left: dict[str, str]) -> None:
    """This includes the last object in a folder: only Flux and Argo CD report a missing folder."""
    (change,) = between(in_layers([], {"nodes": "", **left}, "1"), in_layers([], left, "1"))
    assert [(fate.stays, fate.reason) for fate in change.fates] == [
        (False, "it is deleted if the tool that applies the overlays prunes")
    ]


def patched(kind: str, limits: Body) -> Body:
    """The patch of a workload."""
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "w"},
        "spec": {"template": {"spec": {"containers": [{"name": "c", "resources": {"limits": limits}}]}}},
    }


@for_each(
    ("kind", "target", "limits", "asked"),
    [
        ("Deployment", {"name": "w"}, {"nvidia.com/gpu": "2"}, ": its pods can request 18 nvidia.com/gpu instead of 8"),
        (
            "Deployment",
            {"name": "w"},
            {"nvidia.com/gpu": 2, "cpu": "4"},
            ": its pods can request 18 nvidia.com/gpu instead of 8",
        ),
        ("Deployment", {"name": "w"}, {"amd.com/gpu": "1"}, ": its pods can request 9 amd.com/gpu instead of 4"),
        ("Deployment", {"name": "w"}, {"nvidia.com/gpu": "many"}, ""),
        ("Deployment", {"name": "w"}, {"cpu": "4"}, ""),
        ("Deployment", {"name": "w", "kind": "StatefulSet"}, {"nvidia.com/gpu": "1"}, ""),
        (
            "StatefulSet",
            {"name": "w", "kind": "StatefulSet"},
            {"nvidia.com/gpu": "1"},
            ": its pods can request 9 nvidia.com/gpu instead of 4",
        ),
        ("Deployment", {"name": "other"}, {"nvidia.com/gpu": "1"}, ""),
    ],
)
def test_the_gpus_of_a_workload_that_scales_further(kind: str, target: Body, limits: Body, asked: str) -> None:
    patch = {f"c/workloads/web.w/{kind.lower()}-w.yaml": render(patched(kind, limits))}
    few, many = (edited(SCALER, {"spec/scaleTargetRef": target, "spec/maxReplicaCount": most}) for most in (4, 9))
    (change,) = between({**overlays([few], "workloads"), **patch}, {**overlays([many], "workloads"), **patch})
    assert [effect.text for effect in change.effects] == [f"replicas 1 to 4 become 1 to 9{asked}"]


def test_a_patch_that_is_removed_while_values_stay_is_named() -> None:
    files, later = (overlays([edited(RELEASE, {"spec/values/a": value})], "controllers") for value in (1, 2))
    [path] = [path for path in files if "/controllers/" in path]
    before = {**files, path: f"# Patched by GpuPool a.\n# Values from Fleet f.\n{files[path]}"}
    (change,) = between(before, {**later, path: f"# Values from Fleet f.\n{later[path]}"})
    texts = [effect.text for effect in change.effects]
    assert {"values from Fleet f", "no longer patched by GpuPool a"} <= set(texts)


def test_a_workload_that_scales_further_with_other_gpus() -> None:
    few, many = (
        edited(SCALER, {"spec/scaleTargetRef": {"name": "w"}, "spec/maxReplicaCount": most}) for most in (4, 9)
    )
    before, after = (
        {
            **overlays([scaler], "workloads"),
            "c/workloads/web.w/deployment-w.yaml": render(patched("Deployment", limits)),
        }
        for scaler, limits in ((few, {"nvidia.com/gpu": 2}), (many, {"amd.com/gpu": 1}))
    )
    (change,) = between(before, after)
    requests = "its pods can request 9 amd.com/gpu instead of 0, 0 nvidia.com/gpu instead of 8"
    assert f"replicas 1 to 4 become 1 to 9: {requests}" in [effect.text for effect in change.effects]


def test_keda_has_a_default_for_the_maximum_replicas() -> None:
    patch = {"c/workloads/web.w/deployment-w.yaml": render(patched("Deployment", {"nvidia.com/gpu": "2"}))}
    few, open_ended = (
        edited(SCALER, {"spec/scaleTargetRef": {"name": "w"}, "spec/maxReplicaCount": most}) for most in (4, REMOVED)
    )
    (change,) = between({**overlays([few], "workloads"), **patch}, {**overlays([open_ended], "workloads"), **patch})
    text = "replicas 1 to 4 become 1 to default: its pods can request 200 nvidia.com/gpu instead of 8"
    assert [each.text for each in change.effects] == [text]


def test_a_lower_limit_removes_no_node_and_this_is_reported() -> None:
    tainted: Body = {"spec/template/spec/taints": []}
    fewer = edited(POOL, {"spec/limits": {"nvidia.com/gpu": "4", "cpu": "128"}})
    change = pool_between([POOL, CLASS], [fewer, CLASS])
    assert change.reason.endswith("nodes above a lower limit stay")
    heavier = edited(POOL, {"spec/weight": 4})
    assert "lower limit" not in pool_between([POOL, CLASS], [heavier, CLASS]).reason
    both = pool_between([POOL, CLASS], [edited(fewer, tainted), CLASS])
    assert (both.replaced, "limits" in both.reason) == ("all", False)


def test_room_for_one_node_is_enough() -> None:
    assert rolled({"spec/limits": {"nodes": "1"}}).blocked == ""


def test_a_node_class_without_a_spec_has_the_defaults() -> None:
    bare = {key: value for key, value in CLASS.items() if key != "spec"}
    assert pool_between([edited(POOL, {"spec/weight": 4}), bare], [POOL, {**bare, "spec": {}}]).replaced == "none"


def test_data_of_other_kinds_is_not_text_that_pods_mount() -> None:
    secret = {**TEXT, "kind": "Secret"}
    assert effects(secret, {"data/x.csv": "b25l"}) == []


def test_a_pool_of_aks_has_no_effect_beside_its_nodes() -> None:
    agents = edited(AGENTS, {"spec/tags": {"a": "b"}})
    (change,) = between(overlays([AGENTS]), overlays([agents]))
    assert change.effects == ()


def test_null_is_not_a_change_and_a_default_is_written_down() -> None:
    assert between(overlays([CLASS]), overlays([edited(CLASS, {"spec/kubelet": None})])) == []
    (difference,) = between(overlays([CLASS]), overlays([edited(CLASS, {"spec/osDiskSizeGB": 128})]))
    assert [change.written for change in difference.changes] == [("spec.osDiskSizeGB",)]


def test_only_a_kustomization_of_flux_applies_a_layer() -> None:
    """A source in sync/ also has a path, but applies nothing."""
    source: Body = {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": {"name": "z-source", "namespace": "flux-system"},
        "spec": {"url": "https://example.com/x", "path": "./overlays/c/nodes"},
    }
    waves = steps([kustomization("nodes"), source], {"nodes": ""})
    assert waves == [("nodes", "Kustomization/flux-system/f-nodes", ())]


def test_what_a_layer_waits_for_may_be_written_in_odd_shapes() -> None:
    odd = edited(kustomization("nodes"), {"spec/dependsOn": ["f-controllers", None, {"name": "f-other"}, {}]})
    assert steps([kustomization("controllers"), odd], {"nodes": "", "controllers": ""})[1][2] == ()
    text = edited(kustomization("nodes"), {"spec/dependsOn": "f-controllers"})
    assert steps([text], {"nodes": ""})[0][2] == ()


@for_each(
    ("budgets", "closed"),
    [
        ([{"nodes": "0", "schedule": "0 0 * * *", "duration": "1h"}], 7),
        ([{"nodes": "1", "schedule": "0 0 * * *", "duration": "1h"}], 0),
        ([{"nodes": "0"}], 0),
        ([{"nodes": "1"}], 0),
    ],
)
def test_the_hours_without_a_replacement(budgets: Any, closed: float) -> None:
    assert rolled({BUDGETS: budgets}).closed == closed


def test_how_long_no_nodes_take() -> None:
    none = edited(POOL, {"spec/limits": {"nodes": "0"}})
    rollout = pool_between([none, CLASS], [none, edited(CLASS, {"spec/maxPods": 50})], minutes=10).roll
    assert rollout is not None
    assert (rollout.nodes, rollout.waves, rollout.minutes, rollout.slowest) == (0, None, None, None)


def test_sizes_beyond_four_are_counted() -> None:
    sizes = [f"Standard_NC{cores}as_T4_v3" for cores in (4, 8, 16, 64)] + [
        "Standard_NC6s_v3",
        "Standard_NC24ads_A100_v4",
    ]
    named = "spec/template/spec/requirements/0/values"
    before = edited(POOL, {named: [*sizes, "Standard_NC40ads_H100_v5"]})
    change = pool_between([before, CLASS], [edited(before, {named: ["Standard_NC40ads_H100_v5"]}), CLASS])
    assert (change.replaced, " and " in change.reason) == ("some", True)
    fewer = pool_between([POOL, CLASS], [edited(POOL, {named: ["Standard_NC16as_T4_v3"]}), CLASS])
    assert " more " not in fewer.reason


def test_the_replicas_of_a_horizontal_pod_autoscaler() -> None:
    scaler: Body = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "w", "namespace": "web"},
        "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "w"}, "minReplicas": 1, "maxReplicas": 4},
    }
    (change,) = between(
        overlays([scaler], "workloads"), overlays([edited(scaler, {"spec/maxReplicas": 9})], "workloads")
    )
    assert [effect.text for effect in change.effects] == ["replicas 1 to 4 become 1 to 9"]


def test_a_patch_changes_no_layer() -> None:
    patch = "c/workloads/web.w/deployment-w.yaml"
    before, after = (render(patched("Deployment", {"nvidia.com/gpu": count})) for count in (1, 2))
    (change,) = between({**overlays([], "workloads"), patch: before}, {**overlays([], "workloads"), patch: after})
    assert change.steps == ()


@pytest.mark.parametrize(
    ("strategy", "text"),
    [
        (
            {"rollingUpdate": {"maxUnavailable": 2}},
            "its pods restart on every node, 2 at a time, because image changes; no node is replaced",
        ),
        (
            {"type": "RollingUpdate"},
            "its pods restart on every node, 1 at a time, because image changes; no node is replaced",
        ),
        ({"type": "OnDelete"}, "its pods keep running unchanged until they are deleted (OnDelete)"),
    ],
)
def test_how_the_pods_of_a_daemon_set_are_replaced(strategy: dict[str, Any], text: str) -> None:
    labels = {"app": "agent"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "agent", "image": "a:1"}]}}
    spec = {"selector": {"matchLabels": labels}, "updateStrategy": strategy, "template": template}
    before = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "a"},
        "spec": spec,
    }
    after = edited(before, {"spec/template/spec/containers/0/image": "a:2"})
    [change] = between(overlays([before]), overlays([after]))
    assert [effect.text for effect in change.effects] == [text]


def test_a_restart_of_the_mps_daemon_takes_gpus_from_pods() -> None:
    output = emitted(fleet(), cluster(), pool("t4", partition={"mps": {"replicas": 4}}))
    daemon = output.one("DaemonSet", "nvidia-mps-control-daemon-mps-4")
    older = edited(daemon, {"spec/template/spec/containers/0/resources": None})
    [change] = between(overlays([older]), overlays([daemon]))
    restart = "its pods restart on every node, 10% at a time, because resources changes; no node is replaced"
    lost = "running pods that share GPUs with MPS lose them"
    assert [effect.text for effect in change.effects] == [f"{restart}; {lost}"]


def test_files_that_are_the_same_are_not_read() -> None:
    files = {**overlays([POOL, CLASS]), "c/monitoring/odd.yaml": "# from line 1\na: [\n"}
    after = {**overlays([edited(POOL, {"spec/weight": 2}), CLASS]), "c/monitoring/odd.yaml": "# from line 2\na: [\n"}
    [difference] = between(files, after)
    assert [change.object.name for change in difference.changes] == ["NodePool/p"]


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({"a": {"b": 1}}, [("spec.values.a.b", None, 1)]),
        ({"a": 3}, [("spec.values.a", None, 3)]),
        (3, [("spec.values", {}, 3)]),
    ],
)
def test_an_empty_mapping_that_is_filled_is_not_a_field(values: Any, fields: list[Any]) -> None:
    release = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "a"}}
    empty = {**release, "spec": {"values": {}}}
    filled = {**release, "spec": {"values": values}}
    for old, new, turn in ((empty, filled, 1), (filled, empty, -1)):
        (difference,) = between(overlays([old], "controllers"), overlays([new], "controllers"))
        [change] = difference.changes
        assert [(field.path, *(field.before, field.after)[::turn]) for field in change.fields] == fields


def daemon(name: str, *terms: list[Body], image: str = "a:1", part: str = "") -> Body:
    """A DaemonSet with terms of a node affinity, each a list of expressions."""
    place = "spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
    selection = [{"matchExpressions": rules} for rules in terms]
    own = {"metadata/name": f"{name}-{part}" if part else name, place: selection}
    return edited(DAEMON, {**own, "spec/template/spec/containers/0/image": image})


def rule(key: str, *values: str, operator: str = "In") -> Body:
    """An expression of a node affinity."""
    return {"key": key, "operator": operator, "values": list(values)}


def said(before: list[Body], after: list[Body]) -> list[tuple[str, str]]:
    """What a change of these objects does, in a cluster with NodePools p and q, and p has the label team=ml."""
    other = edited(POOL, {"metadata/name": "q", "spec/template/metadata/labels": {}})
    pools = [POOL, other, CLASS]
    [change] = between(overlays([*pools, *before]), overlays([*pools, *after]))
    return [(effect.object, effect.text) for effect in change.effects]


PLUGIN, BY_POOL, OPTED_OUT = "nvidia-device-plugin", "karpenter.sh/nodepool", "nvidia.com/gpu.deploy.operands"
MANAGED = "kubernetes.azure.com/dcgm-exporter"
ROLLED = "1 at a time, because"
END = "; no node is replaced"


@for_each(
    ("before", "after", "text"),
    [
        (
            daemon(PLUGIN, [rule(BY_POOL, "p")]),
            daemon(PLUGIN, [rule(BY_POOL, "p", "q")]),
            f"its pods restart on the nodes of p, {ROLLED} its node affinity names q from now on{END}",
        ),
        (
            daemon(PLUGIN, [rule(BY_POOL, "p", "q")]),
            daemon(PLUGIN, [rule(BY_POOL, "q")]),
            f"its pods restart on the nodes of q, {ROLLED} its node affinity no longer names p{END}",
        ),
        (
            daemon(PLUGIN, [rule(BY_POOL, "p", "q")]),
            daemon(PLUGIN, [rule(BY_POOL, "p", "q")], image="a:2"),
            f"its pods restart on the nodes of p and q, {ROLLED} image changes{END}",
        ),
        (
            daemon(PLUGIN, [rule("team", "ml")]),
            daemon(PLUGIN, [rule("team", "ml"), rule(BY_POOL, "q", operator="NotIn")], image="a:2"),
            f"its pods restart on the nodes of p, {ROLLED} its node affinity names q from now on, and image changes"
            + END,
        ),
        (
            daemon("mine", [rule("other", "a")]),
            daemon("mine", [rule("other", "a")], image="a:2"),
            f"its pods restart on every node, {ROLLED} image changes{END}",
        ),
    ],
)
def test_pods_of_a_daemon_set_restart_on_nodes_of_pools_for_a_reason(before: Body, after: Body, text: str) -> None:
    assert said([before], [after]) == [(f"DaemonSet/gpu/{before['metadata']['name']}", text)]


def test_a_daemon_set_takes_over_nodes_of_another_one_of_its_software() -> None:
    of_p, of_q = (
        daemon(PLUGIN, [rule(BY_POOL, "p")], part="pool-p"),
        daemon(PLUGIN, [rule(BY_POOL, "q")], part="pool-q"),
    )
    both, by_label = daemon(PLUGIN, [rule(BY_POOL, "p", "q")]), daemon(PLUGIN, [rule("team", "ml")])
    other = daemon("dcgm-exporter", [rule(BY_POOL, "p", "q")])
    place = f"its pods take the place of those of {PLUGIN} on the nodes of q"
    texts = said([both, other], [by_label, of_q, other])
    assert (f"DaemonSet/gpu/{PLUGIN}-pool-q", place) in texts
    back = said([by_label, of_q, other], [both, other])
    assert (f"DaemonSet/gpu/{PLUGIN}", f"its pods take the place of those of {PLUGIN}-pool-q on the nodes of q") in back
    assert said([of_q], [of_q, of_p]) == []


def test_a_switch_of_the_selection_says_once_that_other_nodes_are_taken_in() -> None:
    names = [daemon(name, [rule(BY_POOL, "p", "q")]) for name in (PLUGIN, "dcgm-exporter")]
    labels = [daemon(name, [rule(OPTED_OUT, "false")]) for name in (PLUGIN, "dcgm-exporter")]
    own_names = [daemon("mine", [rule(BY_POOL, "p", "q")])]
    own_labels = [daemon("mine", [rule(OPTED_OUT, "false")])]
    for before, after, start in (
        (
            names,
            labels,
            ["nodes are selected by labels from now on: each DaemonSet restarts once, and also runs on other"],
        ),
        (
            labels,
            names,
            ["nodes are selected by the names of pools from now on: each DaemonSet restarts once, and leaves"],
        ),
        (names, names[:1], []),
        ([], labels, []),
        (labels, [], []),
        (own_names, own_labels, []),
    ):
        texts = [text for name, text in said(before, after) if name == "stack.nodeSelection"]
        assert [text.startswith(first) for text, first in zip(texts, start, strict=True)] == [True] * len(start)
        assert all(f"`kubectl get nodes -l {OPTED_OUT}=false,{MANAGED}!=enabled -L " in text for text in texts)


def test_an_operator_restarts_what_its_policy_configures() -> None:
    terms = "spec/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
    policy: Body = {
        "apiVersion": "mellanox.com/v1alpha1",
        "kind": "NicClusterPolicy",
        "metadata": {"name": "nic-cluster-policy"},
    }
    label, nodepool = "feature.node.kubernetes.io/gitgpu-infiniband", "karpenter.sh/nodepool"
    present = {"key": "feature.node.kubernetes.io/pci-15b3.present", "operator": "In", "values": ["true"]}
    by_name = [{"matchExpressions": [{"key": nodepool, "operator": "In", "values": ["h100"]}, present]}]
    by_label = [{"matchExpressions": [{"key": label, "operator": "In", "values": ["true"]}, present]}]
    excluded = [
        {
            "matchExpressions": [
                *by_label[0]["matchExpressions"],
                {"key": nodepool, "operator": "NotIn", "values": ["a"]},
            ]
        }
    ]
    restarts, *switched = effects(edited(policy, {terms: by_name}), {terms: by_label})
    assert "stays as it is" in restarts
    assert [label in text for text in switched] == [True]
    assert effects(edited(policy, {terms: by_label}), {terms: excluded}) == [restarts]
    assert effects(edited(policy, {terms: by_label}), {terms: by_name}) == [restarts]
    config: Body = {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "metadata": {"name": "amd"}}
    [text] = effects(config, {"spec/devicePlugin/devicePluginTolerations": [{"operator": "Exists"}]})
    assert "restarts the pods" in text


def test_a_device_plugin_that_does_not_wait_for_another_has_to_restart() -> None:
    """The kubelet takes the end of the old one for that of the new one, which does not register again."""
    amd = pool("amd", "Standard_ND96isr_MI300X_v5", driver="none", devicePlugin=True)

    def built(selection: str, engine: str = "flux") -> list[Body]:
        own = cluster(stack={"nodeSelection": selection})
        output = emitted(fleet(delivery={"engine": engine}), own, amd)
        return [dict(body) for body in output.every("DaemonSet")]

    by_name, by_label = built("pools"), built("labels")
    place = "spec/template/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
    elsewhere = [{"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["other"]}]}]
    named_else = [edited(body, {place: elsewhere}) for body in by_name]
    assert overlaps(by_name, by_label) == []
    [text] = overlaps(built("pools", "argocd"), built("labels", "argocd"))
    assert "`kubectl delete daemonset/amd-device-plugin --namespace gpu-resources`" in text
    [text] = overlaps(by_label, by_name)
    assert "before those of amd-device-plugin-pool-amd end" in text
    assert "daemonset/amd-device-plugin --namespace gpu-resources`" in text
    assert overlaps([], by_name) == overlaps(by_name, []) == overlaps(by_label, named_else) == []
    of_nvidia = [edited(body, {"metadata/name": "nvidia-device-plugin"}) for body in by_name]
    assert overlaps(by_label, of_nvidia) == []


def overlaps(before: list[Body], after: list[Body]) -> list[str]:
    """The effects on device plugins that start before others end, or wait for these."""
    (change,) = between(overlays(before, "controllers"), overlays(after, "controllers"))
    return [effect.text for effect in change.effects if "kubectl" in effect.text]
