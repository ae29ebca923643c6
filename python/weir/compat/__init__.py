"""The interfaces of other libraries for grammars, on weir: what is written for them runs with another import."""
