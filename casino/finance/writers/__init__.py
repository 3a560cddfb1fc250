"""Writers for export formats. All take the same parts and write the same content."""
