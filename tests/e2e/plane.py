"""A control plane on loopback: etcd, the API server, and the controllers that the tests need."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.e2e.processes import LOOPBACK, answers, free_port, running

TOKEN = "gitgpu-e2e"  # of a user who may do everything, on an API server that only this machine reaches
# A service has an address in here, so that a call to a webhook or an aggregated API server stays on this machine.
SERVICES = "127.128.0.0/16"
CONTROLLERS = (
    "cronjob-controller",
    "daemonset-controller",
    "disruption-controller",
    "garbage-collector-controller",
    "job-controller",
    "namespace-controller",
    "resourceclaim-controller",
    "root-ca-certificate-publisher-controller",
    "serviceaccount-controller",
)
SERVING = re.compile(rb"Starting to serve on 127\.0\.0\.1:(\d+)")


def given() -> Path | None:
    """The kubeconfig that the caller names, or nothing."""
    named = os.environ.get("KUBECONFIG")
    return Path(named) if named else None


@contextmanager
def control_plane(binaries: Path, folder: Path) -> Iterator[Path]:
    """A new control plane; its kubeconfig. All of its files are in `folder`, which nothing else uses."""
    with ExitStack() as stack:
        store = stack.enter_context(etcd(binaries, folder))
        kubeconfig = stack.enter_context(api_server(binaries, folder, store))
        stack.enter_context(controller_manager(binaries, folder, kubeconfig))
        yield kubeconfig


@contextmanager
def etcd(binaries: Path, folder: Path) -> Iterator[str]:
    """A store, and the URL that it answers at. Without fsync: the data is thrown away."""
    client, peer = (f"http://{LOOPBACK}:{free_port()}" for _ in range(2))
    urls = [f"--{kind}-client-urls={client}" for kind in ("listen", "advertise")]
    peers = ["--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer, "--initial-cluster=default=" + peer]
    arguments = [*urls, *peers, f"--data-dir={folder / 'etcd'}", "--unsafe-no-fsync", "--log-level=warn"]
    with running([binaries / "etcd", *arguments], folder / "etcd.log") as program:
        program.until(lambda: answers(f"{client}/health"))
        yield client


@contextmanager
def api_server(binaries: Path, folder: Path, store: str) -> Iterator[Path]:
    """The API server that keeps its objects in `store`; its kubeconfig."""
    port = free_port()
    certificates = folder / "certificates"
    key = certificates / "apiserver.key"  # made by the API server itself, and good enough for tokens too
    (folder / "tokens.csv").write_text(f"{TOKEN},e2e,e2e,system:masters\n", encoding="utf-8")
    arguments = [
        f"--etcd-servers={store}",
        f"--bind-address={LOOPBACK}",
        f"--advertise-address={LOOPBACK}",
        f"--secure-port={port}",
        f"--cert-dir={certificates}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--authorization-mode=RBAC",
        f"--service-cluster-ip-range={SERVICES}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-signing-key-file={key}",
        f"--service-account-key-file={key}",
        "--allow-privileged=true",
        "--endpoint-reconciler-type=none",  # there are no endpoints, and loopback would be refused as one
    ]
    with running([binaries / "kube-apiserver", *arguments], folder / "kube-apiserver.log") as program:
        program.until((certificates / "apiserver.crt").exists)
        kubeconfig = write_kubeconfig(folder, port)
        with proxy(kubeconfig, folder) as url:
            program.until(lambda: answers(f"{url}/readyz"))
        yield kubeconfig


def write_kubeconfig(folder: Path, port: int) -> Path:
    """The way to the API server as a file. JSON is YAML."""
    kubeconfig = folder / "kubeconfig"
    server = {
        "server": f"https://{LOOPBACK}:{port}",
        "certificate-authority": str(folder / "certificates" / "apiserver.crt"),
    }
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "e2e", "cluster": server}],
        "users": [{"name": "e2e", "user": {"token": TOKEN}}],
        "contexts": [{"name": "e2e", "context": {"cluster": "e2e", "user": "e2e"}}],
        "current-context": "e2e",
    }
    kubeconfig.write_text(json.dumps(content), encoding="utf-8")
    return kubeconfig


@contextmanager
def controller_manager(binaries: Path, folder: Path, kubeconfig: Path) -> Iterator[None]:
    """What of kube-controller-manager the tests need. No scheduler and no kubelet: a pod is made, and stays Pending."""
    certificates = folder / "certificates"
    arguments = [
        f"--kubeconfig={kubeconfig}",
        f"--controllers={','.join(CONTROLLERS)}",
        f"--service-account-private-key-file={certificates / 'apiserver.key'}",
        f"--root-ca-file={certificates / 'apiserver.crt'}",
        "--leader-elect=false",
        "--secure-port=0",
    ]
    with running([binaries / "kube-controller-manager", *arguments], folder / "kube-controller-manager.log"):
        yield


@contextmanager
def proxy(kubeconfig: Path, folder: Path) -> Iterator[str]:
    """The API of a cluster as plain HTTP on loopback: kubectl knows every way to log in."""
    log = folder / "proxy.log"
    with running(["kubectl", "proxy", f"--kubeconfig={kubeconfig}", "--port=0"], log) as program:
        match = program.until(lambda: SERVING.search(log.read_bytes()))
        yield f"http://{LOOPBACK}:{match[1].decode()}"
