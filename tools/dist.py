"""Makes the files of a release in dist/, and tries them: `python -m tools.dist`.

The wheel and the sdist are built twice, from two copies of the committed files in folders with other names, and must be
the same bytes. Each is then installed in an environment of its own, at the versions of requirements.txt, and used
where no checkout is near. The SBOM (CycloneDX) lists what the environment of the wheel contains. Needs a network.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: cuda, namespace: default}
spec:
  restartPolicy: Never
  tolerations: [{key: sku, operator: Equal, value: gpu, effect: NoSchedule}]
  containers:
  - name: cuda
    image: nvcr.io/nvidia/cuda:12.8.1-base-ubuntu24.04
    command: [nvidia-smi]
    resources: {limits: {nvidia.com/gpu: 1}}
"""


def run(command: Sequence[str | Path], folder: Path, wanted: int = 0) -> None:
    """Runs a program that must exit with this status."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "SOURCE_DATE_EPOCH")}
    print("+", *command, flush=True)
    status = subprocess.run([str(part) for part in command], cwd=folder, env=environment, check=False).returncode
    if status != wanted:
        raise SystemExit(f"exit status {status}, not {wanted}: {' '.join(map(str, command))}")


def build(folder: Path, umask: int) -> dict[str, bytes]:
    """File name -> content of the sdist, and of the wheel that is built from it, of the committed files."""
    checkout = folder / "checkout"
    run(["git", "clone", "--quiet", ROOT, checkout], folder)
    before = os.umask(umask)
    try:
        run([sys.executable, "-m", "build", "--outdir", folder / "dist", checkout], folder)
    finally:
        os.umask(before)
    return {path.name: path.read_bytes() for path in sorted((folder / "dist").iterdir())}


def install(folder: Path, package: Path) -> Path:
    """A new environment with this wheel or sdist at the locked versions. Returns the folder of its programs."""
    run([sys.executable, "-m", "venv", folder], ROOT)
    pip: list[str | Path] = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--require-hashes", "-r", ROOT / "requirements.txt"], ROOT)
    run([*pip, "--no-deps", package], ROOT)
    return folder / "bin"


def use(programs: Path, folder: Path) -> None:
    """What a new user does: a fleet, its manifests, a check of them, and where a pod would run."""
    folder.mkdir()
    gitgpu = programs / "gitgpu"
    run([gitgpu, "--version"], folder)
    run([gitgpu, "init"], folder)
    run([gitgpu, "validate"], folder)
    run([gitgpu, "build"], folder)
    run([gitgpu, "build", "--check"], folder)
    run([gitgpu, "lint", "overlays"], folder)
    (folder / "pod.yaml").write_text(POD, encoding="utf-8")
    run([gitgpu, "simulate", "--workloads", "pod.yaml"], folder)


def describe(python: Path, name: str) -> None:
    """Writes the SBOM of the environment of this interpreter."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--mc-type", "application"]
    run([*command, "--pyproject", "pyproject.toml", "--output-file", f"dist/{name}", python], ROOT)


def main() -> int:
    """Runs the command. Returns its exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a").mkdir()
        (folder / "second").mkdir()
        files = build(folder / "a", 0o022)
        if build(folder / "second", 0o077) != files:
            print("two builds of one commit differ", file=sys.stderr)
            return 1
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        for file, content in files.items():
            (DIST / file).write_bytes(content)
            use(install(folder / f"environment of {file}", DIST / file), folder / f"fleet of {file}")
        [wheel] = DIST.glob("*.whl")
        describe(folder / f"environment of {wheel.name}" / "bin" / "python", f"{wheel.name.split('-py3')[0]}.cdx.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
