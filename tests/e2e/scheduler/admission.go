package main

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// admit changes a pod as the API server of AKS does: a request that is not given is the limit, and who asks for an
// extended resource tolerates a taint of its name (admission plugin ExtendedResourceToleration).
func admit(pod *corev1.Pod) {
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
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if strings.Contains(string(name), "/") {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{
				Key: string(name), Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule,
			})
		}
	}
}
