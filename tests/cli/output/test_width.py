"""On a terminal, text is broken between words at its width; code in it is not."""

import os
import pty
import subprocess
import sys
from pathlib import Path

WIDTH = 60
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a}
spec: {clusters: [prod], sku: Standard_NC6}
"""


def on_terminal(folder: Path, *arguments: str) -> list[str]:
    """The lines of a terminal of 60 columns that shows stdout and stderr."""
    ours, theirs = pty.openpty()
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": str(WIDTH), "NO_COLOR": "1", "CI": "true"}
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


def test_examples_of_a_rule_are_not_broken(tmp_path: Path) -> None:
    lines = on_terminal(tmp_path, "rule", "show", "POD050")
    code = "    volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 8Gi}}]"
    assert code in lines
    assert [line for line in lines if len(line) > WIDTH and not line.startswith("  ")] == []
    assert "processes than its container has GPUs." in lines
