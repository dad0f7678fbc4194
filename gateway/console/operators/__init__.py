"""Pages for operators: the tenants that need attention, and how the installation is."""
