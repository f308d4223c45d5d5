"""What differs between two builds or two catalogs, in words: clusters, pools and objects."""
