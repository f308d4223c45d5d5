"""Why replicas stay as they are: what autoscalers say about themselves."""
