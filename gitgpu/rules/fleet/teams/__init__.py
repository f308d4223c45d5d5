"""Teams: their namespaces, quotas, priorities and queues."""

PREFIX = "TEA"  # of the codes of new rules
KINDS = frozenset({"teams", "workloads"})
NEEDS = "teams"  # without any, no rule finds anything
