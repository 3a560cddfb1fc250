"""HTTP side of the service: routes grouped by role, and middleware for every response."""
