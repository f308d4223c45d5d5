"""Settings with the names of Azure's agent pools reach the object, the commands and Bicep."""

import shlex
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from gitgpu.emit.pages.node_pools_bicep import PAGE as BICEP
from gitgpu.emit.pages.node_pools_commands import PAGE as COMMANDS
from tests.emit.fleets import T4, Body, fleet, plans, pool
from tests.emit.test_node_pools import autoscaled, by_bicep
from tests.emit.test_upstream_fields import AGENT_POOL, SPOT

OPTIONS = {
    "--mode": ["System"],
    "--scale-down-mode": ["Deallocate"],
    "--max-surge": ["33%"],
    "--max-unavailable": ["1"],
    "--drain-timeout": ["120"],
    "--node-soak-duration": ["5"],
    "--undrainable-node-behavior": ["Cordon"],
    "--enable-secure-boot": [],
    "--enable-vtpm": [],
    "--enable-node-public-ip": [],
    "--enable-ultra-ssd": [],
    "--allowed-host-ports": ["80/tcp", "81-90/udp"],
    "--node-public-ip-tags": ["RoutingPreference=Internet"],
    "--pod-ip-allocation-mode": ["StaticBlock"],
    "--message-of-the-day": ["$KUBELET/a-motd"],
}
PORTS = [
    {"portStart": 80, "portEnd": 80, "protocol": "TCP"},
    {"portStart": 81, "portEnd": 90, "protocol": "UDP"},
]


def documents(**spec: Any) -> list[Body]:
    """A fleet with one node pool."""
    return [fleet(), autoscaled(), pool("a", **{"nodes": {"min": 1, "max": 2}, **spec})]


def with_options(settings: Any) -> Any:
    """The settings for which the Azure CLI has an option."""
    if not isinstance(settings, dict):
        return settings
    return {key: with_options(value) for key, value in settings.items() if key not in ("kubeletDiskType", "sshAccess")}


def options(script: str) -> dict[str, list[str]]:
    """The options of the command that creates the pool, with their values."""
    (command,) = (line for line in script.replace("\\\n", " ").splitlines() if line.startswith("create a"))
    by_option: dict[str, list[str]] = {}
    values: list[str] = []
    for word in shlex.split(command)[2:]:
        if word.startswith("--"):
            values = by_option.setdefault(word, [])
        else:
            values.append(word)
    return by_option


def test_the_commands_have_an_option_for_each_setting() -> None:
    network = {**AGENT_POOL["networkProfile"], "allowedHostPorts": PORTS}
    (plan,) = plans(*documents(agentPool=with_options({**AGENT_POOL, "networkProfile": network}))).values()
    script = COMMANDS.write(plan)
    by_option = options(script)
    assert {key: by_option.get(key) for key in OPTIONS} == OPTIONS
    named = {"--ppg": "proximityPlacementGroupID", "--host-group-id": "hostGroupID", "--pod-subnet-id": "podSubnetID"}
    named["--node-public-ip-prefix-id"] = "nodePublicIPPrefixID"
    assert {key: by_option[key] for key in named} == {key: [AGENT_POOL[name]] for key, name in named.items()}
    assert by_option["--snapshot-id"] == [AGENT_POOL["creationData"]["sourceResourceId"]]
    assert by_option["--asg-ids"] == AGENT_POOL["networkProfile"]["applicationSecurityGroups"]
    assert "printf %s 'GPU node\n'" in script


def test_a_pool_with_a_setting_without_option_is_not_created_by_the_commands(tmp_path: Path) -> None:
    """Its node-pools.bicep creates it. The other pools are created all the same."""
    own = [*documents(agentPool=AGENT_POOL), pool("b", sku=T4, nodes={"min": 1, "max": 2})]
    (plan,) = plans(*own).values()
    script = COMMANDS.write(plan)
    assert "\ncreate a" not in script
    assert "\ncreate b" in script
    program = tmp_path / "az"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *show*) exit 3 ;; *add*) echo "$*" >> calls ;; esac\n', encoding="utf-8"
    )
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    said = "create a with node-pools.bicep: the Azure CLI has no stable option for sshAccess and kubeletDiskType\n"
    assert set(said.split()) == set(done.stderr.split())
    assert [call.split("--name ")[1][0] for call in (tmp_path / "calls").read_text().splitlines()] == ["b"]


def test_bicep_has_the_settings_in_the_words_of_azure() -> None:
    (plan,) = plans(*documents(agentPool=AGENT_POOL)).values()
    properties = by_bicep(BICEP.write(plan))["a"]
    encoded = b64encode(AGENT_POOL["messageOfTheDay"].encode()).decode()
    assert {key: properties[key] for key in AGENT_POOL} == {**AGENT_POOL, "messageOfTheDay": encoded}


@pytest.mark.parametrize(("price", "literal"), [(12.5, "=json('12.5')"), (3, 3)])
def test_a_price_is_a_number_that_bicep_can_read(price: float, literal: object) -> None:
    own = documents(sku=T4, capacity=["spot"], agentPool={**SPOT, "spotMaxPrice": price})
    (plan,) = plans(*own).values()
    assert by_bicep(BICEP.write(plan))["a"]["spotMaxPrice"] == literal
    by_option = options(COMMANDS.write(plan))
    assert (by_option["--spot-max-price"], by_option["--eviction-policy"]) == ([str(price)], ["Deallocate"])
