"""A dump of a cluster: its objects and events, without secrets."""
