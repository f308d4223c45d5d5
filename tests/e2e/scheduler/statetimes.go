//go:build !karpenter_1_14_3

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// times is an API server whose names, UIDs and times are the same in every run. The client in memory reads the clock of the
// machine when an object is deleted, and makes names at random.
type times struct {
	clock   *clocktesting.FakeClock
	lock    sync.Mutex
	named   map[string]int
	deleted map[types.UID]metav1.Time
}

func newTimes(clock *clocktesting.FakeClock) *times {
	return &times{clock: clock, named: map[string]int{}, deleted: map[types.UID]metav1.Time{}}
}

func (t *times) client() client.Client {
	return indexed().WithStatusSubresource(&karpv1.NodeClaim{}, &karpv1.NodePool{}).
		WithInterceptorFuncs(interceptor.Funcs{
			Get: t.get, List: t.list, Create: t.create, Delete: t.delete, SubResourceCreate: t.evict,
		}).Build()
}

func hasStatus(object client.Object) bool {
	_, ok := object.(*policyv1.PodDisruptionBudget)
	return !ok
}

func (t *times) create(ctx context.Context, to client.WithWatch, object client.Object, options ...client.CreateOption) error {
	t.lock.Lock()
	defer t.lock.Unlock()
	if object.GetName() == "" {
		t.named[object.GetGenerateName()]++
		object.SetName(fmt.Sprintf("%s%05d", object.GetGenerateName(), t.named[object.GetGenerateName()]))
	}
	if object.GetUID() == "" {
		kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", object), "*v1."))
		object.SetUID(types.UID(kind + "-" + object.GetName()))
	}
	if created := object.GetCreationTimestamp(); created.IsZero() {
		object.SetCreationTimestamp(metav1.NewTime(t.clock.Now()))
	}
	return to.Create(ctx, object, options...)
}

func (t *times) delete(ctx context.Context, to client.WithWatch, object client.Object, options ...client.DeleteOption) error {
	t.lock.Lock()
	if _, ok := t.deleted[object.GetUID()]; !ok {
		t.deleted[object.GetUID()] = metav1.NewTime(t.clock.Now())
	}
	t.lock.Unlock()
	return to.Delete(ctx, object, options...)
}

func (t *times) correct(object client.Object) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if at, ok := t.deleted[object.GetUID()]; ok && object.GetDeletionTimestamp() != nil {
		object.SetDeletionTimestamp(&at)
	}
}

func (t *times) get(
	ctx context.Context, from client.WithWatch, key client.ObjectKey, object client.Object, options ...client.GetOption,
) error {
	if err := getVolume(ctx, from, key, object, options...); err != nil {
		return err
	}
	t.correct(object)
	return nil
}

func (t *times) list(ctx context.Context, from client.WithWatch, found client.ObjectList, options ...client.ListOption) error {
	if err := from.List(ctx, found, options...); err != nil {
		return err
	}
	return meta.EachListItem(found, func(item runtime.Object) error {
		if object, ok := item.(client.Object); ok {
			t.correct(object)
		}
		return nil
	})
}

// evict refuses an eviction that a PodDisruptionBudget does not allow, as the API server does.
func (t *times) evict(
	ctx context.Context, to client.Client, kind string, object, eviction client.Object, options ...client.SubResourceCreateOption,
) error {
	budgets := &policyv1.PodDisruptionBudgetList{}
	if err := to.List(ctx, budgets, client.InNamespace(object.GetNamespace())); err != nil {
		return err
	}
	for _, budget := range budgets.Items {
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil {
			return err
		}
		if selector.Matches(labels.Set(object.GetLabels())) && budget.Status.DisruptionsAllowed == 0 {
			return apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
		}
	}
	return to.SubResource(kind).Create(ctx, object.(*corev1.Pod), eviction, options...)
}
