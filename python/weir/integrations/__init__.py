"""Weir in other libraries' decoding loops; each module needs the library that it is named after."""
