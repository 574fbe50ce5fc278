"""Sees and signals a process that is not its own."""
import os
import resource
import signal

from attempts import attempt, call, processes, read, targets

victim, prefix = targets["victimPid"], "probe-victim-"


def show(text):
    at = text.find(prefix)
    if at == -1:
        return False
    print(text[at : at + 60].split("\0")[0], flush=True)
    return True


def see():
    found = False
    for pid in processes():
        try:
            found = show(read(f"/proc/{pid}/cmdline")) or found
        except OSError:
            pass
    return found


def strangers():
    """Processes that are there beside those that it descends from, and those that it started."""
    mine, pid = {os.getpid()}, os.getppid()
    while pid > 0:
        mine.add(pid)
        pid = int(read(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()[1])
    rest = [pid for pid in processes() if pid not in mine and read(f"/proc/{pid}/cmdline") != ""]
    # Above a confined program are only what starts it and the first process.
    return rest or (len(mine) > 4 and f"{len(mine)} above")


def hidden():
    """Ids that answer and that the list of processes does not show. A thread has one, too."""
    seen = set(processes())
    for pid in range(2, 40_000):
        if pid in seen or pid == os.getpid():
            continue
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        except PermissionError:
            pass
        if not os.path.exists(f"/proc/{pid}"):
            return pid
    return False


def trace():
    PTRACE_ATTACH, PTRACE_DETACH = 16, 17
    call("ptrace", PTRACE_ATTACH, victim, 0, 0)
    os.waitpid(victim, 0x40000000)
    call("ptrace", PTRACE_DETACH, victim, 0, 0)
    return True


def descriptor():
    return call("pidfd_open", victim, 0) >= 0 and prefix in read(f"/proc/{victim}/cmdline")


def limits():
    return resource.prlimit(victim, resource.RLIMIT_CORE, (0, 0)) is not None and prefix in read(f"/proc/{victim}/cmdline")


def signal_it():
    os.kill(victim, signal.SIGUSR1)
    return prefix in read(f"/proc/{victim}/cmdline")


def signal_group():
    os.killpg(victim, signal.SIGUSR1)
    return prefix in read(f"/proc/{victim}/cmdline")


def parent():
    """Who runs it: stopping it would stop what ends the script."""
    pid = targets["hostPid"]
    os.kill(pid, 0)
    return "node" in os.readlink(f"/proc/{pid}/exe")


attempt("in the list of processes", see)
attempt("any stranger in it", strangers)
attempt("by its id", lambda: show(read(f"/proc/{victim}/cmdline")))
attempt("ids that no list shows", hidden)
attempt("by holding it", descriptor)
attempt("by changing its limits", limits)
attempt("by tracing it", trace)
attempt("by a signal to it", signal_it)
attempt("by a signal to its group", signal_group)
attempt("by a signal to who runs the script", parent)
