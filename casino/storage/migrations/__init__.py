"""Every change the tables have seen, in order."""
