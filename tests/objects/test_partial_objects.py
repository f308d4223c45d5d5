"""Objects that another file completes, and the status of objects."""

from typing import Any

import pytest

from gitgpu.load.explain.fault import Fault
from gitgpu.objects.delivery.partial_files import Incomplete
from gitgpu.objects.items import item_of
from gitgpu.objects.objects import Given
from gitgpu.objects.validation.contract_check import Checked, apart_from_status
from gitgpu.objects.validation.partial_objects import check_partial
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, shared_norms, somewhere

PLAIN, PATCH = "deployment.yaml", "patch.yaml"
UNLISTED, COMPLETED = Incomplete(frozenset({PLAIN, PATCH}), frozenset()), Incomplete(frozenset(), frozenset({PLAIN}))
LISTED = Incomplete(frozenset(), frozenset())
META = {"name": "a", "namespace": "b"}
PART: dict[str, Any] = {"spec": {"template": {"spec": {"nodeName": "a"}}}}


def check(given: Given) -> Checked:
    """An object by its contract."""
    return item_of(given, KUBERNETES, shared_norms())


def checked(file: str, incomplete: Incomplete, *, patch: bool = False, **more: Any) -> tuple[list[str], bool, bool]:
    """The messages about a Deployment in a file, whether it is a patch, and whether rules read it."""
    body = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": META, **more}
    (given,) = somewhere(body, patch=patch)
    item, faults = check_partial(given, file, incomplete, check)
    return [fault.message for fault in faults], item.is_patch, item.sound


@for_each("patch", [False, True])
@for_each(("value", "is_text"), [(5, True), (1.5, True), (True, True), ("five", True), ([5], False)])
def test_kustomize_writes_numbers_in_annotations_as_text(value: Any, *, is_text: bool, patch: bool) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {**META, "annotations": {"a": value}}}
    (given,) = somewhere(body, patch=patch)
    item, faults = check_partial(given, PLAIN, Incomplete(frozenset(), frozenset(), frozenset({PLAIN})), check)
    assert ([fault.pointer for fault in faults] == [], item.sound) == (is_text, is_text)
    assert bool(check_partial(given, PLAIN, LISTED, check)[1]) == (not isinstance(value, str))


def test_numbers_in_labels_stay_numbers() -> None:
    (given,) = somewhere({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {**META, "labels": {"a": 5}}})
    incomplete = Incomplete(frozenset(), frozenset(), frozenset({PLAIN}))
    assert [fault.pointer for fault in check_partial(given, PLAIN, incomplete, check)[1]] == ["/metadata/labels/a"]


def test_an_object_that_nothing_completes_must_be_complete() -> None:
    messages, patch, sound = checked(PLAIN, LISTED, **PART)
    assert messages[0] == "missing key 'selector'"
    assert (patch, sound) == (False, False)


@pytest.mark.parametrize(("file", "incomplete"), [(PLAIN, UNLISTED), (PATCH, LISTED)])
def test_a_file_that_may_be_a_patch_may_be_incomplete(file: str, incomplete: Incomplete) -> None:
    assert checked(file, incomplete, **PART) == ([], True, True)
    messages, patch, sound = checked(file, incomplete, spec={"replica": 1})
    assert messages == ["unknown key 'replica'; did you mean 'replicas'?"]
    assert (patch, sound) == (True, False)


def test_a_patch_beside_kustomizations_is_not_read() -> None:
    assert checked(PATCH, UNLISTED, spec={"replica": 1}) == ([], True, False)


@pytest.mark.parametrize(("file", "incomplete"), [(PATCH, UNLISTED), (PATCH, LISTED), (PLAIN, UNLISTED)])
def test_a_file_with_a_complete_object_is_not_a_patch(file: str, incomplete: Incomplete) -> None:
    labels = {"app": "a"}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    assert checked(file, incomplete, spec={"selector": {"matchLabels": labels}, "template": pod}) == ([], False, True)


def test_a_patch_with_metadata_only_is_not_read() -> None:
    assert checked(PATCH, LISTED, metadata={**META, "lables": {}}) == ([], True, False)
    assert checked(PLAIN, UNLISTED, metadata={**META, "lables": {}})[0] != []


def test_a_patch_that_a_kustomization_names_is_read_whatever_it_holds() -> None:
    messages = checked(PATCH, LISTED, patch=True, metadata={**META, "lables": {}})[0]
    assert messages == ["unknown key 'lables'; did you mean 'labels'?"]
    assert checked(PATCH, LISTED, patch=True, **PART) == ([], True, True)


def test_an_object_that_a_kustomization_completes_remains_an_object() -> None:
    assert checked(PLAIN, COMPLETED, **PART) == ([], False, False)
    messages, patch, sound = checked(PLAIN, COMPLETED, spec={"replica": 1})
    assert messages == ["unknown key 'replica'; did you mean 'replicas'?"]
    assert (patch, sound) == (False, False)


def test_a_patch_with_a_version_that_is_not_served_may_also_be_incomplete() -> None:
    spec: dict[str, Any] = {"devices": {"requests": [{}]}}  # a request has a name
    body = {"apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim", "metadata": META, "spec": spec}
    (given,) = somewhere(body)
    item, faults = check_partial(given, PLAIN, UNLISTED, check)
    assert ([fault.code for fault in faults], item.is_patch) == (["CNF016"], True)


def test_a_removed_version_is_also_reported_in_a_patch() -> None:
    body = {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "metadata": META, "spec": {}}
    (given,) = somewhere(body)
    assert [fault.code for fault in check_partial(given, PLAIN, UNLISTED, check)[1]] == ["CNF016"]
    assert check_partial(given, PATCH, UNLISTED, check)[1] == []


def test_the_parts_of_a_status_with_faults_are_not_read() -> None:
    (given,) = somewhere({"kind": "A", "status": {"a": 1, "b": 2}})
    own, other = Fault(("spec",), "wrong", "write it"), Fault(("status", "a"), "wrong", "write it")
    assert apart_from_status(given, [own]) == (given, [own])
    changed, faults = apart_from_status(given, [own, other])
    assert (changed.body, faults) == ({"kind": "A", "status": {"b": 2}}, [own])
    whole = Fault(("status",), "wrong", "write it")
    assert apart_from_status(given, [other, whole])[0].body == {"kind": "A"}


def test_a_status_that_is_not_a_mapping_is_a_fault() -> None:
    (given,) = somewhere({"kind": "A", "status": "text"})
    fault = Fault(("status",), "wrong", "write it")
    assert apart_from_status(given, [fault]) == (given, [fault])
