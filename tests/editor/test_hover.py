"""What hovering shows of names and values that a user or a catalog of a user made up."""

import pytest

from gitgpu.editor.context import Context, code_block
from gitgpu.editor.files import Files
from gitgpu.editor.hover import hover
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.runs.validate import validate_texts
from tests.helping.cases import for_each

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: f}
spec: {delivery: {engine: flux, repository: https://github.com/contoso/f}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: c}
spec: {region: eastus, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: p}
spec:
  clusters: [c]
  sku: Standard_NC4as_T4_v3
  limits: {gpus: 4}
"""


def shown(text: str, place: str, beyond: int = 0) -> str:
    """The text of a hover; "" if there is none."""
    files = Files({"fleet.yaml": text}, lambda name: name)
    inputs = validate_texts([Text("fleet.yaml", text, "fleet.yaml")]).inputs
    answer = hover(Context(files, "fleet.yaml", catalog(()), inputs), text.index(place) + beyond)
    return getattr(answer.contents, "value", "") if answer else ""


def test_a_pool_says_what_it_costs_at_its_limits() -> None:
    text = shown(FLEET, "name: p", 6)
    assert text.startswith("**GpuPool p**\n\nStandard_NC4as_T4_v3, nap\n\nAt its limits:\n\n- c: 4 nodes, 4 GPUs, $")
    assert "on demand, prices of 20" in text


def test_a_pool_without_a_limit_says_so() -> None:
    text = FLEET.replace("  limits: {gpus: 4}\n", "")
    assert "- c: no limit on its nodes" in shown(text, "name: p", 6)


@for_each("name", ["p_*x*", "<b>p</b>", "[p](http://x)", "`p`"])
def test_a_name_is_escaped(name: str) -> None:
    """Such a name is a finding, and may be shown all the same."""
    text = FLEET.replace("metadata: {name: p}", f'metadata: {{name: "{name}"}}')
    answer = shown(text, 'name: "', 8)
    assert name not in answer.partition("```")[0]


@pytest.mark.parametrize("text", ["```\n# title", "a\n````\nb", "x"])
def test_a_block_cannot_be_closed_by_what_it_quotes(text: str) -> None:
    first, *lines, last = code_block(text).split("\n")
    fence = first.removesuffix("text")
    assert last == fence
    assert not any(line.strip() == fence for line in lines)


def test_control_characters_are_escaped() -> None:
    assert "\x1b" not in code_block("a\x1b[31m")
