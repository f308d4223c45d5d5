"""`gitgpu import` of objects with any value of any type at any place: an answer or an error, and never a traceback."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.adopt.test_odd_objects import BODIES
from tests.cli.conftest import Run
from tests.cli.import_.test_several_clusters import first
from tests.cli.import_.test_what_ends import agent_pool
from tests.helping.nested import entries
from tests.runs.test_import import AGENT_POOL

FLUX = {
    "apiVersion": "source.toolkit.fluxcd.io/v1",
    "kind": "GitRepository",
    "metadata": {"name": "flux-system", "namespace": "flux-system"},
    "spec": {"url": "ssh://git@github.com/contoso/platform", "secretRef": {"name": "flux-system"}},
}
SHOWN = {
    "name": "one",
    "location": "swedencentral",
    "kubernetesVersion": "1.34",
    "type": "Microsoft.ContainerService/ManagedClusters",
    "agentPoolProfiles": [agent_pool("gpu", provisioningState="Succeeded", tags={"a": "b"}, nodeLabels={"a": "b"})],
    "networkProfile": {"networkPlugin": "azure"},
    "addonProfiles": {"omsagent": {"enabled": True}},
}
LISTED = {"apiVersion": "v1", "kind": "List", "items": list(first())}
DOCUMENTS: list[Any] = [
    *first(),
    *BODIES,
    *yaml.load_all(AGENT_POOL, yaml.CSafeLoader),
    FLUX,
    SHOWN,
    [agent_pool("gpu")],
    LISTED,
]
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        1,
        -1,
        1.5,
        True,
        "",
        "x",
        "a/b",
        "{{x}}",
        [],
        {},
        [None],
        ["x"],
        [[1]],
        [{}],
        {"a": None},
        {"a": {"b": [1]}},
    ]
)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value."""
    paths = [above] if above else []
    for key, inner in entries(value):
        paths += places(inner, (*above, key))
    return paths


PLACES = [(index, path) for index, body in enumerate(DOCUMENTS) for path in places(body)]


@given(place=st.sampled_from(PLACES), junk=JUNK, removed=st.booleans(), answer=st.sampled_from(["text", "json"]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_at_any_place(run: Run, place: Any, junk: Any, answer: str, *, removed: bool) -> None:
    index, (*above, key) = place
    body = copy.deepcopy(DOCUMENTS[index])
    inner = body
    for part in above:
        inner = inner[part]
    if removed:
        del inner[key]
    else:
        inner[key] = junk
    Path("odd.json").write_text(json.dumps(body), encoding="utf-8")
    ran = run("import", "odd.json", "--dry-run", "--region", "swedencentral", "-o", answer)
    assert ran.code in (0, 1, 2)


@pytest.mark.parametrize("metadata", [None, "x", 1, [], {}, {"name": 1}, {"name": None}])
@pytest.mark.parametrize("index", [0, 1])
def test_a_pool_without_a_name_is_an_error(run: Run, metadata: Any, index: int) -> None:
    objects = list(first())
    objects[index]["metadata"] = metadata
    Path("odd.yaml").write_text(yaml.safe_dump_all(objects), encoding="utf-8")
    ran = run("import", "odd.yaml", "--cluster", "one", "--region", "swedencentral")
    assert ran.code == 1, ran
    assert f"IMP009: this {objects[index]['kind']} has no name, so it is not read; set metadata: " in ran.err
