"""Teams: their namespaces, quotas, priorities and queues."""

PREFIX = "TEA"  # of the codes of new rules
KINDS = frozenset({"models", "teams", "workloads"})
NEEDS = "teams"  # without any, no rule finds anything
