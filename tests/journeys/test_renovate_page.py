"""The page about Renovate: a bot changes a chart version, and its pull request passes all checks."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from tests.journeys.repository import Repository, repository
from tests.tools.test_renovate import pins, ring_pins
from tools.renovate import PRESET

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "update-versions-with-renovate.md"
ACTION = ROOT / "action.yml"
CLUSTER = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34", stack: {keda: helm}}
"""


def blocks(kind: str) -> list[Any]:
    """The blocks of the page in one language."""
    text = PAGE.read_text(encoding="utf-8")
    return [yaml.load(block, yaml.CSafeLoader) for block in re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", text)]


def fleet(root: Path) -> Repository:
    """A repository with the fleet of the page, as it was built and committed."""
    kind = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "Fleet", "metadata": {"name": "contoso"}}
    delivery = {"repository": "https://example.com/contoso"}
    spec = {**kind, "spec": {"delivery": delivery, **blocks("yaml")[0]["spec"]}}
    made = repository(root)
    (root / "fleet.yaml").write_text(yaml.safe_dump(spec, sort_keys=False) + CLUSTER, encoding="utf-8")
    assert made.gitgpu("build", "-q") == 0
    made.commit()
    return made


def test_the_rebuilt_branch_is_green(tmp_path: Path) -> None:
    fleet_of_page = fleet(tmp_path)
    spec = tmp_path / "fleet.yaml"
    [(name, old)] = pins(spec.read_text(encoding="utf-8"))
    assert name == "keda"
    spec.write_text(spec.read_text(encoding="utf-8").replace(old, "2.20.2"), encoding="utf-8")
    assert fleet_of_page.gitgpu("build", "--check", "-q") == 1
    *_, tasks = blocks("json")
    for command in tasks["postUpgradeTasks"]["commands"]:
        assert fleet_of_page.gitgpu(*command.split()[1:]) == 0
    assert fleet_of_page.gitgpu("build", "--check", "-q") == 0
    changed = fleet_of_page.git("status", "--porcelain", "--untracked-files=all").splitlines()
    assert {line[3:] for line in changed} == {"fleet.yaml", "overlays/prod-swc/controllers/helmrelease-keda.yaml"}


def test_a_version_that_the_catalog_does_not_have_fails(tmp_path: Path) -> None:
    fleet_of_page = fleet(tmp_path)
    spec = tmp_path / "fleet.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace("2.19.0", "2.99.0"), encoding="utf-8")
    assert fleet_of_page.gitgpu("build", "-q") == 1


def test_the_page_names_what_exists() -> None:
    config, *_ = blocks("json")
    action = yaml.load(ACTION.read_text(encoding="utf-8"), yaml.CSafeLoader)
    [extended] = [preset for preset in config["extends"] if preset.startswith("github>")]
    assert extended.partition("//")[2] == PRESET.relative_to(ROOT).with_suffix("").as_posix()
    assert json.loads(PRESET.read_text("utf-8"))["customManagers"]
    assert f'"{config["gitIgnoredAuthors"][0]}"' in ACTION.read_text(encoding="utf-8")
    _, workflow, _ = blocks("yaml")
    [*_, step] = workflow["jobs"]["rebuild"]["steps"]
    assert set(step["with"]) <= set(action["inputs"])
    assert f"`{step['with']['command']}`" in action["inputs"]["command"]["description"]


def test_a_bot_updates_the_first_ring_and_promote_the_others(tmp_path: Path) -> None:
    text = (PAGE.parent / "upgrade-the-gpu-operator.md").read_text(encoding="utf-8")
    [rings, *_] = re.findall(r"(?ms)^```yaml\n(.*?)^```$", text)
    made, spec = repository(tmp_path), tmp_path / "fleet.yaml"
    spec.write_text(rings, encoding="utf-8")
    for ring in ("canary", "staging", "prod"):
        assert made.gitgpu("upgrade", "keda=2.19.0", "--ring", ring, "-q") == 0
    first, each = (block["packageRules"][0]["matchDepTypes"] for block in blocks("json") if "packageRules" in block)
    in_rings = [pin for pin in ring_pins(spec.read_text(encoding="utf-8")) if pin[2]]
    assert sorted(ring for _, _, ring in in_rings) == sorted(each)
    [(name, version, ring)] = [pin for pin in in_rings if pin[2] not in first]
    assert (name, version, ring) == ("keda", "2.19.0", "canary")
    spec.write_text(spec.read_text(encoding="utf-8").replace(version, "2.20.2", 1), encoding="utf-8")
    for pair in (("canary", "staging"), ("staging", "prod")):
        assert made.gitgpu("promote", *pair, "-q") == 0
    assert {pin[1] for pin in ring_pins(spec.read_text(encoding="utf-8")) if pin[2]} == {"2.20.2"}
