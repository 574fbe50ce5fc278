"""A process that has nothing to do with any script: tells each signal that reaches it."""
import signal
import sys

signal.signal(signal.SIGUSR1, lambda *_: print("signalled", flush=True))
print("ready", flush=True)
# Until whoever started it is gone.
sys.stdin.read()
