"""A plan names every chart and image that gets another version, whoever installs it and wherever it comes from."""

import pytest

from gitgpu.compare import Both, Known, compared
from gitgpu.conform.schema.contract import Contracts
from gitgpu.front import validated
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.pipeline import build
from tests.adopt.test_running_versions import OLDER, spec_of

KNOWN = Known(catalog(()), Contracts(Schemas()))
REGISTRY = "spec: {registry: {mirror: contoso.azurecr.io/mirror, charts: 'oci://contoso.azurecr.io/charts'}, delivery:"


def files(spec: str) -> dict[str, str]:
    """What a fleet builds."""
    made = build((), (), list, lambda *_: validated([Text("fleet.yaml", spec, "fleet.yaml")]))
    assert made.errors == ()
    return dict(made.files)


def steps(before: str, after: str) -> list[tuple[str, str, str]]:
    """The changes of version between two specs of one cluster."""
    found, faults = compared(Both(files(before), files(after), "", {"prod": "swedencentral"}), KNOWN)
    assert faults == []
    return [each[:3] for cluster in found for each in cluster.transitions]


@pytest.mark.parametrize("engine", ["flux", "argocd"])
@pytest.mark.parametrize(("fleet", "software", "version"), OLDER)
def test_every_pin_that_changes_is_named(fleet: str, software: str, version: str, engine: str) -> None:
    older, newest = (spec_of(fleet, pins, engine=engine) for pins in (f"{{{software}: {version!r}}}", "{}"))
    last = list(KNOWN.catalog.versions(software))[-1]
    assert steps(older, newest) == [(software, version, last)]
    assert steps(newest, older) == [(software, last, version)]


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_in_your_own_registry(engine: str) -> None:
    pins = "{keda: 2.19.0, nvidia-device-plugin: v0.18.2, dcgm-exporter: 4.4.1-4.6.0-distroless}"
    older, newest = (
        spec_of("aks", text, engine=engine).replace("spec: {delivery:", REGISTRY).replace("gfd", "gfd, keda: helm")
        for text in (pins, "{}")
    )
    assert [name for name, _, _ in steps(older, newest)] == ["dcgm-exporter", "keda", "nvidia-device-plugin"]
    with_mirror = newest
    without = newest.replace(REGISTRY, "spec: {delivery:")
    assert steps(without, with_mirror) == []


def test_software_that_comes_or_goes_has_no_transition() -> None:
    spec = spec_of("aks", "{}")
    assert steps(spec, spec.replace("gfd", "gfd, keda: helm")) == []
    assert steps(spec.replace("gfd", "gfd, keda: helm"), spec) == []
