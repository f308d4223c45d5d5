"""Checks which objects of tests/simulate/refusals a real API server accepts, and which NodePools Karpenter uses."""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.e2e import binaries, crds
from tests.e2e.client import Client, Object, RefusedError
from tests.e2e.plane import control_plane, proxy
from tests.e2e.processes import until
from tests.simulate.recording.programs import answers, built
from tests.simulate.refusals.cases import RECORDED, cases

KARPENTER = ("karpenter.sh_nodepools.yaml", "karpenter.azure.com_aksnodeclasses.yaml")
ACCOUNT: Object = {
    "apiVersion": "v1",
    "kind": "ServiceAccount",
    "metadata": {"name": "default", "namespace": "default"},
}


def main() -> int:
    """Record the verdicts of a control plane on loopback. Needs Go once, kubectl, and the Karpenter CRDs."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with control_plane(binaries.binaries(), folder) as kubeconfig, proxy(kubeconfig, folder) as url:
            client = Client(url)
            crds.install(client, [of_karpenter(folder / "crds")])
            until(lambda: client.get(ACCOUNT), "namespace default has its ServiceAccount")
            answers: list[Object] = [{"object": case, "refused": refusal(client, case)} for case in cases()]
    pools = [answer for answer in answers if answer["object"]["kind"] == "NodePool" and not answer["refused"]]
    for pool, reason in zip(pools, not_ready([entry["object"] for entry in pools]), strict=True):
        pool["refused"] = reason
    lines = "".join(f"{json.dumps(answer)}\n" for answer in answers)
    RECORDED.write_text(lines, encoding="utf-8", newline="\n")
    return 0


def not_ready(pools: list[Object]) -> list[str]:
    """Why Karpenter's own RuntimeValidate does not let each NodePool become Ready; empty for those it does."""
    return [answer["notReady"] for answer in answers(built(), [{"nodepool": pool} for pool in pools])]


def of_karpenter(folder: Path) -> Path:
    """A folder with the definitions of Karpenter alone."""
    folder.mkdir()
    for name in KARPENTER:
        shutil.copy(crds.folders()[0] / name, folder)
    return folder


def refusal(client: Client, wanted: Object) -> str:
    """Why the API server does not take an object; empty when it does. Nothing is kept."""
    try:
        client.create(wanted, dry_run=True)
    except RefusedError as error:
        return error.message
    return ""


if __name__ == "__main__":
    sys.exit(main())
