//go:build !karpenter_1_14_3

package main

import (
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
)

// newProvisioner is Karpenter's provisioner.
func newProvisioner(
	kube client.Client, recorder events.Recorder, cloud cloudprovider.CloudProvider, cluster *state.Cluster, clock clock.Clock,
) *provisioning.Provisioner {
	return provisioning.NewProvisioner(kube, recorder, cloud, cluster, clock, nil)
}
