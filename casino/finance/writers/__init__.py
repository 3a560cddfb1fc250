"""One writer for each format. All take the same parts and write the same content; only the form is theirs."""
