"""Placeholders that must be replaced before an object is applied, and text that only looks like one."""

from typing import Any

import pytest

from gitgpu.objects.manifest.placeholders import VAULT, Placeholder, first_placeholder, may_have_placeholder
from tests.helping.cases import for_each


def deployment(**spec: Any) -> dict[str, Any]:
    """A Deployment with a spec."""
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}


@for_each(
    ("text", "action"),
    [
        ("$NAME", False),
        ("${NAME}", False),
        ("${NAME:-none}", False),
        ("<your-name>", False),
        ("<<name>>", False),
        ("__NAME__", False),
        ("{{ .Values.name }}", True),
        ("{% if x %}", True),
        ("<%= name %>", True),
        ("<path:kv/data/app#name>", True),
        ("<secret:app~name>", True),
        ("<vault:kv/app~name>", True),
        ("<note: your name>", False),
    ],
)
def test_a_field_that_has_to_be_replaced(text: str, action: bool) -> None:
    assert first_placeholder(deployment(strategy=text)) == Placeholder(("spec", "strategy"), text, action)
    assert may_have_placeholder(text)


@for_each("api_version", ["apps/v1", "serving.example.com/v1"])
@for_each(
    ("image", "found"),
    [("<registry>.azurecr.io/chat:1.4", True), ("contoso.azurecr.io/chat:<tag>", True), ("contoso/chat:a<b", False)],
)
def test_a_part_of_an_image(api_version: str, image: str, *, found: bool) -> None:
    body = {**deployment(containers=[{"image": image}]), "apiVersion": api_version}
    place = ("spec", "containers", 0, "image")
    assert first_placeholder(body) == (Placeholder(place, image, action=False) if found else None)


@pytest.mark.parametrize(
    ("text", "found"),
    [("/subscriptions/<subscription-id>/a", True), ("/paths/<id>/a", False), ("/subscriptions/a", False)],
)
def test_a_part_of_the_id_of_an_azure_resource(text: str, *, found: bool) -> None:
    assert (first_placeholder(deployment(subnet=text)) is not None) == found


@pytest.mark.parametrize(("text", "action"), [("<name>", True), ("$NAME", False)])
def test_with_an_annotation_a_plugin_of_argo_cd_replaces_words(text: str, action: bool) -> None:
    body = deployment(strategy=text)
    body["metadata"]["annotations"] = {VAULT: "kv/data/app"}
    assert first_placeholder(body) == Placeholder(("spec", "strategy"), text, action)
    body["metadata"]["annotations"] = None
    assert first_placeholder(body) == Placeholder(("spec", "strategy"), text, action=False)


@for_each("text", ["", "web", "a $NAME b", "$(NAME)", "$1", "<=5", "a<b>c", "__init__", "{name}", "_"])
def test_a_field_without_a_placeholder(text: str) -> None:
    assert first_placeholder(deployment(strategy=text)) is None


@for_each(
    "key",
    [
        "additionalPrinterColumns", "args", "command", "description", "expression", "fileParameters", "formula",
        "jsonnet", "kustomize", "message", "messageExpression", "openAPIV3Schema", "parameters", "patch", "patches",
        "plugin", "query", "releaseName", "substitute", "valueFiles",
    ],
)  # fmt: skip
def test_a_field_in_a_language_of_its_own_is_not_reported(key: str) -> None:
    assert first_placeholder(deployment(template={key: ["$NAME"]})) is None


@for_each("key", ["annotations", "args", "command", "data", "env", "stringData", "valuesObject"])
def test_a_text_where_a_mapping_or_a_list_belongs(key: str) -> None:
    placeholder = first_placeholder(deployment(template={key: "${ALL}"}))
    assert placeholder == Placeholder(("spec", "template", key), "${ALL}", action=False)


@for_each("key", ["annotations", "binaryData", "data", "env", "stringData", "values", "valuesObject"])
def test_a_mapping_of_texts_for_others_is_not_reported(key: str) -> None:
    assert first_placeholder(deployment(template={key: {"name": "$NAME"}})) is None


def test_a_text_where_a_text_belongs() -> None:
    assert first_placeholder(deployment(query="${ENV}", description="${ENV}")) is None


@pytest.mark.parametrize(("kind", "key"), [("ConfigMap", "data"), ("Secret", "data"), ("Secret", "stringData")])
def test_a_key_of_data_that_is_an_action(kind: str, key: str) -> None:
    body = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "c"}, key: {"{{ name }}": "a"}}
    assert first_placeholder(body) == Placeholder((key, "{{ name }}"), "{{ name }}", action=True)
    assert first_placeholder({**body, key: {"name": "{{ name }}"}}) is None
    assert first_placeholder(deployment(template={"valuesObject": {"{{ name }}": "a"}})) is None


def test_the_values_of_a_requirement_are_not_chart_values() -> None:
    requirement = {"key": "zone", "operator": "In", "values": ["${ZONE}"]}
    placeholder = first_placeholder(deployment(requirements=[requirement]))
    assert placeholder == Placeholder(("spec", "requirements", 0, "values", 0), "${ZONE}", action=False)
    assert first_placeholder(deployment(values={"zone": "${ZONE}"})) is None


@for_each(
    ("name", "action"),
    [
        ("web-${STAGE}", False),
        ("$STAGE", False),
        ("<your name>", False),
        ("FILLED BY CI", False),
        ("{{ name }}", True),
        ("#{Name}", True),
    ],
)
@for_each("key", ["name", "namespace", "generateName"])
def test_a_name_in_any_kind(key: str, name: str, action: bool) -> None:
    for version in ("argoproj.io/v1alpha1", "example.com/v1", "v1"):
        body = {"apiVersion": version, "kind": "Thing", "metadata": {key: name}}
        assert first_placeholder(body) == Placeholder(("metadata", key), name, action)


def test_pods_of_other_kinds() -> None:
    body = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}
    pod = {"spec": {"template": {"image": "$IMAGE", "other": "$OTHER"}}}
    assert first_placeholder({**body, **pod}) == Placeholder(("spec", "template", "image"), "$IMAGE", action=False)
    account = {"spec": {"serviceAccountName": "${ACCOUNT}"}}
    assert first_placeholder({**body, **account}) is not None
    assert first_placeholder({**body, "spec": {"image": "{{ image }}", "other": "$OTHER"}}) is None
    filled = {**body, "apiVersion": "kyverno.io/v1", **pod}
    assert first_placeholder(filled) is None


def test_fields_of_an_application_and_of_groups_of_kubernetes() -> None:
    for version, kind in (("argoproj.io/v1alpha1", "Application"), ("networking.k8s.io/v1", "Ingress"), ("v1", "Pod")):
        body = {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": {"path": "${PATH}"}}
        assert first_placeholder(body) == Placeholder(("spec", "path"), "${PATH}", action=False)
    workflow = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "metadata": {}, "spec": {"path": "${PATH}"}}
    assert first_placeholder(workflow) is None


@for_each(
    "group",
    [
        "amd.com", "apps", "autoscaling", "batch", "containerservice.azure.com", "extensions", "helm.toolkit.fluxcd.io",
        "kaito.sh", "karpenter.azure.com", "karpenter.sh", "keda.sh", "kueue.x-k8s.io", "kustomize.toolkit.fluxcd.io",
        "mellanox.com", "nvidia.com", "policy", "resource.nvidia.com", "source.toolkit.fluxcd.io",
    ],
)  # fmt: skip
def test_every_field_of_a_well_known_group_is_searched(group: str) -> None:
    body = {"apiVersion": f"{group}/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"size": "${SIZE}"}}
    assert first_placeholder(body) == Placeholder(("spec", "size"), "${SIZE}", action=False)
    assert first_placeholder({**body, "apiVersion": f"{group}.example.com/v1"}) is None


@for_each(
    "group",
    [
        "argoproj.io", "platform.crossplane.io", "kro.run", "template.openshift.io", "core.oam.dev",
        "fluxcd.controlplane.io", "kyverno.io",
    ],
)  # fmt: skip
def test_the_controllers_of_some_groups_replace_variables_themselves(group: str) -> None:
    pod = {"template": {"image": "${IMAGE}"}}
    body = {"apiVersion": f"{group}/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": pod}
    assert first_placeholder(body) is None
    assert first_placeholder({**body, "apiVersion": f"{group}.example.com/v1"}) is not None


def test_json_without_line_breaks_is_searched_once() -> None:
    """An export of a large cluster is one line: were each name searched up to its end, this would take minutes."""
    names = ", ".join(f'{{"name": "c{number}", "namespace": "d"}}' for number in range(30_000))
    assert not may_have_placeholder(f'{{"items": [{names}]}}')
    assert may_have_placeholder(f'{{"items": [{names}, {{"name": "chat-..."}}]}}')
