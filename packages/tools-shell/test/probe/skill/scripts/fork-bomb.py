"""Starts processes and threads: as many as it can, up to a number that no machine is hurt by."""
import os
import signal
import threading
import time

from attempts import attempt, targets

most = targets["processes"]


def bomb():
    children = []
    try:
        while len(children) < most:
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(20)
                signal.pause()
                os._exit(0)
            children.append(child)
        # So long that whoever counts from outside sees all of them.
        time.sleep(2)
        return f"{len(children)} at a time"
    finally:
        print(len(children), flush=True)
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)


def threads():
    done, begun = threading.Event(), []
    threading.stack_size(65536)
    try:
        while len(begun) < most:
            one = threading.Thread(target=done.wait, daemon=True)
            one.start()
            begun.append(one)
        return f"{len(begun)} at a time"
    finally:
        done.set()


attempt("processes", bomb, 20)
attempt("threads", threads, 20)
