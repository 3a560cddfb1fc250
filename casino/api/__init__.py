"""The HTTP side of the service: routes by audience, and what every answer carries."""
