"""Chart releases and what Flux and Argo CD apply, as rules read them."""
