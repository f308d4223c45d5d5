"""Device plugin configurations: keys are case-insensitive, as in Go's JSON decoder."""

from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.objects.software.plugin_configs import with_known_case
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import LintOptions, lint
from tests.helping.cases import for_each

CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: time-slicing, namespace: gpu-operator}
data:
  any: |-
    version: v1
    %s:
      %s:
        resources:
        - {name: nvidia.com/gpu, replicas: 4%s}
"""


def codes(content: str) -> list[str]:
    sheets = read_manifests([Text("a.yaml", content, "a.yaml")])
    known = norms(Schemas(), catalog(()))
    return [diagnostic.code for diagnostic in lint(sheets, (), known, LintOptions("1.34")).diagnostics]


@for_each("section", ["sharing", "Sharing"])
@for_each("way", ["timeSlicing", "timeslicing", "TimeSlicing", "MPS", "mps"])
def test_the_case_of_a_key_does_not_matter(section: str, way: str) -> None:
    assert codes(CONFIG % (section, way, "")) == []


def test_a_section_of_another_name_is_ignored() -> None:
    wrong = CONFIG.replace("resources:", "resources: &r", 1) % ("sharing", "timeSlicing", "")
    assert codes(wrong + "      time-slicing: {resources: []}\n") == ["SHR004"]
    assert codes(CONFIG % ("Sharing", "timeslicing", ", rename: a/b")) == ["SHR004"]


def test_sections_are_folded_and_what_the_plugin_reads_by_exact_key_is_not() -> None:
    folded = with_known_case({"Flags": {"MIGStrategy": "mixed"}, "SHARING": {"TimeSlicing": {"Resources": []}}})
    assert folded == {"flags": {"migStrategy": "mixed"}, "sharing": {"timeSlicing": {"Resources": []}}}
