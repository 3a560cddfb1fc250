"""Composition root: builds the service from its parts and runs it."""
