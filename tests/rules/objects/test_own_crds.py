"""Objects of kinds whose CRDs are passed with --crds, and nulls in objects of other kinds."""

from dataclasses import replace
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.items import item_of
from gitgpu.objects.objects import Item
from gitgpu.objects.schema.crd import custom
from gitgpu.rules.object_findings import object_codes, object_findings
from tests.rules.objects.samples import KUBERNETES, shared_norms, somewhere

OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def crd(kind: str, group: str, spec: dict[str, Any], version: str = "v1", scope: str = "Cluster") -> dict[str, Any]:
    """A CRD of a kind with a schema for its spec."""
    schema = {"type": "object", "properties": {"spec": spec}}
    served = {"name": version, "served": True, "schema": {"openAPIV3Schema": schema}}
    return {"spec": {"group": group, "names": {"kind": kind}, "scope": scope, "versions": [served]}}


def checked(body: dict[str, Any], *crds: dict[str, Any]) -> tuple[Item, list[Diagnostic]]:
    """An object as rules see it, and its violations."""
    norms = replace(shared_norms(), custom=custom(crds, {"type": "object"}), run_cache={})
    return item_of(somewhere(body)[0], KUBERNETES, norms)


def codes(body: dict[str, Any], *crds: dict[str, Any]) -> list[str]:
    """The codes of all findings."""
    norms = replace(shared_norms(), custom=custom(crds, {"type": "object"}), run_cache={})
    return [finding.code for finding in object_findings(somewhere(body), KUBERNETES, norms)]


def of(api_version: str, kind: str, **more: Any) -> dict[str, Any]:
    """An object."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, **more}


GADGET, WIDGET = crd("Gadget", "example.com", OPEN), crd("Widget", "example.com", OPEN)


@pytest.mark.parametrize("crds", [(WIDGET,), (GADGET, WIDGET), (WIDGET, GADGET)])
def test_a_version_that_the_crd_does_not_serve(crds: tuple[dict[str, Any], ...]) -> None:
    (fault,) = checked(of("example.com/v2", "Widget"), *crds)[1]
    assert fault.message == "the given CRD of Widget does not serve example.com/v2"
    assert fault.code in object_codes()


def test_a_version_without_a_schema_accepts_any_object_of_its_kind() -> None:
    bare = crd("Widget", "example.com", OPEN)
    del bare["spec"]["versions"][0]["schema"]
    assert codes(of("example.com/v1", "Widget", spec=5), bare) == ["CNF002"]


def test_a_kind_of_the_same_name_in_another_group_is_not_known() -> None:
    item, faults = checked(of("other.org/v1", "Widget"), WIDGET)
    assert [fault.code for fault in faults] == ["CNF002"]
    assert item.sound
    assert [fault.code for fault in checked(of("example.com/v1", "Other"), WIDGET)[1]] == ["CNF002"]


def pool(spec: dict[str, Any]) -> dict[str, Any]:
    """A NodePool whose node class is absent."""
    owner = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "absent"}
    template = {"spec": {"nodeClassRef": owner, "requirements": [], **spec}}
    return of("karpenter.sh/v1", "NodePool", spec={"template": template})


NODE_POOL = crd("NodePool", "karpenter.sh", OPEN)


def test_rules_read_an_object_with_keys_that_only_the_crd_knows() -> None:
    assert codes(pool({"startupDelay": "5m"}), NODE_POOL) == ["CNF012"]
    assert codes(pool({"startupDelay": "5m"})) == ["CNF001"]


def test_rules_do_not_read_a_part_with_another_shape() -> None:
    assert codes(pool({"requirements": "text"}), NODE_POOL) == ["CNF012"]
    assert codes(pool({"nodeClassRef": "text"}), NODE_POOL) == []


def test_an_old_version_that_the_crd_still_serves_is_not_reported() -> None:
    """What the known schema does not fit is not read; the version is served, whatever newer CRDs do."""
    older = {**pool({"requirements": "text"}), "apiVersion": "karpenter.sh/v1beta1"}
    assert codes(older) == ["CNF016"]
    assert codes(older, crd("NodePool", "karpenter.sh", OPEN, version="v1beta1")) == []


def test_rules_do_not_read_an_unknown_version() -> None:
    newer = {**pool({}), "apiVersion": "karpenter.sh/v2"}
    assert codes(newer, crd("NodePool", "karpenter.sh", OPEN, version="v2")) == []


def test_defaults_of_list_items_are_applied_before_an_object_is_checked() -> None:
    disk = {"type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "default": 1}}}
    disks = {"type": "object", "properties": {"disks": {"type": "array", "items": disk}}}
    widget = crd("Widget", "example.com", disks)
    assert checked(of("example.com/v1", "Widget", spec={"disks": [{}, {"size": 2}]}), widget)[1] == []
    assert len(checked(of("example.com/v1", "Widget", spec={"disks": [{"size": "a"}]}), widget)[1]) == 1


def test_rules_do_not_read_a_part_that_the_crd_refuses() -> None:
    assert codes(pool({}), crd("NodePool", "karpenter.sh", OPEN | {"required": ["limits"]})) == ["CNF001", "CNF012"]
    strict = {"type": "object", "properties": {"template": {"type": "string"}}}
    assert codes(pool({}), crd("NodePool", "karpenter.sh", strict)) == ["CNF001"]


@pytest.mark.parametrize(("patch", "expected"), [(True, []), (False, ["CNF001"])])
def test_a_patch_may_omit_fields_that_the_crd_requires(patch: bool, expected: list[str]) -> None:
    norms = replace(shared_norms(), run_cache={})
    norms = replace(norms, custom=custom([crd("Widget", "example.com", OPEN | {"required": ["size"]})], {}))
    (given,) = somewhere(of("example.com/v1", "Widget", spec={}), patch=patch)
    _, faults = item_of(given, KUBERNETES, norms)
    assert [fault.code for fault in faults] == expected


def test_a_cel_rule_without_a_message_is_quoted() -> None:
    pytest.importorskip("cel_expr_python")
    spec = {"type": "object", "properties": {"size": {"type": "integer"}}}
    plain = {**spec, "x-kubernetes-validations": [{"rule": "self.size < 4"}]}
    (fault,) = checked(of("example.com/v1", "Widget", spec={"size": 5}), crd("Widget", "example.com", plain))[1]
    assert (fault.code, fault.message) == ("CNF018", "breaks the CRD's rule self.size < 4")
    assert fault.help == "change it so that it meets the rule of the CRD"


@pytest.mark.parametrize(("name", "expected"), [("abc", []), ("a1", ["CNF018"])])
def test_a_cel_rule_of_a_crd_can_search_in_a_text(name: str, expected: list[str]) -> None:
    pytest.importorskip("cel_expr_python")
    pytest.importorskip("re2")
    spec = {"type": "object", "properties": {"name": {"type": "string"}}}
    plain = {**spec, "x-kubernetes-validations": [{"rule": "self.name.find('[0-9]+') == ''"}]}
    faults = checked(of("example.com/v1", "Widget", spec={"name": name}), crd("Widget", "example.com", plain))[1]
    assert [fault.code for fault in faults] == expected


def test_null_is_absent_for_rules() -> None:
    spec = {"containers": [{"name": "a", "image": "a:1", "env": None}], "nodeSelector": None}
    built_in = of("v1", "Pod", spec=spec)
    assert checked(built_in)[0].body["spec"] == {"containers": [{"name": "a", "image": "a:1"}]}
    known = of("karpenter.azure.com/v1beta1", "AKSNodeClass", spec={"osDiskSizeGB": None})
    item, faults = checked(known)
    assert (item.body["spec"], faults) == ({}, [])
    assert checked(of("example.com/v1", "Other", spec={"a": None}))[0].body["spec"] == {}
    assert checked(of("example.com/v1", "Widget", spec={"a": None}), WIDGET)[0].body["spec"] == {}


def test_rules_do_not_read_a_version_that_is_no_longer_served() -> None:
    body = of("flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", spec={"matchingPrecedence": None})
    assert [fault.code for fault in checked(body)[1]] == ["CNF016"]


def test_without_a_driver_only_the_tag_for_managed_gpus_is_an_error() -> None:
    group, kind = "containerservice.azure.com", "ManagedClustersAgentPool"
    newer = crd(kind, group, OPEN, "v20260801", "Namespaced")
    pool = {"owner": {"name": "prod"}, "vmSize": "Standard_NC40ads_H100_v5", "mode": "User", "count": 1}
    managed = {"nvidia": {"managementMode": "Managed"}}  # AKS then installs the driver all the same
    tags = {"tags": {"EnableManagedGPUExperience": "true"}}
    for profile, tag, reported in (
        ({"driver": "None", **managed}, {}, False),
        ({"driver": "None"}, tags, True),
        ({"driver": "Install"}, tags, False),
    ):
        spec = {**pool, "gpuProfile": profile, **tag}
        assert ("STK025" in codes(of(f"{group}/v20260801", kind, spec=spec), newer)) is reported
