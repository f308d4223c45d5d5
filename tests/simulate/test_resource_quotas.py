"""Teams without Kueue: what they use of the ResourceQuotas of their namespaces, and whose pods are refused."""

import pytest
import yaml

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import of_fleet
from gitgpu.runs.validate import link_fleet
from gitgpu.simulate.forecast import Forecast, Price
from tests.helping.cases import for_each
from tests.simulate.test_fleet_forecasts import GIVEN
from tests.simulate.worlds import Body, deployment

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: gpu}
spec: {delivery: {repository: "https://github.com/contoso/gpu-fleet"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod], sku: Standard_NC96ads_A100_v4, limits: {gpus: 32}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuTeam
metadata: {name: research}
spec: {namespaces: [research, vision], quota: [{pool: a100, gpus: 5}]}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuTeam
metadata: {name: batch}
spec: {namespaces: [batch], quota: [{pool: a100, gpus: 4}]}
"""


def forecast(*bodies: Body, fleet: str = FLEET) -> Forecast:
    text = yaml.safe_dump_all(bodies)
    inputs = link_fleet([Text("fleet.yaml", fleet, "fleet.yaml")]).inputs
    assert inputs
    [found] = of_fleet(inputs, inputs.clusters, read_manifests([Text("apps.yaml", text, "apps.yaml")]), GIVEN)
    return found


def work(name: str, space: str, pods: int, gpus: int = 1) -> Body:
    body = deployment(name, pods, limits={"nvidia.com/gpu": str(gpus)})
    body["metadata"]["namespace"] = space
    return body


@for_each(
    ("bodies", "used"),
    [
        ([], 0),
        ([work("a", "research", 3), work("b", "vision", 2)], 5),
        ([work("a", "research", 7), work("b", "vision", 2)], 7),
        ([work("a", "research", 3, gpus=2)], 4),
        ([work("a", "research", 3, gpus=2), work("b", "research", 1)], None),
        ([work("a", "other", 3)], 0),
    ],
)
def test_what_a_team_uses_in_all_its_namespaces(bodies: list[Body], used: int | None) -> None:
    uses = {use.team: use for use in forecast(*bodies).teams}
    assert list(uses) == ["batch", "research"]
    own = uses["research"]
    assert (own.flavor, own.resource, own.quota, own.used) == ("", "nvidia.com/gpu", 10, used)
    assert (own.borrowed, own.lent, uses["batch"].used) == (0, 0, 0)


CLASS = "gpu.nvidia.com"
DEVICES = FLEET.replace('kubernetesVersion: "1.36"}', 'kubernetesVersion: "1.36", stack: {allocation: dra}}')


def template(name: str, space: str, *requests: Body, kind: str = "ResourceClaimTemplate") -> Body:
    devices = {"devices": {"requests": [{"name": f"r{index}", **each} for index, each in enumerate(requests)]}}
    spec = {"spec": devices} if kind == "ResourceClaimTemplate" else devices
    metadata = {"name": name, "namespace": space}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}


def exactly(count: int = 1, **more: object) -> Body:
    return {"exactly": {"deviceClassName": CLASS, "count": count, **more}}


def claiming(name: str, space: str, pods: int, of: str) -> Body:
    body = deployment(name, pods, gpus=0)
    body["metadata"]["namespace"] = space
    spec = body["spec"]["template"]["spec"]
    spec["resourceClaims"] = [{"name": "gpus", "resourceClaimTemplateName": of}]
    spec["containers"][0]["resources"] = {"claims": [{"name": "gpus"}]}
    return body


DOMAIN: Body = {
    "apiVersion": "resource.nvidia.com/v1beta1",
    "kind": "ComputeDomain",
    "metadata": {"name": "a", "namespace": "research"},
    "spec": {"numNodes": 1, "channel": {"resourceClaimTemplate": {"name": "channel"}}},
}
ONE_OR_TWO = {"firstAvailable": [{"name": f"c{n}", "deviceClassName": CLASS, "count": n} for n in (1, 2)]}


@for_each(
    ("bodies", "used"),
    [
        ([], 0),
        ([template("two", "research", exactly(2)), claiming("a", "research", 2, "two")], 4),
        ([template("two", "vision", exactly(1), exactly()), claiming("a", "vision", 2, "two")], 4),
        ([template("one", "research", ONE_OR_TWO), claiming("a", "research", 1, "one")], 2),
        ([template("two", "research", exactly(2)), claiming("a", "research", 3, "two")], 4),
        ([template("own", "research", exactly(3), kind="ResourceClaim")], 3),
        ([claiming("a", "research", 1, "absent")], None),
        ([template("two", "web", exactly(2)), claiming("a", "web", 2, "two")], 0),
        ([DOMAIN, claiming("a", "research", 1, "channel")], 0),
    ],
)
def test_what_a_team_claims_of_a_device_class(bodies: list[Body], used: int | None) -> None:
    """An alternative counts with its most devices, as Kubernetes counts it."""
    [own] = [use for use in forecast(*bodies, fleet=DEVICES).teams if use.team == "research"]
    assert (own.resource, own.quota, own.used) == (CLASS, 10, used)


def test_claims_beyond_a_quota_of_devices_are_a_doubt() -> None:
    bodies = [template("two", "research", exactly(2)), claiming("a", "research", 3, "two")]
    [one] = forecast(*bodies, fleet=DEVICES).verdicts
    excess = "the ResourceQuota research allows 5 gpu.nvidia.com, and Deployment a requests 6"
    assert excess in [doubt.message.partition(":")[0] for doubt in one.doubts]


def test_a_team_pays_for_its_own_pods_unless_some_are_refused() -> None:
    found = forecast(work("a", "research", 3), work("b", "batch", 4))
    prices = {use.team: use.price.exact for use in found.teams}
    assert prices == {
        verdict.team: pytest.approx(verdict.high.price) for verdict in found.verdicts if verdict.high.price
    }
    [price] = [use.price for use in forecast(work("a", "research", 6)).teams if use.team == "research"]
    assert price == Price(None, None)


def test_pods_beyond_a_quota_are_a_doubt_with_the_amounts() -> None:
    [one, two] = forecast(work("a", "research", 6), work("b", "vision", 5)).verdicts
    excess = "the ResourceQuota research allows 5 nvidia.com/gpu, and Deployment a requests 6"
    assert [doubt.message.partition(":")[0] for doubt in one.doubts] == [excess]
    assert [doubt.message for doubt in two.doubts] == ["the ResourceQuota research may change or reject the pod"]
