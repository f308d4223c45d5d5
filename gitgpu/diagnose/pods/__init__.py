"""The verdict on each pod that waits."""
