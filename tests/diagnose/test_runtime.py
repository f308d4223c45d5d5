"""A container toolkit that may have stopped containerd on a node."""

from gitgpu.report.diagnosis.text import text
from gitgpu.report.findings import Style
from tests.diagnose.states import of_texts, state_file
from tests.helping.cases import for_each

STATE = state_file("toolkit-stopped-containerd").read_text()


@for_each(
    ("old", "new"),
    [
        ("{name: RUNTIME, value: containerd}", "{name: RUNTIME_CONFIG_SOURCE, value: file}"),
        ("containerd://2.3.2-1", "containerd://2.2.1-1"),
        ("containerd://2.3.2-1", "cri-o://1.34.0"),
        ("container-toolkit:v1.18.1", "container-toolkit:v1.17.8"),
        ("container-toolkit:v1.18.1", "container-toolkit:latest"),
        (
            "        tolerations:\n        - {key: sku, operator: Exists}\n- apiVersion: v1\n  kind: Pod",
            "- apiVersion: v1\n  kind: Pod",
        ),
    ],
)
def test_other_toolkits_runtimes_and_nodes_are_not_named(old: str, new: str) -> None:
    assert old in STATE
    assert "ADV006" in text(of_texts(STATE), Style())
    shown = text(of_texts(STATE.replace(old, new)), Style())
    assert "the node is not Ready" in shown
    assert "ADV006" not in shown
