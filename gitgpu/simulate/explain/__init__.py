"""What a packing means for people: verdicts, costs, the reason why a pod is unschedulable, what is uncertain."""
