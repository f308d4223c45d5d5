"""Output on pages (blocks in the language console): what the commands print where the page says that they run.

A shown output is a part of the real one. A line `...` stands for any lines.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.journeys.repository import repository
from tests.journeys.test_handover import environment
from tools.shown_output import ENTER, Shown, agrees, corrected, pages, real, shown

__all__ = ["environment"]

ROOT = Path(__file__).parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMIT = re.compile(r"\([0-9a-f]{10}\)")
Setup: TypeAlias = Callable[[Path], None]

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata:
  name: prod-swc
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata:
  name: a10
spec:
  clusters: [prod-swc]
  sku: Standard_NV36ads_A10_v5
  limits: {gpus: 8}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata:
  name: ranker
  namespace: serving
spec:
  pools:
  - a10
  target: {kind: Deployment, name: ranker}
  cuda: "13.0"
"""
MISPLACED_KEY = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 10m
    expireAfter: 720h
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [A100]}]
"""
POOLS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 4}
  template:
    spec:
      expireAfter: Never
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  limits: {nvidia.com/gpu: 4}
  template:
    spec:
      expireAfter: Never
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC16as_T4_v3]}
      taints:
      - {key: sku, value: gpu, effect: NoSchedule}
"""
CHAT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
  namespace: serving
  labels: {app: chat}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: chat
  template:
    metadata:
      labels:
        app: chat
    spec:
      containers:
      - name: chat
        image: contoso.azurecr.io/chat:1
        ports:
        - containerPort: 8000
        resources: {limits: {nvidia.com/gpu: 1}, requests: {memory: 200Gi}}
"""


def write(files: Mapping[str, str]) -> Setup:
    """Writes files."""

    def setup(folder: Path) -> None:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    return setup


def example(before: str, after: str) -> Setup:
    """The example fleet, committed, with one change after the commit."""

    def setup(folder: Path) -> None:
        shutil.copytree(ROOT / "overlays", folder / "overlays")
        text = (ROOT / "fleet.yaml").read_text(encoding="utf-8")
        (folder / "fleet.yaml").write_text(text, encoding="utf-8")
        work = repository(folder)
        work.commit()
        work.git("update-ref", "refs/remotes/origin/main", "HEAD")
        assert text.count(before) == 1
        (folder / "fleet.yaml").write_text(text.replace(before, after), encoding="utf-8")

    return setup


def starter(before: str = "", after: str = "", *, is_built: bool = False) -> Setup:
    """The fleet of `gitgpu init` with a change."""

    def setup(folder: Path) -> None:
        work = repository(folder)
        assert work.gitgpu("init", "--quiet") == 0
        assert not is_built or work.gitgpu("build", "--quiet") == 0
        text = (folder / "fleet.yaml").read_text(encoding="utf-8")
        (folder / "fleet.yaml").write_text(text.replace(before, after), encoding="utf-8")

    return setup


def own_catalog(vcpus: str | None = None) -> Setup:
    """A fleet with the configuration and the rows of the page, and a row of a size with these vCPUs."""

    def setup(folder: Path) -> None:
        page = (ROOT / "docs/how-to/own-catalog.md").read_text(encoding="utf-8")
        config, container, prices = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        files = {
            "fleet.yaml": FLEET.replace('"13.0"', '"12.8"'),
            ".gitgpu.yaml": config,
            "catalog-contoso/containers/nvidia-device-plugin.yaml": container,
            "catalog-contoso/prices/swedencentral.yaml": prices,
        }
        if vcpus:
            row = (ROOT / "catalog/skus/Standard_NC16as_T4_v3.yaml").read_text(encoding="utf-8")
            files["catalog-contoso/skus/Standard_NC16as_T4_v3.yaml"] = row.replace("vcpus: 16", f"vcpus: {vcpus}")
        write(files)(folder)

    return setup


NOTHING = write({})
LARGER_DISK = example(
    "  driver: operator\n  image: {family: Ubuntu2204, osDiskGB: 1024}\n  kubelet:\n    cpuManagerPolicy: static\n",
    "  driver: operator\n  image: {family: Ubuntu2204, osDiskGB: 1024}\n"
    "  overrides: [{clusters: [prod-eus], set: {image: {osDiskGB: 2048}}}]\n"
    "  kubelet:\n    cpuManagerPolicy: static\n",
)
# The setup of each block, in the order of the page. None: another test runs the page.
SETUPS: Mapping[str, tuple[Setup, ...] | None] = {
    "README.md": (
        write({"fleet.yaml": FLEET}),
        write({"clusters/gpu.yaml": MISPLACED_KEY}),
        NOTHING,
        write({"clusters/prod/a100.yaml": POOLS.partition("---\napiVersion: karpenter.sh")[0], "apps/chat.yaml": CHAT}),
        LARGER_DISK,
    ),
    "docs/explanation/what-the-catalog-knows.md": (NOTHING,),
    "docs/how-to/choose-a-size.md": (NOTHING,),
    "docs/how-to/keep-the-catalog-fresh.md": None,
    "docs/how-to/own-catalog.md": (own_catalog(), own_catalog("16"), own_catalog("sixteen")),
    "docs/how-to/pin-versions.md": None,
    "docs/how-to/review-a-change.md": (LARGER_DISK,),
    "docs/tutorial.md": (
        starter("limits:", "limit:"),
        starter(),
        starter("gpus: 2", "gpus: 4", is_built=True),
        starter(),
    ),
}
BLOCKS = [(page, number) for page, setups in SETUPS.items() for number in range(len(setups or ()))]


def consoles(page: str) -> list[str]:
    """The blocks of a page that show output of something else than a sample."""
    found = CONSOLE.findall((ROOT / page).read_text(encoding="utf-8"))
    return [block for block in found if not block.startswith(ENTER)]


def test_every_page_that_shows_output_is_tested() -> None:
    pages = [path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))]
    assert {page for page in pages if consoles(page)} == set(SETUPS)
    assert [page for page, setups in SETUPS.items() if setups and len(setups) != len(consoles(page))] == []


def test_every_how_to_shows_output() -> None:
    paths = {page for page in ROOT.glob("docs/how-to/*.md") if not CONSOLE.search(page.read_text(encoding="utf-8"))}
    assert sorted(page.name for page in paths) == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_output_of_samples_on_a_page_is_real(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m tools.shown_output PAGE` corrects it."""
    monkeypatch.setenv("COLUMNS", "80")
    for part, printed in real(page, tmp_path):
        assert agrees(part.lines, printed), "\n".join(["$ " + part.command, *printed])


def test_lines_that_are_left_out() -> None:
    printed = ["a", "b", "c"]
    assert agrees(printed, printed)
    assert agrees(["...", "c"], printed)
    assert agrees(["a", "...", "c", "..."], printed)
    assert not agrees(["a", "c"], printed)
    assert not agrees(["b", "..."], printed)
    assert not agrees(["a", "b"], printed)
    assert corrected(["alpha 1", "...", "gamma 1"], ["alpha 2", "beta 2", "gamma 2"]) == ("alpha 2", "...", "gamma 2")
    assert corrected(["alpha 1"], printed) == ("a", "b", "c")


def test_a_command_of_a_block_ends_with_its_line_unless_it_goes_on() -> None:
    block = "$ cd docs/samples/a\n$ gitgpu lint \\\n  b\nc\nd\n$ ls\n"
    assert shown(block) == (Shown("cd docs/samples/a", ()), Shown("gitgpu lint \\\n  b", ("c", "d")), Shown("ls", ()))


@pytest.mark.parametrize(("page", "number"), BLOCKS)
def test_output_on_a_page_is_real(page: str, number: int, tmp_path: Path, environment: dict[str, str]) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (SETUPS[page] or ())[number](folder)
    block = consoles(page)[number]
    commands = re.findall(r"^\$ (.*)$", block, re.MULTILINE)
    done = subprocess.run(
        ["bash", "-c", "\n".join(commands)], cwd=folder, env=environment, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    output = COMMIT.sub("(COMMIT)", done.stdout)
    shown = COMMIT.sub("(COMMIT)", re.sub(r"^\$ .*\n", "", block, flags=re.MULTILINE))
    for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE):
        assert part in output
