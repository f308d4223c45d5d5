package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// finalizer keeps a node that is being deleted, as that of Karpenter does while the node is drained.
const finalizer = "gitgpu.dev/drained"

// readObjects reads objects of kinds that Kubernetes has itself.
func readObjects(listed []json.RawMessage) ([]client.Object, error) {
	decoder := serializer.NewCodecFactory(scheme.Scheme).UniversalDeserializer()
	var found []client.Object
	for _, raw := range listed {
		decoded, _, err := decoder.Decode(raw, nil, nil)
		if err != nil {
			return nil, err
		}
		object, ok := decoded.(client.Object)
		if !ok {
			return nil, fmt.Errorf("%T is not an object", decoded)
		}
		found = append(found, object)
	}
	return found, nil
}

// classes are the RuntimeClasses among the objects.
func classes(objects []client.Object) map[string]*nodev1.RuntimeClass {
	found := map[string]*nodev1.RuntimeClass{}
	for _, object := range objects {
		if class, ok := object.(*nodev1.RuntimeClass); ok {
			found[class.Name] = class
		}
	}
	return found
}

// classify changes a pod as the admission plugin RuntimeClass does; reports whether its RuntimeClass exists.
func classify(pod *corev1.Pod, known map[string]*nodev1.RuntimeClass) bool {
	if pod.Spec.RuntimeClassName == nil {
		return true
	}
	class, ok := known[*pod.Spec.RuntimeClassName]
	if !ok {
		return false
	}
	if class.Overhead != nil {
		pod.Spec.Overhead = class.Overhead.PodFixed
	}
	if class.Scheduling != nil {
		selector := map[string]string{}
		maps.Copy(selector, pod.Spec.NodeSelector)
		maps.Copy(selector, class.Scheduling.NodeSelector)
		pod.Spec.NodeSelector = selector
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, class.Scheduling.Tolerations...)
	}
	return true
}

// getVolume reads an object as a real client does, which knows that a PersistentVolume has no namespace.
func getVolume(
	ctx context.Context, given client.WithWatch, key client.ObjectKey, object client.Object, options ...client.GetOption,
) error {
	if _, ok := object.(*corev1.PersistentVolume); ok {
		key.Namespace = ""
	}
	return given.Get(ctx, key, object, options...)
}

// remove starts the deletion of a node of the case and of its NodeClaim.
func (w *world) remove(ctx context.Context, name string) error {
	node, claim := &corev1.Node{}, &karpv1.NodeClaim{}
	for _, object := range []client.Object{node, claim} {
		err := w.client.Get(ctx, clientKey(name), object)
		if client.IgnoreNotFound(err) != nil {
			return err
		}
		if err != nil {
			continue
		}
		object.SetFinalizers([]string{finalizer})
		if err := w.client.Update(ctx, object); err != nil {
			return err
		}
		if err := w.client.Delete(ctx, object); err != nil {
			return err
		}
		if err := w.client.Get(ctx, clientKey(name), object); err != nil {
			return err
		}
	}
	if claim.Name != "" {
		w.cluster.UpdateNodeClaim(claim)
	}
	return w.cluster.UpdateNode(ctx, node)
}
