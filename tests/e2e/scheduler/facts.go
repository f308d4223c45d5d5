package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/util/sets"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// Facts is what the catalog knows of the labels of nodes and of the sizes in each region.
type Facts struct {
	WellKnown  []string            `json:"wellKnown"`
	Restricted []string            `json:"restricted"`
	Values     map[string][]string `json:"values"`
	Normalized map[string]string   `json:"normalized"`
	Sizes      []Size              `json:"sizes"`
	Regions    map[string]Region   `json:"regions"`
}

// Region has the numbers of the zones of a region and the price of each size there.
type Region struct {
	Zones  []string           `json:"zones"`
	Prices map[string]float64 `json:"prices"`
}

// Size is an Azure VM size. GPUs is what Azure's API reports.
//
// Zones has the zones by region where these are fewer than those of the region. Priced is false for a size that
// Karpenter does not know, and so takes to be dear.
type Size struct {
	Name             string              `json:"name"`
	Family           string              `json:"family"`
	Series           string              `json:"series"`
	Version          string              `json:"version"`
	VCPUs            int64               `json:"vcpus"`
	MemoryGiB        float64             `json:"memoryGiB"`
	Arch             string              `json:"arch"`
	GPUs             int64               `json:"gpus"`
	Manufacturer     string              `json:"manufacturer"`
	Accelerator      string              `json:"accelerator"`
	Network          bool                `json:"acceleratedNetworking"`
	Premium          bool                `json:"premiumStorage"`
	EncryptionAtHost bool                `json:"encryptionAtHost"`
	EphemeralGB      int64               `json:"ephemeralGB"`
	Zones            map[string][]string `json:"zones"`
	Spot             bool                `json:"spot"`
	Priced           bool                `json:"priced"`
	OS               []string            `json:"os"`
	DriverByAKS      bool                `json:"driverByAKS"`
}

func readFacts(path string) (*Facts, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := &Facts{}
	if err := json.Unmarshal(text, found); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return found, nil
}

// register adds to Karpenter's tables what a provider for Azure adds when it starts.
func (f *Facts) register() {
	karpv1.WellKnownLabels = karpv1.WellKnownLabels.Union(sets.New(f.WellKnown...))
	karpv1.RestrictedLabelDomains = karpv1.RestrictedLabelDomains.Insert(f.Restricted...)
	for key, values := range f.Values {
		karpv1.WellKnownValuesForRequirements[key] = sets.New(values...)
	}
	for key, name := range f.Normalized {
		karpv1.NormalizedLabels[key] = name
	}
}
