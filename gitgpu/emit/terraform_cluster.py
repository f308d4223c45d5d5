"""What Azure must provide for a cluster and its alerts, as resources of Terraform's provider azapi.

`azapi_update_resource` changes only the properties that it has, and leaves the cluster as it is when it is removed.
`azapi_resource_action` sends its request once, when it is created.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from gitgpu.emit.alert_groups import TYPE as ALERTS
from gitgpu.emit.alert_groups import References, alert_groups
from gitgpu.emit.azure_cluster import TYPE
from gitgpu.emit.bicep import Code
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.plan.decided.cluster import ClusterPlan, Prerequisite

Blocks: TypeAlias = dict[str, dict[str, Any]]  # resources by type and name
_FEATURES = "Microsoft.Features/featureProviders"
_FEATURE = f"{_FEATURES}/subscriptionFeatureRegistrations"
_FEATURE_API = "2021-07-01"
_EXTENSION = "Microsoft.KubernetesConfiguration/extensions@2023-05-01"
_ACTIONS = Code("${[for id in var.action_groups : { actionGroupId = id }]}")
_REFERENCES = References(Code("${var.workspace_region}"), Code("${var.workspace}"), _ACTIONS)


def settings(plan: ClusterPlan, cluster: str) -> Blocks:
    """The features, settings and extensions of a cluster; `cluster` is the text that stands for its resource ID."""
    found: Blocks = {}
    features = {f"feature_{name}": _feature(plan, name) for name in _features(plan)}
    if features:
        found["azapi_resource_action"] = features
    waits = {"depends_on": [f"azapi_resource_action.{name}" for name in features]} if features else {}
    if properties := _properties(plan):
        api = max(prerequisite.api for prerequisite in plan.prerequisites)
        body = {"type": f"{TYPE}@{api}", "resource_id": cluster, "body": {"properties": properties}}
        found["azapi_update_resource"] = {"settings": {**body, "locks": [cluster], **waits}}
    extensions = dict(_extensions(plan, cluster))
    if extensions:
        found["azapi_resource"] = extensions
    return found


def is_in_terraform(prerequisite: Prerequisite) -> bool:
    """Whether Terraform can provide it: a registered feature, a property of the cluster, or an extension."""
    return bool(prerequisite.feature or prerequisite.properties or prerequisite.extension)


def alerts(plan: ClusterPlan, group: str) -> dict[str, Any]:
    """The rule groups by the names of their resources; `group` stands for the ID of their resource group."""
    found: dict[str, Any] = {}
    for number, body in alert_groups(plan, _REFERENCES):
        found[f"gpu_alerts{number}"] = {
            "type": ALERTS,
            "parent_id": group,
            "name": body["name"],
            "location": body["location"],
            "body": {"properties": body["properties"]},
        }
    return found


def alert_variables(plan: ClusterPlan) -> dict[str, Any]:
    """The variables of the rule groups. The workspace has a default if the spec names it."""
    workspace = plan.cluster.stack.metrics.workspace
    default = {"default": workspace} if workspace else {}
    return {
        "workspace": {"type": "string", "description": "The ID of the Azure Monitor workspace.", **default},
        "workspace_region": {"type": "string", "description": "The region of the workspace."},
        "action_groups": {"type": "list(string)", "description": "IDs of action groups for alerts.", "default": []},
    }


def _features(plan: ClusterPlan) -> Iterator[str]:
    return (prerequisite.feature for prerequisite in plan.prerequisites if prerequisite.feature)


def _feature(plan: ClusterPlan, name: str) -> dict[str, Any]:
    azure = plan.cluster.azure
    subscription = azure.subscription if azure else "${data.azapi_client_config.current.subscription_id}"
    provider = f"/subscriptions/{subscription}/providers/{_FEATURES}/Microsoft.ContainerService"
    return {
        "type": f"{_FEATURE}@{_FEATURE_API}",
        "resource_id": f"{provider}/subscriptionFeatureRegistrations/{name}",
        "method": "PUT",
        "body": {"properties": {}},
    }


def _properties(plan: ClusterPlan) -> Mapping[str, Any]:
    merged: Mapping[str, Any] = {}
    for prerequisite in plan.prerequisites:
        merged = merge_patch(merged, prerequisite.properties)
    return merged


def _extensions(plan: ClusterPlan, cluster: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The extensions, from the options of `az k8s-extension create`."""
    for prerequisite in plan.prerequisites:
        words = prerequisite.extension
        options = dict(zip(words[::2], words[1::2], strict=True))
        if options:
            scope = {options["--scope"]: {"releaseNamespace": options["--release-namespace"]}}
            properties = {"extensionType": options["--extension-type"], "scope": scope}
            name = options["--name"]
            resource = {"type": _EXTENSION, "parent_id": cluster, "name": name, "body": {"properties": properties}}
            yield f"extension_{name}", {**resource, "locks": [cluster]}
