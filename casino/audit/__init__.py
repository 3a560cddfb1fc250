"""The audit log: who did what to whom, when and why, in a chain that shows every edit."""
