package main

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	resourcehelper "k8s.io/component-helpers/resource"
)

// admit changes a pod as the API server of AKS does: a request that is not given is the limit, who asks for an extended
// resource tolerates a taint of its name (admission plugin ExtendedResourceToleration), and the keys of labels of a term
// of pod affinity become requirements of its selector (applyMatchLabelKeysAndMismatchLabelKeys of pkg/registry/core/pod).
func admit(pod *corev1.Pod) {
	for _, term := range podAffinityTerms(pod) {
		if term.LabelSelector != nil {
			require(term.LabelSelector, pod.Labels, term.MatchLabelKeys, metav1.LabelSelectorOpIn)
			require(term.LabelSelector, pod.Labels, term.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
		}
	}
	names := map[corev1.ResourceName]bool{}
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for at := range containers {
			asked := &containers[at].Resources
			requests := corev1.ResourceList{}
			maps.Copy(requests, asked.Limits)
			maps.Copy(requests, asked.Requests)
			asked.Requests = requests
			for name := range requests {
				names[name] = true
			}
		}
	}
	requestAsAWhole(pod)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if strings.Contains(string(name), "/") {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{
				Key: string(name), Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule,
			})
		}
	}
}

// podAffinityTerms are the required terms of the pod about other pods.
func podAffinityTerms(pod *corev1.Pod) []*corev1.PodAffinityTerm {
	var found []*corev1.PodAffinityTerm
	if pod.Spec.Affinity == nil {
		return nil
	}
	if affinity := pod.Spec.Affinity.PodAffinity; affinity != nil {
		for at := range affinity.RequiredDuringSchedulingIgnoredDuringExecution {
			found = append(found, &affinity.RequiredDuringSchedulingIgnoredDuringExecution[at])
		}
	}
	if affinity := pod.Spec.Affinity.PodAntiAffinity; affinity != nil {
		for at := range affinity.RequiredDuringSchedulingIgnoredDuringExecution {
			found = append(found, &affinity.RequiredDuringSchedulingIgnoredDuringExecution[at])
		}
	}
	return found
}

// require adds the pod's own values of labels to a selector.
func require(selector *metav1.LabelSelector, labels map[string]string, keys []string, how metav1.LabelSelectorOperator) {
	for _, key := range keys {
		if value, ok := labels[key]; ok {
			selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{
				Key: key, Operator: how, Values: []string{value},
			})
		}
	}
}

// requestAsAWhole sets the requests of a pod that has limits as a whole: what its containers request, else the limit
// (defaultPodRequests of pkg/apis/core/v1/defaults.go).
func requestAsAWhole(pod *corev1.Pod) {
	whole := pod.Spec.Resources
	if whole == nil || len(whole.Limits) == 0 {
		return
	}
	requests := corev1.ResourceList{}
	maps.Copy(requests, whole.Limits)
	for name, amount := range resourcehelper.AggregateContainerRequests(pod, resourcehelper.PodResourcesOptions{}) {
		if name == corev1.ResourceCPU || name == corev1.ResourceMemory {
			requests[name] = amount
		}
	}
	maps.Copy(requests, whole.Requests)
	whole.Requests = requests
}
