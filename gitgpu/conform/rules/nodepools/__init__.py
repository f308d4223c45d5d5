"""NodePool and NodeOverlay of Karpenter."""
