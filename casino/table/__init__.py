"""A running table: the only place that changes a round."""
