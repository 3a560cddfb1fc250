"""The database: its tables, its transactions and its migrations. It knows what is stored, never what it means."""
