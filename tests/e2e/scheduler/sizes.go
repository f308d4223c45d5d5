package main

import (
	"fmt"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// The arithmetic of this file is that of pkg/providers/instancetype (instancetype.go and instancetypes.go) of
// Azure/karpenter-provider-azure at commit 352646f59929, in binary floating point as there.

const (
	azure, aks   = "karpenter.azure.com/", "kubernetes.azure.com/"
	regional     = "0"   // the zone label of a VM outside the zones
	missingPrice = 999.0 // of a size without a price
	heldBack     = 0.075 // the part of a machine's memory that is taken to be the hypervisor's
	eviction     = "750Mi"
	resourceName = "gitgpu" // stands for the cluster's own resource group
)

// step is a part that is kept of everything up to a bound.
type step struct{ upTo, part float64 }

var (
	memorySteps = []step{{4, .25}, {8, .20}, {16, .10}, {128, .06}, {math.MaxFloat64, .02}}
	cpuSteps    = []step{{1, .06}, {2, .04}, {4, .02}, {math.MaxFloat64, .01}}
)

func kept(steps []step, amount float64) float64 {
	var sum, lower float64
	for _, one := range steps {
		if lower > amount {
			break
		}
		sum += (min(one.upTo, amount) - lower) * one.part
		lower = one.upTo
	}
	return sum
}

// instanceTypes are the sizes that a NodePool with this node class may use in a region.
func (f *Facts) instanceTypes(region string, class *NodeClass) []*cloudprovider.InstanceType {
	var found []*cloudprovider.InstanceType
	for _, size := range f.Sizes {
		if size.usable(class) {
			found = append(found, size.instanceType(f.Regions[region], region, class))
		}
	}
	return found
}

func (s *Size) usable(class *NodeClass) bool {
	system := slices.Contains(s.OS, "ubuntu")
	if class.Spec.ImageFamily == "AzureLinux" {
		system = slices.Contains(s.OS, "azurelinux") || slices.Contains(s.OS, "azurelinux3")
	}
	return system &&
		(s.EncryptionAtHost || !class.Spec.Security.EncryptionAtHost) &&
		(s.DriverByAKS || class.Spec.GPU.Mode != "Driver") &&
		(s.Arch != "arm64" || !class.Spec.ArtifactStreaming.Enabled)
}

func (s *Size) instanceType(market Region, region string, class *NodeClass) *cloudprovider.InstanceType {
	offerings := s.offerings(market, region)
	memory := int64(1024 * kept(memorySteps, s.MemoryGiB))
	cpu := int64(1000 * kept(cpuSteps, float64(s.VCPUs)))
	return &cloudprovider.InstanceType{
		Name:         s.Name,
		Requirements: s.requirements(offerings, region, class),
		Offerings:    offerings,
		Capacity:     s.capacity(class),
		Overhead: &cloudprovider.InstanceTypeOverhead{
			KubeReserved: corev1.ResourceList{
				corev1.ResourceCPU:    *resource.NewScaledQuantity(cpu, resource.Milli),
				corev1.ResourceMemory: *resource.NewQuantity(memory<<20, resource.BinarySI),
			},
			SystemReserved:    corev1.ResourceList{},
			EvictionThreshold: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(eviction)},
		},
	}
}

func (s *Size) capacity(class *NodeClass) corev1.ResourceList {
	memory := resource.MustParse(fmt.Sprintf("%dGi", int64(s.MemoryGiB)))
	memory.Sub(*resource.NewQuantity(int64(math.Ceil(float64(memory.Value())*heldBack)), resource.DecimalSI))
	found := corev1.ResourceList{
		corev1.ResourceCPU:              *resource.NewQuantity(s.VCPUs, resource.DecimalSI),
		corev1.ResourceMemory:           memory,
		corev1.ResourceEphemeralStorage: *resource.NewScaledQuantity(class.Spec.OSDiskSizeGB, resource.Giga),
		corev1.ResourcePods:             *resource.NewQuantity(class.Spec.MaxPods, resource.DecimalSI),
	}
	for _, maker := range []string{"nvidia", "amd"} {
		count := int64(0)
		if maker == s.Manufacturer {
			count = s.GPUs
		}
		found[corev1.ResourceName(maker+".com/gpu")] = *resource.NewQuantity(count, resource.DecimalSI)
	}
	return found
}

func (s *Size) requirements(offerings cloudprovider.Offerings, region string, class *NodeClass) scheduling.Requirements {
	found := scheduling.NewRequirements()
	add := func(key string, values ...string) {
		if slices.Equal(values, []string{""}) {
			values = nil
		}
		found.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, values...)) // without a value: DoesNotExist
	}
	for _, key := range []string{
		corev1.LabelTopologyZone, karpv1.CapacityTypeLabelKey, azure + "placement-scope", azure + "sku-storage-ultra-ssd",
	} {
		add(key, sold(offerings, key)...)
	}
	osSKU, fips := "Ubuntu", ""
	if class.Spec.ImageFamily == "AzureLinux" {
		osSKU = "AzureLinux"
	}
	if class.Spec.FIPSMode == "FIPS" {
		fips = "true"
	}
	cpus, memory := fmt.Sprint(s.VCPUs), fmt.Sprint(int64(s.MemoryGiB*1024))
	disk := ""
	if s.EphemeralGB > 0 {
		disk = fmt.Sprint(s.EphemeralGB)
	}
	add(corev1.LabelInstanceTypeStable, s.Name)
	add(corev1.LabelArchStable, s.Arch)
	add(corev1.LabelOSStable, "linux")
	add(corev1.LabelTopologyRegion, region)
	add(azure+"sku-cpu", cpus)
	add(azure+"sku-memory", memory)
	add(aks+"sku-cpu", cpus)
	add(aks+"sku-memory", memory)
	add(azure+"sku-gpu-count", fmt.Sprint(s.GPUs))
	add(azure+"sku-gpu-manufacturer", s.Manufacturer)
	add(azure+"sku-gpu-name", s.Accelerator)
	add(azure+"sku-name", s.Name)
	add(azure+"sku-family", s.Family)
	add(azure+"sku-series", s.Series)
	add(azure+"sku-version", s.Version)
	add(azure+"sku-storage-ephemeralos-maxsize", disk)
	add(azure+"sku-storage-premium-capable", fmt.Sprint(s.Premium))
	add(azure+"sku-networking-accelerated", fmt.Sprint(s.Network))
	add(aks+"cluster", resourceName)
	add(aks+"mode", "system", "user")
	add(aks+"scalesetpriority", "regular", "spot")
	add(aks+"priority", "regular", "spot")
	add(aks+"os-sku", osSKU)
	add(aks+"fips_enabled", fips)
	return found
}
