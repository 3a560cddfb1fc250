"""What players ask the house to hold them to: limits, reality checks, breaks. It guards; it never moves money."""
