package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

func (s *Size) offerings(market Region, region string) cloudprovider.Offerings {
	zones, ok := s.Zones[region]
	if !ok {
		zones = market.Zones
	}
	price, ok := market.Prices[s.Name]
	if !ok || !s.Priced {
		price = missingPrice
	}
	var found cloudprovider.Offerings
	for _, number := range append(slices.Clone(zones), regional) {
		zone, scope := number, "regional"
		if number != regional {
			zone, scope = region+"-"+number, "zonal"
		}
		for _, capacity := range []string{karpv1.CapacityTypeOnDemand, karpv1.CapacityTypeSpot} {
			spot := capacity == karpv1.CapacityTypeSpot
			found = append(found, &cloudprovider.Offering{
				Requirements: scheduling.NewLabelRequirements(map[string]string{
					karpv1.CapacityTypeLabelKey:     capacity,
					aks + "scalesetpriority":        priority(spot),
					aks + "priority":                priority(spot),
					corev1.LabelTopologyZone:        zone,
					azure + "placement-scope":       scope,
					azure + "sku-storage-ultra-ssd": "false",
				}),
				Price:     price,
				Available: !spot || s.Spot,
			})
		}
	}
	return found
}

func sold(offerings cloudprovider.Offerings, key string) []string {
	var found []string
	for _, one := range offerings.Available() {
		found = append(found, one.Requirements.Get(key).Any())
	}
	return found
}

func priority(spot bool) string {
	if spot {
		return "spot"
	}
	return "regular"
}
