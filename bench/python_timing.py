"""The timing function of python_calls.py and python_peers.py."""

import time
import timeit


def nanoseconds(call, repeats=7):
    """Returns the processor time of a call in nanoseconds, the minimum of several runs."""
    timer = timeit.Timer(call, timer=time.process_time)
    number, _ = timer.autorange()
    number = max(1, number // 4)
    return min(timer.repeat(repeats, number)) / number * 1e9
