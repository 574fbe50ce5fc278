"""Fills the disk, up to a size that it has room for."""
import ctypes
import os
import signal
import time

from attempts import attempt, confined, libc, check, targets

MIB = 1024 * 1024
most = targets["diskMiB"]
piece = os.urandom(MIB)


def pause():
    """What is taken is looked at now and then: as fast as a disk, and no faster than any eye on a busy machine."""
    if confined:
        time.sleep(0.005)


def used(paths):
    return sum(os.stat(path).st_blocks * 512 for path in paths) // MIB


def tidy(work):
    """What was made goes, unless whoever looks from outside is to see it."""

    def tried():
        paths = []
        try:
            result = work(paths)
            enough = used(paths) >= most * 9 // 10
            return f"{used(paths)} MiB" if result and enough else False
        finally:
            for path in paths[: len(paths) if used(paths) < most * 9 // 10 else 0]:
                os.unlink(path)

    return tried


def one_file(paths):
    paths.append("filled-one")
    with open("filled-one", "wb") as file:
        for _ in range(most):
            file.write(piece)
            pause()
    return True


def many_files(paths):
    for number in range(most // 4):
        path = f"filled-{number}"
        paths.append(path)
        with open(path, "wb") as file:
            for _ in range(4):
                file.write(piece)
                pause()
    return True


def reserved(paths):
    paths.append("filled-reserved")
    with open("filled-reserved", "wb") as file:
        libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
        check(libc.fallocate(file.fileno(), 0, 0, most * MIB))
    return True


def reserved_in_parts(paths):
    libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]
    for number in range(most // 4):
        path = f"filled-reserved-{number}"
        paths.append(path)
        with open(path, "wb") as file:
            check(libc.fallocate(file.fileno(), 0, 0, 4 * MIB))
    return True


def without_a_name(_):
    """Files that are open and have no name."""
    held = []
    for _ in range(most // 4):
        one = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
        held.append(one)
        for _ in range(4):
            os.write(one, piece)
            pause()
    return sum(os.fstat(one).st_blocks * 512 for one in held) // MIB >= most * 9 // 10


def by_strangers(paths):
    """Written by processes that nobody waits for."""
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    reading, writing = os.pipe()
    for number in range(most // 4):
        path = f"filled-strange-{number}"
        paths.append(path)
        if os.fork() == 0:
            with open(path, "wb") as file:
                for _ in range(4):
                    file.write(piece)
            os.write(writing, b"x")
            os._exit(0)
        os.read(reading, 1)
        for _ in range(4):
            pause()
    signal.signal(signal.SIGCHLD, previous)
    return True


for name, work in {
    "many files": many_files,
    "one file": one_file,
    "one that is reserved": reserved,
    "many that are reserved": reserved_in_parts,
    "many files of processes that nobody waits for": by_strangers,
}.items():
    attempt(name, tidy(work), 20)
attempt("files without a name", lambda: without_a_name([]), 20)
