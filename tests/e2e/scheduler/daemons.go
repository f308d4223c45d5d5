package main

import (
	"context"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// runDaemons puts the pods of DaemonSets on a new node, as their controller does before other pods are bound there.
func (w *world) runDaemons(ctx context.Context, node *corev1.Node) error {
	var found appsv1.DaemonSetList
	if err := w.client.List(ctx, &found); err != nil {
		return err
	}
	hard := slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(one corev1.Taint) bool {
		return one.Effect == corev1.TaintEffectPreferNoSchedule
	})
	for _, one := range found.Items {
		pod := &corev1.Pod{ObjectMeta: *one.Spec.Template.ObjectMeta.DeepCopy(), Spec: *one.Spec.Template.Spec.DeepCopy()}
		runs, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node)
		if err != nil || !runs || scheduling.Taints(hard).ToleratesPod(pod) != nil {
			continue
		}
		pod.Name, pod.Namespace, pod.Spec.NodeName = one.Name+"-"+node.Name, one.Namespace, node.Name
		pod.UID, pod.CreationTimestamp = types.UID(pod.Name), node.CreationTimestamp
		owner := metav1.NewControllerRef(&one, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))
		pod.OwnerReferences = []metav1.OwnerReference{*owner}
		if err := w.arrive(ctx, pod, 0); client.IgnoreAlreadyExists(err) != nil {
			return err
		}
	}
	return nil
}
