"""Who people are: names, passwords, roles, and the money they begin with. It knows no table and no wire."""
