"""How the peers are timed: wall time of the call alone, the median of three where it is below a second."""

import statistics
import time


def timed(call):
    """-> what the call returns, its seconds"""
    answer, seconds = once(call)
    if seconds < 1:
        seconds = statistics.median([seconds] + [once(call)[1] for _ in range(2)])
    return answer, seconds


def once(call):
    start = time.perf_counter()
    answer = call()
    return answer, time.perf_counter() - start
