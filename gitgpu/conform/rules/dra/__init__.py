"""DRA: ResourceClaims, DeviceClasses and the driver that serves them."""
