"""Files and requests that try to make the server read, print or change what is not in its directories."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.cli.mcp.client import Request, Server, serving, text

CANARY = "canary-5f2d"
OUTSIDE = f"""\
apiVersion: v1
kind: Pod
metadata: {{name: {CANARY}}}
spec: {{containers: [{{name: main, image: nginx, resources: {{limits: {{nvidia.com/gpu: {CANARY}}}}}}}]}}
"""
SECRETS = f"""\
apiVersion: v1
kind: Secret
metadata: {{name: token, namespace: default}}
stringData: {{token: {CANARY}}}
data: {{other: {CANARY}!}}
---
apiVersion: v1
kind: Pod
metadata: {{name: leaky, namespace: default}}
spec:
  containers:
  - name: main
    image: nginx
    env: [{{name: PASSWORD, value: {CANARY}}}]
    resources: {{requests: {{nvidia.com/gpu: 2}}, limits: {{nvidia.com/gpu: 1}}}}
"""
Refused: TypeAlias = Callable[..., list[str]]
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: fleet}
spec: {delivery: {engine: flux, repository: https://github.com/example/fleet}}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server]]:
    """The directory of a server, and the server."""
    directory = tmp_path_factory.mktemp("around") / "inside"
    directory.mkdir()
    with serving(directory) as running:
        yield directory, running


@pytest.fixture
def inside(server: tuple[Path, Server]) -> Path:
    """The empty directory of the server, in a Git work tree that has more; a secret is outside of it."""
    directory, _ = server
    for left in (*directory.iterdir(), *(path for path in directory.parent.iterdir() if path != directory)):
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    (directory.parent / ".git").mkdir()
    (directory.parent / "outside").mkdir()
    (directory.parent / "outside/pod.yaml").write_text(OUTSIDE)
    return directory


@pytest.fixture
def refused(server: tuple[Path, Server], inside: Path) -> Refused:
    """Returns what the results of requests say. None contains the secret, and nothing on the disk has changed."""

    def ask(*requests: Request) -> list[str]:
        before = tree(inside.parent)
        texts = [text(result) for result in server[1].calls(*requests)]
        assert [said for said in texts if CANARY in said] == []
        assert tree(inside.parent) == before
        return texts

    return ask


def tree(directory: Path) -> dict[str, bytes]:
    """Every file below a directory."""
    return {str(path): path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file()}


def test_paths_in_requests_lead_nowhere_else(inside: Path, refused: Refused) -> None:
    (inside / "link").symlink_to("../outside")
    (inside / "link.yaml").symlink_to("../outside/pod.yaml")
    (inside / "hop").symlink_to("link")
    paths = [
        "../outside",
        "../outside/pod.yaml",
        "./x/../../outside",
        str(inside.parent / "outside/pod.yaml"),
        f"{inside}/../outside/pod.yaml",
        f"/{inside.parent}/outside/pod.yaml",
        "link",
        "link/pod.yaml",
        "link.yaml",
        "hop",
        r"\\host\share\pod.yaml",
        "//host/share/pod.yaml",
        "/proc/self/environ",
        "/dev/stdin",
        "-",
    ]
    said = refused(*(("lint", {"paths": [path]}) for path in paths))
    assert [path for path, answer in zip(paths, said, strict=True) if "not in the directories" not in answer] == []
    options: list[Request] = [
        ("lint", {"paths": ["."], "crds": ["../outside"]}),
        ("lint", {"paths": ["."], "values": ["../outside/pod.yaml"]}),
        ("simulate", {"pools": ["../outside"]}),
        ("simulate", {"workloads": ["link.yaml"]}),
        ("diagnose", {"paths": ["link"]}),
        ("explain", {"effective": "pool/x", "cluster": "c", "fleet": ["../outside"]}),
    ]
    assert [answer for answer in refused(*options) if "not in the directories" not in answer] == []


def test_files_that_name_other_files_lead_nowhere_else(inside: Path, refused: Refused) -> None:
    (inside / "linked.yaml").symlink_to("../outside/pod.yaml")
    (inside / "kustomization.yaml").write_text(
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        "resources: [../outside/pod.yaml, ../outside]\npatches: [{path: ../outside/pod.yaml}]\n"
        "configMapGenerator: [{name: x, files: [../outside/pod.yaml], envs: [../outside/pod.yaml]}]\n"
    )
    lint, named = refused(("lint", {"paths": ["."]}), ("lint", {"paths": ["kustomization.yaml"]}))
    assert "linked.yaml" in lint
    assert "kustomization.yaml" in named
    values = FLEET.replace("spec: {", "spec: {defaults: {workload: {patches: [../outside/pod.yaml]}}, ")
    (inside / "fleet.yaml").write_text(values)
    for extra, request in (
        ("fleet: [../outside]\n", ("validate", {})),
        ("catalog: [../outside]\n", ("simulate", {})),
        ("out: ../outside\n", ("plan", {})),
        ("lint: {paths: [../outside], crds: [../outside], values: [../outside/pod.yaml]}\n", ("lint", {})),
        ("fleet: [fleet.yaml]\n", ("plan", {"against": "../outside"})),
    ):
        (inside / ".gitgpu.yaml").write_text(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n{extra}")
        refused(request)


def test_a_configuration_above_the_directory_is_not_read(inside: Path, refused: Refused) -> None:
    (inside.parent / ".gitgpu.yaml").write_text(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n{CANARY}: 1\n")
    (inside / "fleet.yaml").write_text(FLEET)
    [said] = refused(("validate", {}))
    assert "outside the directories" in said


def test_what_lint_does_not_print_is_not_printed(inside: Path, refused: Refused) -> None:
    (inside / "secrets.yaml").write_text(SECRETS)
    lint, dump = refused(("lint", {}), ("diagnose", {"paths": ["secrets.yaml"]}))
    assert "leaky" in lint
    assert "Diagnosis" in dump


def test_a_module_in_the_directory_is_never_imported(inside: Path, refused: Refused) -> None:
    for name in ("yaml", "json", "click", "gitgpu", "sitecustomize"):
        (inside / f"{name}.py").write_text(f"open({str(inside / 'ran')!r}, 'w').close()\n")
    [said] = refused(("rule", {"code": "NPL010"}))
    assert "invalid-budget-schedule" in said


def test_history_of_another_repository_is_not_read(inside: Path, tmp_path: Path, refused: Refused) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "fleet.yaml").write_text(FLEET.replace("name: fleet", f"name: {CANARY}"))
    commit = ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--message=x"]
    for words in (["init", "--quiet"], ["add", "."], commit):
        subprocess.run(["git", *words], cwd=other, check=True, env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)})
    (inside / "fleet.yaml").write_text(FLEET)
    (inside / ".git").write_text(f"gitdir: {other}/.git\n")
    [said] = refused(("plan", {"against": "HEAD"}))
    assert said == "against: the objects of this repository are in another one; pass a directory"


CHANGING = (
    "open('../outside/pod.yaml')",
    "open('new', 'w')",
    "import os; os.open('new', os.O_CREAT)",
    "import os; os.listdir('..')",
    "import os; os.remove('own.yaml')",
    "import os; os.rename('own.yaml', 'x')",
    "import shutil; shutil.copyfile('own.yaml', 'x')",
    "import os; os.system('true')",
    "import subprocess; subprocess.run(['true'])",
    "import subprocess; subprocess.run(['./git/../true'])",
    "import socket; socket.create_connection(('127.0.0.1', 9))",
)


def test_a_confined_process_only_reads(inside: Path) -> None:
    (inside / "own.yaml").write_text("a: 1\n")
    confine = f"import sys; from gitgpu.cli.mcp.confined import hook; sys.addaudithook(hook([{str(inside)!r}]))"
    attempts = (f"try:\n    {code}\nexcept PermissionError:\n    print({code!r})\n" for code in CHANGING)
    script = "\n".join((confine, "print(open('own.yaml').read())", *attempts))
    done = subprocess.run([sys.executable, "-c", script], cwd=inside, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["a: 1", "", *CHANGING]


def test_lines_that_are_no_requests_do_not_end_the_server(inside: Path) -> None:
    start = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"x","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    )
    odd = ["not json", "{", "[]", '"x"', "\x00", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":7,"method":"tools/call"}']
    call = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"rule","arguments":{"code":"NPL010"}}}\n'
    command = [sys.executable, "-m", "gitgpu", "mcp", str(inside)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write((start + "".join(f"{line}\n" for line in odd) + call).encode() + b"\xff\xfe\n")
        server.stdin.flush()
        answered = next(line for line in server.stdout if b'"id":9' in line)
        server.stdin.close()
        assert server.wait() == 0
    assert b"invalid-budget-schedule" in answered
