"""The protocol, written down for others: types for the pages and a document for people, from the models themselves."""
