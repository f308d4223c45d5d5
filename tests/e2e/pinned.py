"""Charts by version: the releases of overlays, default values and definitions of upstream, and the charts themselves.

Default values and definitions are read from `../shared/upstream`. GITGPU_E2E_CHARTS names a folder with charts, as
`<chart>-<version>.tgz` or unpacked.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from tests.e2e.binaries import go, kept
from tests.e2e.client import Object
from tests.e2e.crds import SHARED
from tests.e2e.fleet import ROOT, gitgpu, layers

UPSTREAM = SHARED / "upstream"
VALUES, DEFINITIONS = UPSTREAM / "chart-values", UPSTREAM / "crds"
HELM = Path(__file__).parent / "helm"
SUBCHARTS = ("node-feature-discovery",)
UNLISTED = {"gpu-operator": ("dcgmExporter.config",)}  # its template clusterpolicy.yaml reads it; it has no default
PROJECTS = {"kaito-workspace": "kaito"}  # whose folder of definitions has another name than the software


class Release(NamedTuple):
    """A release of a chart in overlays: its name, which is that of the software in the catalog, and its values."""

    name: str
    chart: str
    version: str
    namespace: str
    values: Mapping[str, Any]


def releases(objects: Iterable[Object]) -> Iterator[Release]:
    """The releases among some objects, of Flux or of Argo CD."""
    bodies = list(objects)
    tags = {body["metadata"]["name"]: body["spec"]["ref"]["tag"] for body in bodies if body["kind"] == "OCIRepository"}
    for body in bodies:
        spec, name = body.get("spec", {}), body["metadata"]["name"]
        if body["kind"] == "HelmRelease":
            chart = spec["chart"]["spec"] if "chart" in spec else {"chart": name, "version": tags[name]}
            place = spec["targetNamespace"]
            yield Release(name, chart["chart"], str(chart["version"]), place, spec.get("values", {}))
        elif body["kind"] == "Application" and "source" in spec:
            source, place = spec["source"], spec["destination"]["namespace"]
            helm = source["helm"]
            version = str(source["targetRevision"])
            yield Release(helm["releaseName"], source["chart"], version, place, helm.get("valuesObject", {}))


def known_versions(name: str) -> dict[str, Path]:
    """The files of default values of a chart, by version without a leading v."""
    paths = VALUES.glob(f"{name}-v*.values.yaml")
    return {path.name.removeprefix(f"{name}-v").removesuffix(".values.yaml"): path for path in paths}


def unknown_keys(release: Release, path: Path) -> list[str]:
    """The keys that the default values of the chart do not have, with dots. Those of subcharts are not known."""
    own = {key: value for key, value in release.values.items() if key not in SUBCHARTS}
    return [key for key in _unknown(own, read(path), "") if key not in UNLISTED.get(release.name, ())]


def _unknown(values: Mapping[str, Any], defaults: Any, above: str) -> Iterator[str]:
    """A default that is empty or no mapping takes any keys."""
    for key, value in values.items():
        if key not in defaults:
            yield f"{above}{key}"
        elif isinstance(value, dict) and isinstance(defaults[key], dict) and defaults[key]:
            yield from _unknown(value, defaults[key], f"{above}{key}.")


def read(path: Path) -> dict[str, Any]:
    """A YAML file with a mapping."""
    return dict(yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) or {})


def definitions(software: str, version: str) -> Path:
    """The folder of the definitions that a version of some software brings, whether it exists or not."""
    return DEFINITIONS / f"{PROJECTS.get(software, software)}-{version.removeprefix('v')}"


def pinned_fleet(software: str, version: str, folder: Path) -> list[Object]:
    """The objects of the example fleet, built with one version for all clusters."""
    text = (ROOT / "fleet.yaml").read_text(encoding="utf-8")
    place = "    stack:\n      driver: aks\n"
    assert text.count(place) == 1
    pin = f"{place}      versions: {{{software}: {version}}}\n"
    (folder / "fleet.yaml").write_text(text.replace(place, pin), encoding="utf-8")
    gitgpu(folder, "build")
    names = sorted(path.name for path in (folder / "overlays").iterdir() if path.is_dir())
    return [body for name in names for layer in layers(name, folder / "overlays") for body in layer.objects]


def charts() -> Path | None:
    """The folder with charts, or nothing."""
    named = os.environ.get("GITGPU_E2E_CHARTS")
    return Path(named) if named else None


def archive(release: Release, folder: Path) -> Path | None:
    """The chart of a release in a folder; None if it is not there."""
    plain = release.version.removeprefix("v")
    names = [f"{release.chart}-{version}{end}" for version in (plain, f"v{plain}") for end in (".tgz", "")]
    return next((folder / name for name in names if (folder / name).exists()), None)


def helm() -> Path:
    """The program `helm`, built by Go from its pinned module when it is not there."""
    content = b"\0".join((HELM / name).read_bytes() for name in ("go.mod", "go.sum"))
    return (
        kept(f"helm-{hashlib.sha256(content).hexdigest()[:12]}", "Helm: about 2 minutes on two cores", _make) / "helm"
    )


def _make(folder: Path) -> None:
    go("build", "-ldflags=-s -w", "-o", f"{folder}/", "tool", module=HELM)


def rendered(release: Release, chart: Path, folder: Path) -> str:
    """What Helm renders for a release. Raises AssertionError with its message if it cannot."""
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(dict(release.values)), encoding="utf-8")
    options = ["--namespace", release.namespace, "--values", str(file), "--kube-version", "1.36.2"]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    command = [str(helm()), "template", release.name, str(chart), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def default_values(chart: Path) -> dict[str, Any]:
    """The default values of a chart, without those of its subcharts."""
    done = subprocess.run([str(helm()), "show", "values", str(chart)], capture_output=True, text=True, check=True)
    return dict(yaml.load(done.stdout, yaml.CSafeLoader) or {})
