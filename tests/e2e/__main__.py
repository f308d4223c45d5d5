"""`make e2e`: checks the prerequisites, builds what is missing, and runs the tests. Exit status 2: cannot run here."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e import argo, binaries, crds
from tests.e2e.plane import given

HERE = Path(__file__).parent


def obstacle() -> str:
    """Why the tests cannot run on this machine, or ""."""
    missing = [name for name in ("git", "kubectl") if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    if not crds.folders():
        return "no CRDs: name a folder that has them in GITGPU_E2E_CRDS (python -m tools.crds FOLDER makes one)"
    if given():
        return in_use()
    if not shutil.which("go"):
        return "no control plane: set KUBECONFIG to an empty cluster (kind create cluster), or install Go"
    return ""


def in_use() -> str:
    """Why the cluster in KUBECONFIG must not be used for tests, or ""."""
    arguments = ["kubectl", "get", "customresourcedefinitions", "--output=name", "--request-timeout=20s"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"the cluster that KUBECONFIG names does not answer: {done.stderr.strip().splitlines()[-1]}"
    count = len(done.stdout.split())
    if count:
        return f"the cluster that KUBECONFIG names has {count} CRDs; the tests apply and delete, and need an empty one"
    return ""


def stop(*_: object) -> None:
    """Ends like Ctrl-C, so that all started processes are stopped too."""
    raise KeyboardInterrupt


def main(arguments: list[str]) -> int:
    """Runs the tests with these arguments for pytest. Returns its exit status."""
    if {"-h", "--help"} & set(arguments):
        print("usage: python -m tests.e2e [ARGUMENT OF pytest]...\n\n" + str(__doc__))
        return 0
    reason = obstacle()
    if not reason and shutil.which("go"):
        try:
            binaries.binaries()
            argo.built()
        except RuntimeError as error:
            reason = str(error)
    if reason:
        print(f"make e2e cannot run: {reason}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, stop)
    os.environ.setdefault("COLUMNS", "120")
    return int(pytest.main([str(HERE), "-p", "no:cacheprovider", *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
