"""Backups: a consistent, verified copy of the books in one file, and restoring it into an empty database."""
