"""Takes processor time: with several processes at once, and new ones in place of those that are ended."""
import os
import resource
import signal
import time

from attempts import attempt, targets

most = targets["cpuSeconds"]


def taken():
    of = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in of)


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        for _ in range(100_000):
            pass


def many():
    count = (os.cpu_count() or 1) * 2
    children = set()
    while taken() < most:
        while len(children) < count:
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(60)
                spin(0.5)
                os._exit(0)
            children.add(child)
        children.discard(os.wait()[0])
    for child in children:
        os.kill(child, signal.SIGKILL)
    return f"{taken():.1f} s"


def alone():
    spin(most)
    return f"{taken():.1f} s"


def without_a_parent():
    """So short that they are hardly seen, and nobody is told what they took."""
    each, started = 0.02, 0
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    reading, writing = os.pipe()
    for _ in range((os.cpu_count() or 1) * 2):
        os.write(writing, b"x")
    while started * each < most:
        os.read(reading, 1)
        if os.fork() == 0:
            spin(each)
            os.write(writing, b"x")
            os._exit(0)
        started += 1
    return f"{started * each:.1f} s"


attempt("by one process", alone, 100)
attempt("by many processes", many, 100)
attempt("by processes that nobody waits for", without_a_parent, 100)
