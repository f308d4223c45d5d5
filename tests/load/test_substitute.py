"""The effect of `postBuild` of Flux on texts and objects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.objects.delivery.substitution import Fill, substitute, substitute_text
from tests.helping.cases import for_each

VALUES = {"region": "eastus", "empty": "", "count": "3"}


@for_each(
    ("text", "result", "unknown"),
    [
        ("gpu-${region}", "gpu-eastus", False),
        ("${region}${count}", "eastus3", False),
        ("$${region} stays", "${region} stays", False),
        ("$region stays", "$region stays", False),
        ("${other:=west}", "west", False),
        ("${other:-a-${region}}", "a-eastus", False),
        ("${empty:=full}", "full", False),
        ("${empty}", "", False),
        ("${region}$", "eastus$", False),
        ("${other}", "${other}", True),
        ("${other:-${more}}", "${other:-${more}}", True),
        ("${region^^}", "${region^^}", True),
        ("${count", "${count", False),
        ("${}", "${}", True),
    ],
)
def test_variables_have_the_values_that_flux_gives_them(text: str, result: str, *, unknown: bool) -> None:
    assert substitute_text(text, VALUES, open_=False) == (result, unknown)


@pytest.mark.parametrize(("levels", "unknown"), [(21, False), (22, True), (5000, True)])
def test_defaults_in_defaults_are_read_to_a_limit(levels: int, *, unknown: bool) -> None:
    text = "${other:=" * levels + "west" + "}" * levels
    assert substitute_text(text, VALUES, open_=False) == (text if unknown else "west", unknown)


def test_where_more_variables_may_be_set_a_default_is_only_a_guess() -> None:
    assert substitute_text("${other:=west}", VALUES, open_=True) == ("west", True)
    assert substitute_text("${region:=west}", VALUES, open_=True) == ("eastus", False)


def test_an_object_is_substituted_and_the_type_of_a_plain_value_is_resolved_again() -> None:
    body = {
        "metadata": {"name": "a-${region}", "labels": {"${region}": "x"}},
        "spec": {"replicas": "${count}", "on": "${flag:=true}", "list": ["${secret}", "n-${count}"]},
    }
    made = substitute(body, Fill((("count", "3"), ("region", "eastus")), open=False))
    assert made.body["spec"] == {"replicas": 3, "on": True, "list": ["${secret}", "n-3"]}
    assert made.holes == {("metadata", "labels", "${region}"), ("spec", "list", 0)}
    assert dict(made.typed) == {("spec", "replicas"): "3", ("spec", "on"): "true"}


def test_keys_that_are_not_texts_stay() -> None:
    made = substitute({"data": {8080: "${region}", True: "${secret}"}}, Fill((("region", "eastus"),)))
    assert made.body["data"] == {8080: "eastus", True: "${secret}"}
    assert made.holes == {("data", True)}


def test_an_object_that_disables_substitution_is_not_changed() -> None:
    meta = {"annotations": {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}}
    body = {"metadata": meta, "data": {"a": "${region}"}}
    assert substitute(body, Fill((("region", "eastus"),))).body is body


@given(st.text(alphabet="${}ab:-=_ \n", max_size=60))
def test_any_text_is_accepted_and_one_without_variables_is_unchanged(text: str) -> None:
    result, unknown = substitute_text(text, {"a": "1"}, open_=False)
    assert "${" in text or (result, unknown) == (text, False)
    if "$${" not in text and not unknown:
        assert "${a}" not in result
