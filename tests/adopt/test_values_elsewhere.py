"""Values of a release that are not in its own object: an import keeps them, or leaves the release to its owner."""

import json
from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.test_first_build import nodes
from tests.adopt.test_running_rows import OPTIONS, imported, pins, running
from tests.helping.cases import for_each
from tests.inventory.reading import read

OWN = {"watchNamespace": "own"}
APPLICATION: dict[str, Any] = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Application",
    "metadata": {"name": "keda", "namespace": "argocd"},
    "spec": {
        "project": "default",
        "destination": {"server": "https://kubernetes.default.svc", "namespace": "keda"},
        "source": {"repoURL": "https://kedacore.github.io/charts", "chart": "keda", "targetRevision": "2.19.0"},
    },
}


def config_map(name: str, data: dict[str, str], namespace: str = "keda") -> str:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}, "data": data}
    return f"\n---\n{json.dumps(body)}\n"


def taken(*sources: dict[str, Any]) -> str:
    """KEDA in a known version, with values of its own and from these sources."""
    return nodes() + running("keda", "2.19.0", OWN, valuesFrom=[{"kind": "ConfigMap", **source} for source in sources])


def application(helm: dict[str, Any]) -> str:
    source = {**APPLICATION["spec"]["source"], "helm": helm}
    return f"{nodes()}\n---\n{json.dumps({**APPLICATION, 'spec': {**APPLICATION['spec'], 'source': source}})}\n"


def values(made: Imported) -> dict[str, Any]:
    [cluster] = [entry.document for entry in made.adopted.documents if entry.document.name == "c0"]
    return dict(cluster.spec["stack"].get("values", {}).get("keda", {}))


def why_left(made: Imported) -> str:
    assert pins(made) == {}
    kinds = ("HelmRelease", "Application")
    outcomes = [outcome for outcome in made.adopted.outcomes if outcome.observed.body.get("kind") in kinds]
    [left] = [outcome.reason for outcome in outcomes if outcome.fate is Fate.LEFT]
    return left


def test_config_maps_of_the_input_are_merged_in_order_below_its_own() -> None:
    first = {"watchNamespace": "first", "operator": {"replicaCount": 2, "name": "first"}}
    second = {"operator": {"replicaCount": 3}}
    made = imported(
        taken({"name": "first"}, {"name": "second", "valuesKey": "more.yaml"})
        + config_map("first", {"values.yaml": yaml.safe_dump(first)})
        + config_map("second", {"more.yaml": yaml.safe_dump(second)})
    )
    assert values(made) == {"watchNamespace": "own", "operator": {"replicaCount": 3, "name": "first"}}
    assert pins(made) == {"keda": "2.19.0"}


def test_an_unknown_version_with_values_from_a_config_map_gets_a_row() -> None:
    release = running("keda", "2.16.1", {}, valuesFrom=[{"kind": "ConfigMap", "name": "more"}])
    made = imported(nodes() + release + config_map("more", {"values.yaml": "watchNamespace: serving"}))
    assert (pins(made), values(made)) == ({"keda": "2.16.1"}, {"watchNamespace": "serving"})
    assert list(made.rows) == ["releases/keda-2.16.1.yaml"]


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("true", True), ("03", "03"), ("serving", "serving")])
def test_one_value_at_a_path_has_the_type_that_helm_gives_it(text: str, value: Any) -> None:
    source = {"name": "one", "valuesKey": "count", "targetPath": "operator.replicaCount"}
    made = imported(taken(source) + config_map("one", {"count": text}))
    assert values(made) == {**OWN, "operator": {"replicaCount": value}}


@for_each(
    ("source", "objects"),
    [
        ({"name": "absent"}, ""),
        ({"name": "absent", "optional": True}, ""),
        ({"name": "more", "valuesKey": "other.yaml"}, config_map("more", {"values.yaml": "a: 1"})),
        ({"name": "more"}, config_map("more", {"values.yaml": "a: 1"}, "default")),
        ({"name": "more"}, config_map("more", {"values.yaml": "[no mapping"})),
        ({"name": "one", "valuesKey": "a", "targetPath": "list[0].a"}, config_map("one", {"a": "1"})),
        ({"name": "one", "valuesKey": "a", "targetPath": "a.b"}, config_map("one", {"a": "{1,2}"})),
    ],
)
def test_what_the_input_does_not_say_leaves_the_release_to_its_owner(source: dict[str, Any], objects: str) -> None:
    made = imported(taken(source) + objects)
    assert "its values come from ConfigMap" in why_left(made)
    assert "helm status" in why_left(made)


def test_a_secret_is_never_read() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "more", "namespace": "keda"}}
    body = json.dumps({**secret, "stringData": {"values.yaml": "watchNamespace: hidden"}})
    release = running("keda", "2.19.0", OWN, valuesFrom=[{"kind": "Secret", "name": "more"}])
    made = imported(f"{nodes()}{release}\n---\n{body}")
    assert "its values come from Secret more" in why_left(made)
    assert "hidden" not in "".join(made.files.values())


def test_what_helm_status_prints_has_all_values() -> None:
    status = {
        "name": "keda",
        "namespace": "keda",
        "info": {"status": "deployed"},
        "chart": {"metadata": {"name": "keda", "version": "2.19.0"}},
        "config": {"watchNamespace": "own", "operator": {"replicaCount": 3}},
    }
    made = import_fleet(
        read(taken({"name": "absent"}), json.dumps(status)), OPTIONS._replace(cluster="c0"), (), "fleet"
    )
    assert values(made) == {"watchNamespace": "own", "operator": {"replicaCount": 3}}


def test_parameters_of_an_application_go_over_its_values() -> None:
    parameters = [
        {"name": "operator.replicaCount", "value": "3"},
        {"name": "image.keda.tag", "value": "219", "forceString": True},
    ]
    helm = {"valuesObject": {"operator": {"replicaCount": 2}, **OWN}, "parameters": parameters}
    made = imported(application(helm))
    assert values(made) == {**OWN, "operator": {"replicaCount": 3}, "image": {"keda": {"tag": "219"}}}


@pytest.mark.parametrize(
    "helm",
    [
        {"valuesObject": OWN, "valueFiles": ["prod.yaml"]},
        {"valuesObject": OWN, "fileParameters": [{"name": "a", "path": "a.txt"}]},
        {"valuesObject": OWN, "parameters": [{"name": "a[0]", "value": "1"}]},
    ],
)
def test_an_application_with_other_values_stays_with_its_owner(helm: dict[str, Any]) -> None:
    made = imported(application(helm))
    assert "set all in valuesObject and import again" in why_left(made)
