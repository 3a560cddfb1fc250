"""Verification of the books from the first row to the last: everything derivable is recomputed."""
