"""Audit log: actor, action, target, time and reason, in a hash chain that reveals every edit."""
