"""The page about your own registry, run as written. az, helm and skopeo record their arguments."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.journeys.test_handover import steps

ROOT = Path(__file__).parents[2]
PAGE = "run-without-public-registries.md"
RECORD = '#!/bin/sh\necho "$(basename "$0")" "$@" >> {log}\n'
REGISTRY = """\
  registry:
    mirror: contoso.azurecr.io/mirror
    charts: oci://contoso.azurecr.io/charts
"""


@pytest.fixture
def environment(tmp_path: Path, gitgpu: str) -> dict[str, str]:
    """An environment with `gitgpu` of this checkout, and with programs that record their arguments."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gitgpu").write_text(gitgpu)
    for name in ("az", "helm", "skopeo"):
        (programs / name).write_text(RECORD.format(log=tmp_path / "calls"))
    for program in programs.iterdir():
        program.chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def built(tmp_path: Path, environment: dict[str, str]) -> Path:
    """The example fleet with the registry of the page, after every step of the page."""
    assert REGISTRY in (ROOT / "docs/how-to" / PAGE).read_text(encoding="utf-8")
    text = (ROOT / "fleet.yaml").read_text(encoding="utf-8")
    (tmp_path / "fleet.yaml").write_text(text.replace("spec:\n", f"spec:\n{REGISTRY}", 1), encoding="utf-8")
    printed = [
        subprocess.run(
            ["bash", "-e", "-c", step], cwd=tmp_path, env=environment, check=True, text=True, capture_output=True
        ).stdout
        for step in steps(PAGE)
    ]
    assert any("only the mirror" in text.splitlines() for text in printed)
    return tmp_path


def test_what_is_copied_is_what_the_overlays_name(built: Path) -> None:
    calls = (built / "calls").read_text(encoding="utf-8").splitlines()
    copied = {
        f"contoso.azurecr.io/{target}"
        for call in calls
        for target in re.findall(r"az acr import .*--image (\S+)", call)
    }
    by_skopeo = set(
        re.findall(r"docker://(contoso\S+)$", (built / "copy-with-skopeo.sh").read_text("utf-8"), re.MULTILINE)
    )
    assert copied == by_skopeo
    images = {image.partition("@")[0] for image in named(built / "overlays")}
    assert {image for image in images if "/mirror/" in image} <= copied
    pushed = {
        Path(word).name for call in calls if call.startswith("helm push") for word in call.split() if ".tgz" in word
    }
    assert pushed == {f"{name}-{version}.tgz" for name, version in charts(built / "overlays")}


def objects(folder: Path) -> Iterator[dict[str, object]]:
    """The objects in the files of a folder."""
    for path in sorted(folder.rglob("*.yaml")):
        yield from (body for body in yaml.load_all(path.read_text("utf-8"), yaml.CSafeLoader) if body)


def named(folder: Path) -> Iterator[str]:
    """The images of containers in a folder."""
    for path in sorted(folder.rglob("*.yaml")):
        yield from re.findall(r"^ *(?:- )?image: (\S+/\S+)$", path.read_text("utf-8"), re.MULTILINE)


def charts(folder: Path) -> set[tuple[str, str]]:
    """The names and versions of the charts that Flux and Argo CD install."""
    pins = set()
    for body in objects(folder):
        spec = body.get("spec")
        if body["kind"] == "OCIRepository" and isinstance(spec, dict):
            pins.add((spec["url"].rpartition("/")[2], spec["ref"]["tag"]))
        elif body["kind"] == "Application" and isinstance(spec, dict) and "chart" in spec.get("source", {}):
            pins.add((spec["source"]["chart"], spec["source"]["targetRevision"]))
    return pins
