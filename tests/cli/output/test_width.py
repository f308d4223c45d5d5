"""On a terminal, text is broken between words at its width; code in it is not."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

WIDTH = 60
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a}
spec: {clusters: [prod], sku: Standard_NC6}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: b}
spec: {containers: [{name: a, image: "a:1", resources: {limits: {nvidia.com/gpus: 1}}}]}
"""


def on_terminal(folder: Path, *arguments: str, width: int = WIDTH) -> list[str]:
    """The lines of a terminal that shows stdout and stderr."""
    ours, theirs = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": str(width), "NO_COLOR": "1", "CI": "true"}
    command = [sys.executable, "-m", "gitgpu", *arguments]
    done = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=variables, cwd=folder)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 10_000):
            text += part
    except OSError:  # on Linux, this is how the end is read
        pass
    os.close(ours)
    done.wait(timeout=60)
    return text.decode().splitlines()


def test_findings_next_to_an_answer_fit(tmp_path: Path) -> None:
    (tmp_path / "fleet.yaml").write_text(POOL, encoding="utf-8")
    lines = on_terminal(tmp_path, "promote", "canary", "prod")
    assert any("error[" in line for line in lines)
    assert [line for line in lines if len(line) > WIDTH] == []


def test_the_summary_fits(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(POD, encoding="utf-8")
    lines = on_terminal(tmp_path, "lint", "--color", "never", "pod.yaml")
    assert lines[-2].startswith("Summary: 1 object in 1 file - 1 error")
    assert lines[-1].startswith("    ")
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(("width", "is_table"), [(60, False), (80, True), (120, True)])
def test_sizes_have_a_line_each_if_enough_columns_fit(tmp_path: Path, width: int, *, is_table: bool) -> None:
    lines = on_terminal(tmp_path, "sku", "list", width=width)
    size = next(line for line in lines if line.startswith("Standard_NC24ads_A100_v4"))
    assert size.split()[1:5] == (["A100", "1", "1", "80"] if is_table else [])
    assert max(map(len, lines)) <= width


def test_examples_of_a_rule_are_not_broken(tmp_path: Path) -> None:
    lines = on_terminal(tmp_path, "rule", "show", "POD050")
    code = "    volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 8Gi}}]"
    assert code in lines
    assert [line for line in lines if len(line) > WIDTH and not line.startswith("  ")] == []
    assert "processes than its container has GPUs." in lines
