"""Situations in which Azure refuses VMs."""

from tests.diagnose.recording.parts import (
    A100,
    BIND,
    LAUNCH,
    LIFECYCLE,
    PROVISION,
    T4,
    Situation,
    join,
    node_pool,
    refuse,
    situation,
    wait,
)

# The messages are those of pkg/providers/instance/offerings/commonerrorhandlers.go of Azure/karpenter-provider-azure
# (352646f, 2026-08-21), with the reasons of the condition Launched.
SKU_NOT_AVAILABLE = refuse(
    "create",
    "the requested SKU is unavailable for instance type SIZE in zone ZONE with capacity type CAPACITY, for more "
    "details please visit: https://aka.ms/azureskunotavailable",
    "SKUNotAvailable",
)
NOT_FOR_SUBSCRIPTION = refuse(
    "create",
    "VM size SIZE is not supported for this subscription in this location, for more details please visit: "
    "https://aka.ms/aks/vm-size-selector",
    "SKUNotAvailable",
)
FAMILY_QUOTA = refuse(
    "create",
    "subscription level CAPACITY vCPU quota for SIZE has been reached (may try provision an alternative instance type)",
    "SubscriptionQuotaReached",
)
SPOT_QUOTA = refuse(
    "create",
    "this subscription has reached the regional vCPU quota for spot (LowPriorityQuota). To scale beyond this limit, "
    "please review the quota increase process here: "
    "https://docs.microsoft.com/en-us/azure/azure-portal/supportability/low-priority-quota",
    "SubscriptionQuotaReached",
)
ZONE_FULL = refuse(
    "create",
    "unable to allocate resources in the selected zone (ZONE). (will try a different zone to fulfill your request)",
    "ZonalAllocationFailure",
)
ALLOCATION = refuse(
    "create",
    "unable to allocate resources with selected VM size (SIZE). (will try a different VM size to fulfill your request)",
    "AllocationFailure",
)
ZONE_OVERCONSTRAINED = refuse(
    "create",
    "unable to allocate resources in the selected zone (ZONE) with CAPACITY capacity type and SIZE VM size. (will try "
    "a different zone, capacity type or VM size to fulfill your request)",
    "OverconstrainedZonalAllocationFailure",
)
OVERCONSTRAINED = refuse(
    "create",
    "unable to allocate resources in all zones with CAPACITY capacity type and SIZE VM size. (will try a different "
    "capacity type or VM size to fulfill your request)",
    "OverconstrainedAllocationFailure",
)
REGIONAL_QUOTA = refuse(
    "capacity",
    "regional CAPACITY vCPU quota limit for subscription has been reached. To scale beyond this limit, please review "
    "the quota increase process here: https://learn.microsoft.com/en-us/azure/quotas/regional-quota-requests",
)
ONE_ZONE = [node_pool(zones=("eastus-1",))]
SPOT = [node_pool(capacity="spot")]
TWO_SIZES = [node_pool(sizes=(A100, T4))]
REFUSED = {"Pod ml/chat-0": "cloud-refused"}

REFUSING = {
    "sku-unavailable": Situation(
        situation(SKU_NOT_AVAILABLE, *LAUNCH, wait("1m")), REFUSED, (A100, "eastus", "Other sizes"), ("no-pool",)
    ),
    "sku-unavailable-claim-gone": Situation(
        situation(SKU_NOT_AVAILABLE, *LAUNCH, wait("10s"), LIFECYCLE, LIFECYCLE, wait("20s"), PROVISION, wait("1m")),
        REFUSED, ("refused",), ("the nearest is",),
    ),
    "size-not-for-subscription": Situation(
        situation(NOT_FOR_SUBSCRIPTION, *LAUNCH, wait("1m")), REFUSED, ("does not let this subscription use the size",)
    ),
    "family-quota": Situation(
        situation(FAMILY_QUOTA, *LAUNCH, wait("1m")), REFUSED, ("quota",), ("capacity now", "Other sizes")
    ),
    "low-priority-quota": Situation(
        situation(SPOT_QUOTA, *LAUNCH, wait("1m"), pools=SPOT), REFUSED, ("quota",), ("capacity now",)
    ),
    "quota-of-region": Situation(
        situation(REGIONAL_QUOTA, *LAUNCH, LIFECYCLE, wait("1m"), PROVISION, wait("1m")),
        REFUSED, ("quota",), ("no-pool",),
    ),
    "zone-full": Situation(situation(ZONE_FULL, *LAUNCH, wait("1m"), pools=ONE_ZONE), REFUSED, ("eastus-1",)),
    "allocation-failure": Situation(situation(ALLOCATION, *LAUNCH, wait("1m")), REFUSED, ("capacity",)),
    "zone-overconstrained": Situation(
        situation(ZONE_OVERCONSTRAINED, *LAUNCH, wait("1m"), pools=ONE_ZONE), REFUSED, ("eastus-1",)
    ),
    "all-zones-overconstrained": Situation(situation(OVERCONSTRAINED, *LAUNCH, wait("1m")), REFUSED, (A100,)),
    "subnet-without-addresses": Situation(
        situation(
            refuse("", 'Code="SubnetIsFull" Message="Subnet aks with address prefix 10.0.0.0/24 does not have enough '
                   'capacity for 1 IP addresses."'),
            *LAUNCH, wait("1m"),
        ),
        REFUSED, ("subnet",), ("quota of",),
    ),
    "authorization-missing": Situation(
        situation(
            refuse("", "RESPONSE 403: 403 Forbidden ERROR CODE: AuthorizationFailed: The client does not have "
                   "authorization to perform action 'Microsoft.Compute/virtualMachines/write'"),
            *LAUNCH, wait("1m"),
        ),
        {"Pod ml/chat-0": "stuck-node"}, ("AuthorizationFailed",), ("capacity",),
    ),
    "refused-then-other-size": Situation(
        situation(
            {**SKU_NOT_AVAILABLE, "refuse": {**SKU_NOT_AVAILABLE["refuse"], "size": T4}},
            *LAUNCH, wait("20s"), LIFECYCLE, LIFECYCLE, wait("2m"), join(), LIFECYCLE, LIFECYCLE, BIND,
            pools=TWO_SIZES,
        ),
        {}, ("nothing is wrong",), ("cloud-refused",),
    ),
    "refused-then-registering": Situation(
        situation(
            {**SKU_NOT_AVAILABLE, "refuse": {**SKU_NOT_AVAILABLE["refuse"], "size": T4}},
            *LAUNCH, wait("20s"), LIFECYCLE, LIFECYCLE, wait("2m"), LIFECYCLE,
            pools=TWO_SIZES,
        ),
        {"Pod ml/chat-0": "waiting-for-node"}, ("its kubelet has not joined",), ("cloud-refused",),
    ),
}  # fmt: skip
