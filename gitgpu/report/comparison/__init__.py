"""Reports what differs between two builds or two catalogs: clusters, pools and objects."""
