package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/testing"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// world is a cluster in memory: Karpenter's provisioner, its picture of the cluster, and a client for both.
type world struct {
	client      client.Client
	cloud       *cloud
	cluster     *state.Cluster
	provisioner *provisioning.Provisioner
	clock       *clocktesting.FakeClock
}

// silent takes Karpenter's events.
type silent struct{}

func (silent) Publish(...events.Event) {}

// operatorContext holds Karpenter's options at their defaults.
func operatorContext(ctx context.Context) (context.Context, error) {
	found, flags := &options.Options{}, &options.FlagSet{}
	flags.FlagSet = newFlags()
	found.AddFlags(flags)
	if err := found.Parse(flags); err != nil {
		return nil, err
	}
	return found.ToContext(ctx), nil
}

func newWorld(ctx context.Context, facts *Facts, given *Case) (*world, error) {
	cloud, err := newCloud(facts, given)
	if err != nil {
		return nil, err
	}
	// The tracker that the builder would make keeps managed fields, which takes most of the time and which nobody reads.
	tracker := testing.NewObjectTracker(scheme.Scheme, serializer.NewCodecFactory(scheme.Scheme).UniversalDecoder())
	built := indexed().WithObjectTracker(tracker).WithInterceptorFuncs(interceptor.Funcs{Get: getVolume}).Build()
	clock := clocktesting.NewFakeClock(start.Add(time.Hour))
	cluster := state.NewCluster(clock, built, cloud)
	found := &world{built, cloud, cluster, newProvisioner(built, silent{}, cloud, cluster, clock), clock}
	return found, found.fill(ctx, given)
}

// indexed builds a client with the indices of Karpenter's operator.
func indexed() *fake.ClientBuilder {
	return fake.NewClientBuilder().WithScheme(scheme.Scheme).
		WithIndex(&corev1.Pod{}, "spec.nodeName", func(o client.Object) []string {
			return []string{o.(*corev1.Pod).Spec.NodeName}
		}).
		WithIndex(&corev1.Node{}, "spec.providerID", func(o client.Object) []string {
			return []string{o.(*corev1.Node).Spec.ProviderID}
		}).
		WithIndex(&storagev1.VolumeAttachment{}, "spec.nodeName", func(o client.Object) []string {
			return []string{o.(*storagev1.VolumeAttachment).Spec.NodeName}
		}).
		WithIndex(&karpv1.NodeClaim{}, "status.providerID", func(o client.Object) []string {
			return []string{o.(*karpv1.NodeClaim).Status.ProviderID}
		})
}

// fill puts the objects of the case on the cluster: nodes before the pods that run on them.
func (w *world) fill(ctx context.Context, given *Case) error {
	others, err := readObjects(given.Others)
	if err != nil {
		return fmt.Errorf("case %s: %w", given.Name, err)
	}
	for _, other := range others {
		if err := w.client.Create(ctx, other); err != nil {
			return fmt.Errorf("case %s: %w", given.Name, err)
		}
	}
	for _, one := range given.NodePools {
		pool := one.DeepCopy()
		pool.UID = types.UID(pool.Name)
		w.ready(ctx, pool)
		if err := w.client.Create(ctx, pool); err != nil {
			return fmt.Errorf("case %s: %w", given.Name, err)
		}
	}
	for _, one := range given.DaemonSets {
		daemons := one.DeepCopy()
		if err := w.client.Create(ctx, daemons); err != nil {
			return fmt.Errorf("case %s: %w", given.Name, err)
		}
		if err := w.cluster.UpdateDaemonSet(ctx, daemons); err != nil {
			return err
		}
	}
	for _, one := range given.Nodes {
		node := one.DeepCopy()
		node.DeletionTimestamp = nil
		if err := w.join(ctx, node, nil); err != nil {
			return fmt.Errorf("case %s: %w", given.Name, err)
		}
	}
	known := classes(others)
	for at, one := range given.Pods {
		pod := one.DeepCopy()
		if !classify(pod, known) {
			continue // the API server rejects it
		}
		if err := w.arrive(ctx, pod, at); err != nil {
			return fmt.Errorf("case %s: %w", given.Name, err)
		}
	}
	for _, one := range given.Nodes {
		if one.DeletionTimestamp != nil {
			if err := w.remove(ctx, one.Name); err != nil {
				return fmt.Errorf("case %s: %w", given.Name, err)
			}
		}
	}
	return nil
}

// ready sets what Karpenter's controllers write to the status of a NodePool that passes their checks.
func (w *world) ready(ctx context.Context, pool *karpv1.NodePool) {
	_, known := w.cloud.types[pool.Spec.Template.Spec.NodeClassRef.Name]
	if pool.RuntimeValidate(ctx) == nil {
		pool.StatusConditions().SetTrue(karpv1.ConditionTypeValidationSucceeded)
	}
	if known {
		pool.StatusConditions().SetTrue(karpv1.ConditionTypeNodeClassReady)
	}
}

// join adds a node. A node of a NodePool has a NodeClaim; without one that is given, it is made from the node.
func (w *world) join(ctx context.Context, node *corev1.Node, claim *karpv1.NodeClaim) error {
	node.Spec.ProviderID = or(node.Spec.ProviderID, "azure:///"+node.Name)
	if claim == nil && node.Labels[karpv1.NodePoolLabelKey] != "" {
		claim = &karpv1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: node.Name, Labels: node.Labels}}
		claim.Spec.Taints = node.Spec.Taints
		if err := w.client.Create(ctx, claim); err != nil {
			return err
		}
	}
	if claim != nil {
		claim.Status.ProviderID, claim.Status.NodeName = node.Spec.ProviderID, node.Name
		claim.Status.Capacity, claim.Status.Allocatable = node.Status.Capacity, node.Status.Allocatable
		for _, kind := range []string{
			karpv1.ConditionTypeLaunched, karpv1.ConditionTypeRegistered, karpv1.ConditionTypeInitialized,
		} {
			claim.StatusConditions().SetTrue(kind)
		}
		if err := w.client.Update(ctx, claim); err != nil {
			return err
		}
		w.cluster.UpdateNodeClaim(claim)
	}
	if err := w.client.Create(ctx, node); err != nil {
		return err
	}
	return w.cluster.UpdateNode(ctx, node)
}

// arrive adds a pod: one that runs, one for which kube-scheduler found no node, or one with a gate.
func (w *world) arrive(ctx context.Context, pod *corev1.Pod, at int) error {
	pod.UID = types.UID(or(string(pod.UID), fmt.Sprintf("%04d", at)))
	if pod.CreationTimestamp.IsZero() {
		pod.CreationTimestamp = metav1.NewTime(start.Add(time.Duration(at) * time.Second))
	}
	return w.place(ctx, pod)
}

// place adds a pod whose time of creation is set.
func (w *world) place(ctx context.Context, pod *corev1.Pod) error {
	admit(pod)
	if pod.Spec.NodeName == "" {
		reason := corev1.PodReasonUnschedulable
		if len(pod.Spec.SchedulingGates) > 0 {
			reason = corev1.PodReasonSchedulingGated
		}
		pod.Status.Phase = corev1.PodPending
		pod.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: reason,
		}}
	} else {
		pod.Status.Phase = corev1.PodRunning
	}
	if err := w.client.Create(ctx, pod); err != nil {
		return err
	}
	return w.cluster.UpdatePod(ctx, pod)
}

// bind is what kube-scheduler does once there is a node.
func (w *world) bind(ctx context.Context, pod *corev1.Pod, node string) error {
	bound := &corev1.Pod{}
	if err := w.client.Get(ctx, client.ObjectKeyFromObject(pod), bound); err != nil {
		return err
	}
	bound.Spec.NodeName = node
	if err := w.client.Update(ctx, bound); err != nil {
		return err
	}
	return w.cluster.UpdatePod(ctx, bound)
}
