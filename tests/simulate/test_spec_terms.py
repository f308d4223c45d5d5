"""The spec key that sets a value of an object: a reason points to its line, which is the one to change."""

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.simulate.explain.spec_terms import SpecTerms
from gitgpu.source import Pointer
from tests.helping.cases import for_each

SPEC = """\
kind: GpuPool
spec:
  limits: {gpus: 8}
  labels: {team: ml}
  taints: []
  requirements: []
  sku: Standard_NC16as_T4_v3
  pools: [t4]
  gpus: 1
  retire: true
"""
LINES = {line.split(":")[0].strip(): at for at, line in enumerate(SPEC.splitlines(), 1)}
INSIDE = ("spec", "template", "spec")


@for_each(
    ("pointer", "key"),
    [
        (("spec", "limits", "nvidia.com/gpu"), "limits"),
        (("spec", "template", "metadata", "labels", "team"), "labels"),
        ((*INSIDE, "taints", 0), "taints"),
        ((*INSIDE, "requirements"), "sku"),
        ((*INSIDE, "affinity", "nodeAffinity"), "pools"),
        ((*INSIDE, "tolerations"), "pools"),
        ((*INSIDE, "containers", 0, "resources"), "gpus"),
        ((*INSIDE, "volumes"), "kind"),
        (("spec",), "kind"),
        ((), "kind"),
    ],
)
def test_the_line_of_the_spec(pointer: Pointer, key: str) -> None:
    (document,), _ = parse(Text("fleet.yaml", SPEC, "fleet.yaml"))
    terms = SpecTerms(document.places)
    assert terms.span(pointer).line == LINES[key]
    retiring = terms._replace(retires=True)
    assert retiring.span(pointer).line == LINES["retire" if key == "limits" else key]


def test_requirements_are_the_line_to_change_if_no_size_is_named() -> None:
    text = SPEC.replace("  sku: Standard_NC16as_T4_v3\n", "")
    (document,), _ = parse(Text("fleet.yaml", text, "fleet.yaml"))
    assert SpecTerms(document.places).span((*INSIDE, "requirements")).line == LINES["requirements"]
