"""Which customers stay, from their orders."""
