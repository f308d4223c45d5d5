"""A key that a related kind has is reported with the place where it belongs."""

import pytest

from gitgpu.conform.schema.related_kinds import Home, sibling
from tests.conform.samples import KUBERNETES, shared_norms


@pytest.mark.parametrize(
    ("kind", "key", "other", "place"),
    [
        ("NodePool", "osDiskSizeGB", "AKSNodeClass", "spec.osDiskSizeGB"),
        ("NodeClaim", "osDiskSizeGB", "AKSNodeClass", "spec.osDiskSizeGB"),
        ("AKSNodeClass", "consolidateAfter", "NodePool", "spec.disruption.consolidateAfter"),
        ("ScaledObject", "jobTargetRef", "ScaledJob", "spec.jobTargetRef"),
        ("ScaledObject", "azureKeyVault", "TriggerAuthentication", "spec.azureKeyVault"),
        ("ScaledJob", "cooldownPeriod", "ScaledObject", "spec.cooldownPeriod"),
        ("ScaledJob", "azureKeyVault", "TriggerAuthentication", "spec.azureKeyVault"),
        ("ServiceMonitor", "podMetricsEndpoints", "PodMonitor", "spec.podMetricsEndpoints"),
        ("PodMonitor", "endpoints", "ServiceMonitor", "spec.endpoints"),
        ("ClusterPolicy", "driverType", "NVIDIADriver", "spec.driverType"),
        ("NVIDIADriver", "devicePlugin", "ClusterPolicy", "spec.devicePlugin"),
    ],
)
def test_the_kind_that_has_a_key(kind: str, key: str, other: str, place: str) -> None:
    assert sibling(shared_norms().contracts, KUBERNETES, kind, key) == Home(other, place)


@pytest.mark.parametrize(
    ("kind", "key"), [("NodePool", "noSuchKey"), ("Pod", "osDiskSizeGB"), ("ServiceMonitor", "spec")]
)
def test_a_key_that_no_related_kind_has(kind: str, key: str) -> None:
    assert sibling(shared_norms().contracts, KUBERNETES, kind, key) is None


def test_a_key_in_several_places_has_no_home() -> None:
    assert sibling(shared_norms().contracts, KUBERNETES, "PodMonitor", "name") is None
