"""What objects of Kueue say: flavors, quotas, queues, and the workloads in front of them."""
