"""The keys of a cluster's stack: each module finds the evidence for one of them."""
