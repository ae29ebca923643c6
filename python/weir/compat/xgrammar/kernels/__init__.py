"""xgrammar.kernels: a function for each implementation of masking. weir has one for each device, whichever is called.
"""
