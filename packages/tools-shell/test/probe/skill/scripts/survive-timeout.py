"""Goes on after its time is over: each of those that it starts hides in another way, and says that it lives."""
import os
import resource
import signal
import sys
import time

from attempts import targets, tell

token = targets["token"]
beat = f"""
import os, signal, sys, time
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except OSError: pass
end = time.monotonic() + 60
while time.monotonic() < end:
    with open({os.path.abspath("alive")!r} + "-" + sys.argv[2], "a") as file: file.write("x")
    time.sleep(0.05)
"""


def start(kind, prepare=None, environment=None):
    """Twice removed from here, in a session of its own."""
    if os.fork() != 0:
        return
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    try:
        for number in range(1, 32):
            if number not in (signal.SIGKILL, signal.SIGSTOP):
                signal.signal(number, signal.SIG_IGN)
        for one in range(0, 256):
            try:
                os.close(one)
            except OSError:
                pass
        os.open("/dev/null", os.O_RDWR)
        os.dup(0)
        os.dup(0)
        if prepare is not None:
            prepare()
        words = [sys.executable, "-c", beat, token, kind]
        os.execve(sys.executable, words, dict(os.environ) if environment is None else environment)
    finally:
        os._exit(1)


def other_limit():
    """Linux counts file locks by a limit that nothing needs: whoever is known by it is not any more."""
    RLIMIT_LOCKS = 10
    soft, hard = resource.getrlimit(RLIMIT_LOCKS)
    less = (1 << 40) - 7 if hard == resource.RLIM_INFINITY else hard - 4711
    resource.setrlimit(RLIMIT_LOCKS, (less, less))


start("plain")
start("without-variables", environment={})
start("without-anything", other_limit, {})
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
kinds = ["plain", "without-variables", "without-anything"]
while not all(os.path.exists("alive-" + kind) for kind in kinds):
    time.sleep(0.02)
tell("all of them live before its time is over", False, "begun")
while True:
    time.sleep(0.05)
