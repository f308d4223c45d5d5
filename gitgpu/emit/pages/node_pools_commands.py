"""The node pools of a cluster as commands of the Azure CLI."""

import json
from collections.abc import Iterator, Sequence
from shlex import join, quote

from gitgpu.emit.node.agent_pool import cluster_options
from gitgpu.emit.node.agent_pool_options import missing_options, setting_options
from gitgpu.emit.page import Page
from gitgpu.model.spec.delivery import AZ
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.fields.agent_pool import properties, resources

NEWER = """
# Azure CLI {version} or newer is needed for {pools}."""
PREVIEW = """
# Azure Service Operator does not support {pools}: they use preview features, which need this extension.
az extension add --upgrade --name aks-preview"""
RETIRING = """
# The Azure CLI does not know all fields of {pools}, which retire, and might drop these. This extension does.
az extension add --upgrade --name aks-preview"""
ELSEWHERE = """\
# The Azure CLI has no stable option for a setting of these pools, so they are not created here.
elsewhere() {
  az aks nodepool show $CLUSTER --name "$1" --output none 2>/dev/null ||
    echo "create $1 with node-pools.bicep: the Azure CLI has no stable option for $2" >&2
}
"""
# `az rest` does not wait, and AKS allows one change of a cluster at a time.
BY_API = """\
# Creates a pool by Azure's API: the Azure CLI has no option for a field of it, or only its preview extension has one.
# $2 is the oldest version of the API that has every field of the pool.
put() {{
  az aks nodepool show $CLUSTER --name "$1" --output none 2>/dev/null || {{
    az rest --method put --body "@$KUBELET/$1-pool.json" --output none \\
      --url "{url}/agentPools/$1?api-version=$2"
    az aks nodepool wait $CLUSTER --name "$1" --created
  }}
}}
"""
IMAGE = """\
# The driver of this pool's GPUs needs node image {version} or newer. If this command shows an older one, upgrade with
# az aks nodepool upgrade --node-image-only:
az aks nodepool show $CLUSTER --name {name} --query nodeImageVersion --output tsv{missing}"""
HEAD = """\
# The node pools of this cluster. Existing pools are not changed, so this can be run again.
# Without Azure Service Operator, this creates all pools. With it, run this once for the autoscaled ones: AKS requires
# an initial number of nodes for a new pool, and an object with that number would override the autoscaler later.
set -eu
KUBELET=$(mktemp -d)
trap 'rm -r "$KUBELET"' EXIT
create() {
  name=$1
  shift
  az aks nodepool show $CLUSTER --name "$name" --output none 2>/dev/null ||
    az aks nodepool add $CLUSTER --name "$name" "$@"
}
"""
EXTEND = """\
# Adds a size to a pool of virtual machines.
extend() {
  name=$1
  size=$2
  kind=$3
  shift 3
  az aks nodepool show $CLUSTER --name "$name" --query "virtualMachinesProfile.scale.[manual, autoscale][][].size" \\
    --output tsv | grep -qx "$size" || az aks nodepool "$kind" add $CLUSTER --name "$name" "$@"
}
"""
RETIRE = """\
# A retiring pool: the taint keeps new pods away. With a maximum number of nodes, the autoscaler may scale it to 0.
# Otherwise, scale it down manually (az aks nodepool scale). A pool that no longer exists is skipped.
retire() {
  name=$1
  taints=$2
  scaled=$(az aks nodepool show $CLUSTER --name "$name" --query enableAutoScaling --output tsv 2>/dev/null) || return 0
  if [ "$scaled" = true ]; then how=--update-cluster-autoscaler; else how=--enable-cluster-autoscaler; fi
  set -- ${3:+"$how" --min-count 0 --max-count "$3"}
  az aks nodepool update $CLUSTER --name "$name" --node-taints "$taints" "$@"
}
"""


def write(plan: ClusterPlan) -> str:
    """A script; "" on a cluster without node pools, and if they have another form."""
    return "\n".join(_lines(plan)) + "\n" if plan.node_pools and plan.cluster.delivery.has(AZ) else ""


def _lines(plan: ClusterPlan) -> Iterator[str]:
    retiring_pools = [pool for pool in plan.node_pools if pool.retires]
    kept_pools = [pool for pool in plan.node_pools if not pool.retires]
    elsewhere = ELSEWHERE if any(_elsewhere(pool) for pool in kept_pools) else ""
    put = BY_API.format(url=plan.cluster.resource_id) if any(pool.cli.unsupported for pool in kept_pools) else ""
    extend = EXTEND if any(len(pool.sizes) > 1 and not pool.cli.unsupported for pool in kept_pools) else ""
    retire = RETIRE if retiring_pools else ""
    yield f"{HEAD}{retire}{elsewhere}{put}{extend}CLUSTER={quote(cluster_options(plan.cluster))}"
    for version in sorted({pool.cli.version for pool in kept_pools if pool.cli.version}):
        yield NEWER.format(
            pools=", ".join(pool.name for pool in kept_pools if pool.cli.version == version), version=version
        )
    if early := [pool.name for pool in plan.node_pools if pool.cli.extension]:
        yield PREVIEW.format(pools=", ".join(early))
    if lost := [pool.name for pool in retiring_pools if pool.cli.unsupported]:
        yield RETIRING.format(pools=", ".join(lost))
    for pool in retiring_pools:
        maximum = () if pool.is_fixed or pool.sizes else (str(pool.maximum),)
        yield f"\n{join(('retire', pool.name, ','.join(pool.taints), *maximum))}"
    for pool in kept_pools:
        yield ""
        yield from _created(pool)


def _created(pool: NodePoolPlan) -> Iterator[str]:
    """The commands for a pool that is not retiring."""
    elsewhere = _elsewhere(pool)
    if pool.cli.unsupported:
        yield from _by_api(pool)
    elif elsewhere:
        yield join(("elsewhere", pool.name, " and ".join(elsewhere)))
    else:
        files = [(option, path, content) for option, path, content in _files(pool) if content]
        yield from (f'printf %s {quote(content)} >"{path}"' for _, path, content in files)
        named = [f'{option} "{path}"' for option, path, _ in files]
        yield " \\\n  ".join((f"create {pool.name}", *map(join, _options(pool)), *named))
        yield from _further_sizes(pool)
    if pool.node_image:
        yield IMAGE.format(version=pool.node_image, name=pool.name, missing=" || true" if elsewhere else "")


def _further_sizes(pool: NodePoolPlan) -> Iterator[str]:
    """The commands for all sizes of a pool but the first."""
    for size in pool.sizes[1:]:
        bounds = ("--min-count", str(size.minimum), "--max-count", str(size.maximum))
        scaled = ("auto-scale", "--node-vm-size", size.name, *bounds)
        fixed = ("manual-scale", "--vm-sizes", size.name, "--node-count", str(size.maximum))
        yield join(("extend", pool.name, size.name, *(fixed if size.is_fixed else scaled)))


def _by_api(pool: NodePoolPlan) -> Iterator[str]:
    """A call of Azure's API with the whole pool."""
    count = {} if pool.sizes else {"count": pool.minimum}
    body = {"properties": {**properties(pool), **count, **resources(pool)}}
    yield f"# No option of the Azure CLI sets {' and '.join(pool.cli.unsupported)}."
    yield f"cat >\"$KUBELET/{pool.name}-pool.json\" <<'END'\n{json.dumps(body, indent=2)}\nEND"
    yield f"put {pool.name} {pool.api}"


def _elsewhere(pool: NodePoolPlan) -> list[str]:
    """The settings without a stable option, for which the pool is not created here; none if the API creates it."""
    return [] if pool.cli.unsupported else list(missing_options(pool.settings))


def _files(pool: NodePoolPlan) -> Iterator[tuple[str, str, str]]:
    """The options that name a file, with the path of the file and its content; "" if it is not needed."""
    yield "--kubelet-config", f"$KUBELET/{pool.name}.json", json.dumps(pool.kubelet) if pool.kubelet else ""
    yield "--linux-os-config", f"$KUBELET/{pool.name}-linux.json", json.dumps(pool.linux) if pool.linux else ""
    yield "--message-of-the-day", f"$KUBELET/{pool.name}-motd", pool.settings.get("messageOfTheDay", "")


def _options(pool: NodePoolPlan) -> Iterator[Sequence[str]]:
    """The options, each with its values, without those that AKS decides."""
    yield "--mode", pool.mode
    if pool.sizes:  # the command creates one of them
        yield "--vm-set-type", "VirtualMachines", "--vm-sizes", pool.sizes[0].name
    else:
        yield "--node-vm-size", pool.size
    nodes = pool.sizes[0] if pool.sizes else pool
    yield "--node-count", str(nodes.minimum)
    if not nodes.is_fixed:
        yield "--enable-cluster-autoscaler", "--min-count", str(nodes.minimum), "--max-count", str(nodes.maximum)
    if pool.spot:
        yield "--priority", "Spot", "--eviction-policy", pool.eviction, "--spot-max-price", str(pool.max_price)
    yield "--gpu-driver", pool.gpu["driver"]
    if "nvidia" in pool.gpu:
        yield ("--enable-managed-gpu=true",)
    yield "--os-type", "Windows" if pool.windows else "Linux"
    if pool.streams:
        yield ("--enable-artifact-streaming",)
    if pool.fips:
        yield ("--enable-fips-image",)
    if pool.encrypted:
        yield ("--enable-encryption-at-host",)
    yield from setting_options(pool.settings)
    yield from ((option, str(value)) for option, value in _single_values(pool).items() if value is not None)
    yield from ((option, *values) for option, values in _listed(pool).items() if values)


def _single_values(pool: NodePoolPlan) -> dict[str, str | int | None]:
    return {
        "--os-sku": pool.os_sku,
        "--node-osdisk-size": pool.disk_gb,
        "--node-osdisk-type": pool.disk_type,
        "--max-pods": pool.max_pods,
        "--driver-type": pool.gpu.get("driverType"),
        "--gpu-instance-profile": pool.mig,
        "--gpu-mig-strategy": pool.gpu.get("nvidia", {}).get("migStrategy"),
        "--vnet-subnet-id": pool.subnet,
        "--crg-id": pool.reservation,
        "--node-taints": ",".join(pool.taints) or None,
    }


def _listed(pool: NodePoolPlan) -> dict[str, list[str]]:
    return {
        "--zones": list(pool.zones),
        "--labels": [f"{key}={value}" for key, value in pool.labels.items()],
        "--tags": [f"{key}={value}" for key, value in pool.tags.items()],
    }


PAGE = Page("node-pools.sh", write)
