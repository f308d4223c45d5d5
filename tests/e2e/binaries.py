"""The control plane and Flux's controllers as binaries: built once from pinned Go modules, then cached."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

MODULE = Path(__file__).parent / "controlplane"
REQUIRED = re.compile(r"^\t(\S+) (v\S+)$", re.MULTILINE)
TOOL = re.compile(r"^\t(\S+)$", re.MULTILINE)
NAMES = {"server": "etcd"}  # Go names a binary after the last part of its path that is not a version


def cache() -> Path:
    """The folder for binaries: GITGPU_E2E_CACHE, or else the cache directory of the user."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("GITGPU_E2E_CACHE") or Path(home) / "gitgpu-e2e")


def pins(module: Path = MODULE) -> dict[str, str]:
    """The version that go.mod requires of every module that is built as it is, by its path."""
    text = (module / "go.mod").read_text(encoding="utf-8")
    return dict(REQUIRED.findall(text.partition("\nrequire (")[2].partition(")")[0]))


def tools() -> list[str]:
    """The packages that are built: the tool lines of go.mod."""
    return TOOL.findall(block("tool"))


def block(word: str) -> str:
    """The first block of go.mod that begins with this word."""
    return (MODULE / "go.mod").read_text(encoding="utf-8").partition(f"\n{word} (")[2].partition(")")[0]


def linker_flags() -> str:
    """Kubernetes reports a version only if the linker gets one; without symbols the binaries are a third smaller."""
    version = pins()["k8s.io/kubernetes"]
    major, minor, _ = version.removeprefix("v").split(".")
    stamps = {"gitVersion": version, "gitMajor": major, "gitMinor": minor}
    return " ".join(["-s -w", *(f"-X k8s.io/component-base/version.{name}={value}" for name, value in stamps.items())])


def digest() -> str:
    """Twelve hexadecimal digits that change with the inputs of the binaries."""
    made_of = [linker_flags().encode(), *((MODULE / name).read_bytes() for name in ("go.mod", "go.sum"))]
    return hashlib.sha256(b"\0".join(made_of)).hexdigest()[:12]


def go(*arguments: str, module: Path = MODULE) -> str:
    """The output of a go command in a module."""
    done = subprocess.run(["go", *arguments], cwd=module, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def binaries() -> Path:
    """The folder of the binaries, built when it is not there; RuntimeError when Go cannot build them."""
    return kept(digest(), f"{', '.join(tools())}: about 15 minutes on two cores", build)


def build(folder: Path) -> None:
    """Build the binaries into a folder."""
    go("build", f"-ldflags={linker_flags()}", "-o", f"{folder}/", "tool")
    for built, name in NAMES.items():
        (folder / built).rename(folder / name)
    crds_of_flux(folder / "crds")


def kept(name: str, what: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name in the cache, made when it is not there; RuntimeError when it cannot be made."""
    folder = cache() / name
    if folder.is_dir():
        return folder
    print(f"building {what}, once", flush=True)
    making = folder.with_name(f"{folder.name}.{os.getpid()}")
    making.mkdir(parents=True)
    try:
        make(making)
        making.rename(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        shutil.rmtree(making, ignore_errors=True)
        if not folder.is_dir():  # another run may have created it
            raise RuntimeError(f"Go cannot build {what.partition(':')[0]}: {error}") from error
    return folder


def crds_of_flux(into: Path) -> None:
    """Copy the CRDs that Flux's controllers bring along: a controller does not start without all of its kinds."""
    into.mkdir()
    for module in (pin for pin in pins() if pin.startswith("github.com/fluxcd/")):
        for crd in sorted(Path(go("list", "-m", "-f", "{{.Dir}}", module), "config", "crd", "bases").glob("*.yaml")):
            (into / crd.name).write_bytes(crd.read_bytes())
