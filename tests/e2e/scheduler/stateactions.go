//go:build !karpenter_1_14_3

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
)

// poolController is a controller of NodePools.
type poolController interface {
	Reconcile(context.Context, *karpv1.NodePool) (reconcile.Result, error)
}

var actions = map[string]func(*controllers, context.Context) error{
	"provision": (*controllers).provision,
	"lifecycle": (*controllers).reconcileClaims,
	"bind":      (*controllers).bindAll,
	"disrupt":   (*controllers).disrupt,
	"expire":    (*controllers).expire,
	"drain":     (*controllers).drain,
}

// provision is one loop of the provisioner.
func (c *controllers) provision(ctx context.Context) error {
	results, err := c.provisioner.Schedule(ctx)
	if err != nil {
		return err
	}
	for _, existing := range results.ExistingNodes {
		for _, pod := range existing.Pods {
			if existing.NodeClaim != nil {
				c.nominated[key(pod)] = existing.NodeClaim.Name
			}
		}
	}
	claims := slices.SortedFunc(slices.Values(results.NewNodeClaims), func(a, b *scheduling.NodeClaim) int {
		return cmp.Compare(first(a.Pods), first(b.Pods))
	})
	for _, claim := range claims {
		// One after the other, so that their names are in this order. A NodePool at its limit gets none.
		names, _ := c.provisioner.CreateNodeClaims(ctx, []*scheduling.NodeClaim{claim}, provisioning.RecordPodNomination)
		for _, pod := range claim.Pods {
			c.nominated[key(pod)] = names[0]
		}
	}
	return nil
}

func first(pods []*corev1.Pod) string {
	var names []string
	for _, pod := range pods {
		names = append(names, key(pod))
	}
	return slices.Min(names)
}

// reconcileClaims is one round of the lifecycle of every NodeClaim: launch, registration, initialization and liveness.
func (c *controllers) reconcileClaims(ctx context.Context) error {
	claims, err := list[karpv1.NodeClaim](ctx, c, &karpv1.NodeClaimList{})
	if err != nil {
		return err
	}
	for _, claim := range claims {
		var refused *cloudprovider.CreateError
		if _, err := c.lifecycle.Reconcile(ctx, claim); err != nil && !errors.As(err, &refused) && !errors.Is(err, errAzure) {
			return err
		}
	}
	return nil
}

func (c *controllers) reconcilePools(ctx context.Context) error {
	pools, err := list[karpv1.NodePool](ctx, c, &karpv1.NodePoolList{})
	if err != nil {
		return err
	}
	for _, pool := range pools {
		for _, one := range c.pools {
			latest := &karpv1.NodePool{}
			if err := c.client.Get(ctx, client.ObjectKeyFromObject(pool), latest); err != nil {
				return err
			}
			if _, err := one.Reconcile(ctx, latest); err != nil {
				return err
			}
		}
	}
	return nil
}

// bindAll is what kube-scheduler does: the pods of a NodeClaim go to its node once it is initialized.
func (c *controllers) bindAll(ctx context.Context) error {
	pods, err := list[corev1.Pod](ctx, c, &corev1.PodList{})
	if err != nil {
		return err
	}
	for _, pod := range pods {
		claim := &karpv1.NodeClaim{}
		if pod.Spec.NodeName != "" || c.client.Get(ctx, clientKey(c.nominated[key(pod)]), claim) != nil ||
			!claim.StatusConditions().Get(karpv1.ConditionTypeInitialized).IsTrue() {
			continue
		}
		pod.Spec.NodeName = claim.Status.NodeName
		if err := c.client.Update(ctx, pod); err != nil {
			return err
		}
		pod.Status.Phase, pod.Status.Conditions = corev1.PodRunning, nil
		if err := c.client.Status().Update(ctx, pod); err != nil {
			return err
		}
		if _, err := c.podEvents.Reconcile(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// disrupt is what Karpenter writes to NodeClaims that have drifted or may be consolidated, and a loop of its disruption.
func (c *controllers) disrupt(ctx context.Context) error {
	claims, err := list[karpv1.NodeClaim](ctx, c, &karpv1.NodeClaimList{})
	if err != nil {
		return err
	}
	for _, claim := range claims {
		if _, err := c.conditions.Reconcile(ctx, claim); err != nil {
			return err
		}
	}
	if err := c.observe(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	defer close(done)
	go c.passTime(done)
	_, err = c.disruption.Reconcile(ctx)
	return err
}

// passTime lets the time pass that Karpenter waits before it validates what it has decided.
func (c *controllers) passTime(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
			if c.clock.HasWaiters() {
				c.clock.Step(15 * time.Second)
			}
		}
	}
}

func (c *controllers) expire(ctx context.Context) error {
	claims, err := list[karpv1.NodeClaim](ctx, c, &karpv1.NodeClaimList{})
	if err != nil {
		return err
	}
	for _, claim := range claims {
		if _, err := c.expiration.Reconcile(ctx, claim); err != nil {
			return err
		}
	}
	return nil
}

// drain deletes the nodes of deleted NodeClaims, and evicts their pods.
func (c *controllers) drain(ctx context.Context) error {
	if err := c.reconcileClaims(ctx); err != nil {
		return err
	}
	nodes, err := list[corev1.Node](ctx, c, &corev1.NodeList{})
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if _, err := c.termination.Reconcile(ctx, node); err != nil {
			return fmt.Errorf("node %s: %w", node.Name, err)
		}
	}
	pods, err := list[corev1.Pod](ctx, c, &corev1.PodList{})
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if _, err := c.evictions.Reconcile(ctx, pod); err != nil {
			return err
		}
	}
	return nil
}

// observe is what Karpenter's informers tell its picture of the cluster.
func (c *controllers) observe(ctx context.Context) error {
	gone := c.known
	c.known = map[string]func(){}
	see := func(kind string, object client.Object, forget func()) {
		name := kind + client.ObjectKeyFromObject(object).String()
		c.known[name] = forget
		delete(gone, name)
	}
	claims, err := list[karpv1.NodeClaim](ctx, c, &karpv1.NodeClaimList{})
	if err != nil {
		return err
	}
	for _, claim := range claims {
		see("claim", claim, func() { c.cluster.DeleteNodeClaim(claim.Name) })
		c.cluster.UpdateNodeClaim(claim)
	}
	nodes, err := list[corev1.Node](ctx, c, &corev1.NodeList{})
	if err != nil {
		return err
	}
	for _, node := range nodes {
		see("node", node, func() { c.cluster.DeleteNode(node.Name) })
		if err := c.cluster.UpdateNode(ctx, node); err != nil {
			return err
		}
	}
	pods, err := list[corev1.Pod](ctx, c, &corev1.PodList{})
	if err != nil {
		return err
	}
	for _, pod := range pods {
		see("pod", pod, func() { c.cluster.DeletePod(client.ObjectKeyFromObject(pod)) })
		if err := c.cluster.UpdatePod(ctx, pod); err != nil {
			return err
		}
	}
	for _, forget := range gone {
		forget()
	}
	return nil
}
