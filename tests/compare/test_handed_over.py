"""Node pools that change their form: the object of Azure Service Operator, a page, or Terraform."""

from typing import Any

import pytest

from gitgpu.compare import ClusterChange
from gitgpu.emit.pages import node_pools_bicep, node_pools_commands, terraform
from tests.compare.sides import between
from tests.emit.fleets import CLUSTER_ID, Body, cluster, emitted, fleet, plans, pool
from tests.helping.cases import for_each

FORMS = {"az": node_pools_commands.PAGE, "bicep": node_pools_bicep.PAGE, "terraform": terraform.PAGE}
MAP = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"  # so that the layer stays
FLUX = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: a}, spec: {path: c/nodes}}"


def files(form: str | None, *, prune: bool = False, names: tuple[str, ...] = ("p",)) -> dict[str, str]:
    """The overlays of a cluster whose node pools have this form; None is objects, and the pages for everything else."""
    delivery: Body = {"delivery": {"azure": form}} if form else {}
    documents = [
        fleet(),
        cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, **delivery),
        *(pool(name, nodes={"max": 2}) for name in names),
    ]
    plan = plans(*documents)["one"]
    made = {f"c/runbook/{page.name}": page.write(plan) for page in FORMS.values()}
    bodies: list[Any] = emitted(*documents).every("ManagedClustersAgentPool") if form is None else []
    for body in bodies if prune else ():
        body["metadata"]["annotations"] = {}
    objects = {f"c/nodes/pool-{at}.yaml": str(body) for at, body in enumerate(bodies)}
    return {
        "c/nodes/a.yaml": MAP,
        "c/sync/flux.yaml": FLUX,
        **objects,
        **{path: text for path, text in made.items() if text},
    }


def change(before: dict[str, str], after: dict[str, str]) -> ClusterChange:
    [only] = between(before, after)
    return only


@for_each(("form", "page"), [(form, page.name) for form, page in FORMS.items()])
@for_each("prune", [False, True])
def test_a_pool_that_is_no_longer_an_object_stays_if_the_operator_lets_go_of_it(
    form: str, page: str, *, prune: bool
) -> None:
    [one] = change(files(None, prune=prune), files(form)).pools
    assert f"{page} describes it from now on" in one.reason
    assert "--overwrite serviceoperator.azure.com/reconcile-policy=skip" in one.reason
    assert one.replaced == ("all" if prune else "none")
    assert one.before == one.after


@pytest.mark.parametrize("form", list(FORMS))
def test_a_pool_that_nothing_describes_is_removed(form: str) -> None:
    by_name = {one.name: one for one in change(files(None, names=("p", "q")), files(form)).pools}
    assert "describes it" in by_name["p"].reason
    assert "it is removed from the overlays" in by_name["q"].reason


@pytest.mark.parametrize(
    ("form", "owner"),
    [(None, "ManagedClustersAgentPool/gpu-resources/p"), ("az", "node-pools.sh"), ("bicep", "node-pools.bicep")],
)
def test_terraform_must_forget_a_pool_that_it_no_longer_has(form: str | None, owner: str) -> None:
    effects = [effect for effect in change(files("terraform"), files(form)).effects if "Terraform" in effect.text]
    [text] = [effect.text for effect in effects if effect.object == "node pool p"]
    assert text.startswith(f"{owner} describes it from now on: first run terraform state rm azapi_resource.pool_p")


def test_terraform_deletes_a_pool_that_leaves_the_fleet() -> None:
    changed = change(files("terraform", names=("p", "q")), files("terraform"))
    [text] = [effect.text for effect in changed.effects if effect.object == "node pool q"]
    assert text.startswith("Terraform deletes it with its nodes when you apply cluster.tf.json")


@pytest.mark.parametrize(("form", "page"), [(form, page.name) for form, page in FORMS.items()])
def test_a_pool_that_only_a_page_describes_is_new_and_removed(form: str, page: str) -> None:
    added = change(files(form), files(form, names=("p", "q"))).effects
    [text] = [effect.text for effect in added if effect.object == "node pool q"]
    assert text == f"it is new: create it with {page}, unless it exists"
    assert not [effect for effect in added if effect.object == "node pool p"]
    if form != "terraform":
        removed = change(files(form, names=("p", "q")), files(form)).effects
        [text] = [effect.text for effect in removed if effect.object == "node pool q"]
        assert text.startswith("it is removed from the runbook, and stays in Azure")


@pytest.mark.parametrize("form", list(FORMS))
def test_a_pool_of_a_page_that_becomes_an_object_is_not_new(form: str) -> None:
    [one] = change(files(form), files(None)).pools
    assert one.reason == "it exists in Azure, and its object describes it from now on"
    assert one.before == one.after


def test_a_pool_with_an_object_is_described_once() -> None:
    changed = change(files(None), files(None, names=("p", "q")))
    assert [one.name for one in changed.pools if one.kind] == ["q"]
    assert not [effect for effect in changed.effects if effect.object.startswith("node pool")]


@for_each(("form", "uncounted"), [(None, ()), ("az", ("p", "q")), ("bicep", ("p", "q")), ("terraform", ("p", "q"))])
def test_the_limits_of_pools_that_only_a_page_describes_are_not_counted(form: str | None, uncounted: Any) -> None:
    changed = change(files(form), files(form, names=("p", "q")))
    assert changed.uncounted == uncounted
    assert len(changed.pools) == 2 - len(uncounted)
