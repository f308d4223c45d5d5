"""The script gives each managed identity of KEDA a federated credential, unless it has one."""

import os
import subprocess
from pathlib import Path

import pytest

from gitgpu.emit.pages.cluster_commands import PAGE
from tests.emit.fleets import CLUSTER_ID, Body, cluster, document, fleet, plans, pool

FIRST, SECOND = "11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-000000000000"
AZ = """\
#!/bin/sh
case "$*" in
*"identity list"*unknown*) ;;
*"identity list"*name*) echo kedaid ;;
*"identity list"*) echo ids ;;
*"aks show"*) echo https://issuer/ ;;
*"federated-credential list"*) cat "$KNOWN" ;;
*) echo "$*" >>"$CALLS" ;;
esac
"""


def script(keda: str = "addon", *identities: str) -> str:
    stack: Body = {"keda": keda, "metrics": {"scrape": "prometheus-operator", "server": "http://prometheus:9090"}}
    workloads = [
        document(
            "GpuWorkload",
            f"w{number}",
            {
                "pools": ["p"],
                "target": {"kind": "Deployment", "name": f"w{number}"},
                "scaling": {
                    "max": 2,
                    "identity": identity,
                    "triggers": [{"storageQueue": {"account": "contosojobs", "queue": "render"}, "target": 1}],
                },
            },
            namespace="work",
        )
        for number, identity in enumerate(identities or (FIRST,))
    ]
    return PAGE.write(plans(fleet(), cluster(resourceId=CLUSTER_ID, stack=stack), pool("p"), *workloads)["one"])


@pytest.mark.parametrize(("known", "created"), [("", 2), ("own\n", 0)])
def test_a_credential_is_created_once(tmp_path: Path, known: str, created: int) -> None:
    text = script("addon", FIRST, SECOND)
    part = text[text.index("federate() {") :].partition("\n\n")[0]
    (tmp_path / "az").write_text(AZ)
    (tmp_path / "az").chmod(0o755)
    (tmp_path / "known").write_text(known)
    calls = tmp_path / "calls"
    calls.touch()
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "KNOWN": str(tmp_path / "known"),
        "CALLS": str(calls),
    }
    head = "set -eu\nRESOURCE_GROUP=group\nCLUSTER=one\n"
    subprocess.run(["sh", "-c", head + part], check=True, env=environment)
    lines = calls.read_text().splitlines()
    assert len(lines) == created
    wanted = "--issuer https://issuer/ --subject system:serviceaccount:kube-system:keda-operator"
    assert all(wanted in line for line in lines)


def test_an_identity_that_is_not_found_is_named(tmp_path: Path) -> None:
    text = script()
    part = text[text.index("federate() {") :].partition("\n\n")[0].replace(FIRST, "unknown")
    (tmp_path / "az").write_text(AZ)
    (tmp_path / "az").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    head = "set -eu\nRESOURCE_GROUP=group\nCLUSTER=one\n"
    done = subprocess.run(["sh", "-c", head + part], check=True, env=environment, capture_output=True, text=True)
    assert done.stderr.startswith("unknown is not an identity of this subscription")


def test_the_subject_is_the_account_of_the_chart_or_of_the_add_on() -> None:
    assert f"federate {FIRST} system:serviceaccount:kube-system:keda-operator\n" in script()
    assert f"federate {FIRST} system:serviceaccount:keda:keda-operator\n" in script("helm")
