"""The interfaces of other grammar libraries, implemented with weir: programs written for them only change an import."""
