"""Argo CD's application-controller and repo-server next to the API server, and their configuration.

Stand-ins: an in-memory implementation for Redis; and for argocd-server, which creates the project `default` and
registers clusters.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import yaml

from tests.e2e.binaries import go, kept
from tests.e2e.client import Client, Object
from tests.e2e.fleet import kustomize, namespace
from tests.e2e.processes import LOOPBACK, answers, free_port, running

MODULE = Path(__file__).parent / "argocd"
SOURCE = "github.com/argoproj/argo-cd/v3"
NAMESPACE = "argocd"
PROGRAMS = ("argocd-application-controller", "argocd-repo-server", "kustomize", "redis-server")  # names of one binary
VERIFY = "git-verify-wrapper.sh"  # run for every commit, even if signatures are not verified
APPLICATION = ("argoproj.io/v1alpha1", "Application")
ANY = "*"


def built() -> Path:
    """The folder with the programs, Argo CD's definitions and its settings; RuntimeError when Go cannot build them."""
    content = b"\0".join(path.read_bytes() for path in sorted(MODULE.iterdir()))
    return kept(f"argocd-{hashlib.sha256(content).hexdigest()[:12]}", "Argo CD: about 10 minutes on two cores", make)


def make(folder: Path) -> None:
    """Build the programs, and copy what else an Argo CD installation has from its module."""
    programs = folder / "bin"
    programs.mkdir()
    go("build", "-ldflags=-s -w", "-o", str(programs / "argocd"), ".", module=MODULE)
    upstream = Path(go("list", "-m", "-f", "{{.Dir}}", SOURCE, module=MODULE))  # downloaded by the build
    for name in PROGRAMS:
        (programs / name).symlink_to("argocd")
    (programs / VERIFY).write_bytes((upstream / "hack" / VERIFY).read_bytes())
    (programs / VERIFY).chmod(0o755)
    for source, into in (("crds", "crds"), ("base/config", "config")):
        (folder / into).mkdir()
        for path in (upstream / "manifests" / source).glob("*.yaml"):
            (folder / into / path.name).write_bytes(path.read_bytes())


def settings(argo: Path, component: Path, folder: Path) -> list[Object]:
    """Argo CD's own settings with a gitgpu component, included as the how-to says."""
    shutil.copytree(argo / "config", folder / "config")
    shutil.copytree(component, folder / "component")
    index = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": NAMESPACE,
        "resources": ["config"],
        "components": ["component"],
    }
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(index), encoding="utf-8")
    return kustomize(folder)


def registered(name: str, url: str) -> list[Object]:
    """The objects that argocd-server would create: the project `default`, and the cluster with this name."""
    labels = {"argocd.argoproj.io/secret-type": "cluster"}
    everything = {"group": ANY, "kind": ANY}
    spec = {
        "sourceRepos": [ANY],
        "destinations": [{"name": ANY, "namespace": ANY, "server": ANY}],
        "clusterResourceWhitelist": [everything],
    }
    return [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": f"cluster-{name}", "namespace": NAMESPACE, "labels": labels},
            "stringData": {"name": name, "server": url, "config": json.dumps({"tlsClientConfig": {}})},
        },
        {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "AppProject",
            "metadata": {"name": "default", "namespace": NAMESPACE},
            "spec": spec,
        },
    ]


@contextmanager
def argo_cd(argo: Path, kubeconfig: Path, client: Client, folder: Path, objects: Sequence[Object]) -> Iterator[None]:
    """The controller and the repo-server, with these settings, until the context ends."""
    namespace(client, NAMESPACE)
    for body in objects:
        client.apply(body)
    redis, repo_server, health = (f"{LOOPBACK}:{free_port()}" for _ in range(3))
    (folder / "tmp").mkdir()
    env = environment(argo, folder, redis)
    host, port = repo_server.split(":")
    metrics = health.split(":")[1]
    listens = [f"--address={host}", f"--port={port}", f"--metrics-address={host}", f"--metrics-port={metrics}"]
    to = [f"--kubeconfig={kubeconfig}", f"--repo-server={repo_server}", f"--redis={redis}"]
    with ExitStack() as stack:
        for name, arguments in {
            "redis-server": [redis],
            "argocd-repo-server": [*listens, "--disable-tls", "--client-ca-path="],
            "argocd-application-controller": to,
        }.items():
            program = stack.enter_context(running([argo / "bin" / name, *arguments], folder / f"{name}.log", env))
            if name == "argocd-repo-server":
                program.until(partial(answers, f"http://{health}/healthz"))
        yield


def environment(argo: Path, folder: Path, redis: str) -> Mapping[str, str]:
    """The environment of the programs: no settings of this user, and no file outside of `folder`."""
    return {
        "PATH": f"{argo / 'bin'}:{os.environ['PATH']}",
        "HOME": str(folder),
        "TMPDIR": str(folder / "tmp"),
        "KUBECONFIG": "",
        "REDIS_SERVER": redis,
        "ARGOCD_CONTROLLER_REPLICAS": "1",  # as in Argo CD's own manifests
        "ARGOCD_ASK_PASS_SOCK": str(folder / "tmp" / "ask-pass.sock"),
        "ARGOCD_GPG_ENABLED": "false",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
