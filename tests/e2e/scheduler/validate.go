package main

import (
	"context"
	"encoding/json"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// judgeNodePool tells why Karpenter does not make a NodePool Ready, whatever its node class; empty when it does.
func judgeNodePool(ctx context.Context, written []byte) (*string, error) {
	pool, reason := &karpv1.NodePool{}, ""
	if err := json.Unmarshal(written, pool); err != nil {
		return nil, err
	}
	if err := pool.RuntimeValidate(ctx); err != nil {
		reason = err.Error()
	}
	return &reason, nil
}
