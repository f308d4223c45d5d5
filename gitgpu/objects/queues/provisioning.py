"""Provisioning requests: Kueue asks the cluster autoscaler for nodes before it starts a workload."""

CONTROLLER = "kueue.x-k8s.io/provisioning-request"  # of an AdmissionCheck
