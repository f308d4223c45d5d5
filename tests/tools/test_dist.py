"""What `make dist` demands of an SBOM, and the step of the image that it runs. The rest needs a network."""

from pathlib import Path
from typing import Any

import pytest

from tools import dist

CLICK = {"name": "click", "purl": "pkg:pypi/click@8.5.1"}


def sbom(version: str | None = "0.1.0", components: tuple[dict[str, str], ...] = ()) -> dict[str, Any]:
    """An SBOM with what is checked."""
    component = {"name": "gitgpu"} | ({} if version is None else {"version": version})
    return {"metadata": {"timestamp": "2026-12-01T00:00:00+00:00", "component": component}, "components": components}


@pytest.fixture(autouse=True)
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release that depends on one package."""
    (tmp_path / "requirements.txt").write_text("click==8.5.1 \\\n    --hash=sha256:0\n", encoding="utf-8")
    monkeypatch.setattr(dist, "ROOT", tmp_path)


def test_an_sbom_of_the_locked_packages_is_accepted() -> None:
    assert list(dist.sbom_faults(sbom(components=(CLICK,)), "0.1.0")) == []


@pytest.mark.parametrize("version", [None, "0.0.9"])
def test_an_sbom_says_which_version_it_is_of(version: str | None) -> None:
    assert list(dist.sbom_faults(sbom(version), "0.1.0")) == ["gitgpu has not the version 0.1.0"]


def test_an_sbom_has_a_time() -> None:
    timeless = sbom()
    del timeless["metadata"]["timestamp"]
    assert list(dist.sbom_faults(timeless, "0.1.0")) == ["it has no time"]


@pytest.mark.parametrize("purl", ["pkg:pypi/pip@23.2.1", "pkg:pypi/click@8.5.0"])
def test_an_sbom_lists_nothing_that_gitgpu_does_not_install(purl: str) -> None:
    """Such as the pip of the environment, whose vulnerabilities are not gitgpu's."""
    found = dist.sbom_faults(sbom(components=({"name": "it", "purl": purl},)), "0.1.0")
    assert list(found) == ["it is not in requirements.txt"]


def test_the_step_of_the_image_is_run_in_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dist, "ROOT", Path(__file__).parents[2])
    step = dist.image_step(Path("/somewhere"))
    assert step.startswith("python -m venv /somewhere/opt/gitgpu \\\n")
    assert " --require-hashes -r /somewhere/tmp/requirements.txt" in step
    assert step.count("/somewhere/opt/gitgpu") == 4
    assert " /tmp" not in step
    assert " /opt" not in step
