"""xgrammar.contrib."""
