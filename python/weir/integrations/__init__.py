"""Integrations of weir into the decoding loops of other libraries. Each module needs the library of its name."""
