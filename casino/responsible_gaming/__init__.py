"""Responsible gaming: limits, reality checks, breaks and exclusions. It guards; it never moves money."""
