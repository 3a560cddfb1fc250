"""Metrics, logging, webhook calls, crash points and garbage-collector tuning."""
