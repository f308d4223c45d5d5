"""A key that belongs to a related kind is reported with its right place."""

import pytest

from gitgpu.objects.validation.related_kinds import Home, sibling
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, shared_norms


@for_each(
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
    assert sibling(shared_norms().contracts, KUBERNETES, ("v1", kind), key) == Home(other, place)


@pytest.mark.parametrize(
    ("kind", "key"), [("NodePool", "noSuchKey"), ("Pod", "osDiskSizeGB"), ("ServiceMonitor", "spec")]
)
def test_a_key_that_no_related_kind_has(kind: str, key: str) -> None:
    assert sibling(shared_norms().contracts, KUBERNETES, ("v1", kind), key) is None


def test_no_place_is_suggested_for_a_key_with_several_places() -> None:
    assert sibling(shared_norms().contracts, KUBERNETES, ("v1", "PodMonitor"), "name") is None


def test_the_related_kind_is_one_of_the_same_group() -> None:
    for group, expected in (("monitoring.coreos.com", "spec.extraScrapeMetrics"), ("azmonitoring.coreos.com", "")):
        home = sibling(shared_norms().contracts, KUBERNETES, (f"{group}/v1", "PodMonitor"), "extraScrapeMetrics")
        assert (home.place if home else "") == expected
