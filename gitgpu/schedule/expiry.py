"""How old Karpenter lets a node become, and how long it waits for a VM to become one."""

# The default of expireAfter in the CRD of NodePool: karpenter.sh_nodepools.yaml in kubernetes-sigs/karpenter.
DEFAULT_EXPIRE_AFTER = "720h"
# The time in which a VM must register as a node: registrationTimeout in its nodeclaim/lifecycle/liveness.go.
REGISTRATION_TIMEOUT = "15m"
