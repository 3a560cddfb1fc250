"""A live casino: rules, tables, money and the pages around them."""
