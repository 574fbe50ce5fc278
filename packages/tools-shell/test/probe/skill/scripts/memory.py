"""Takes memory, in every way that has a limit of its own, up to a size that this machine is not hurt by."""
import ctypes
import mmap
import os
import signal
import socket
import time

from attempts import attempt, call, confined, libc, targets

MIB = 1024 * 1024
sets, queues = [], []
most = targets["memoryMiB"]
step = 16


def touch(area, size):
    for at in range(0, size, 4096):
        area[at] = 1


def grow(one_more):
    """Takes pieces until it has them all; what was taken is held until the end."""
    held, taken = [], 0
    while taken < most:
        held.append(one_more(step * MIB))
        taken += step
    time.sleep(1)
    return f"{taken} MiB"


def anonymous(flags):
    def one(size):
        area = mmap.mmap(-1, size, flags | mmap.MAP_ANONYMOUS)
        touch(area, size)
        return area

    return one


def in_memory_file(size):
    descriptor = call("memfd_create", ctypes.c_char_p(b"probe"), 0)
    os.ftruncate(descriptor, size)
    area = mmap.mmap(descriptor, size)
    touch(area, size)
    return area, descriptor


def unmapped_file(size):
    """Of no process any more, as far as its memory tells; its descriptor holds it."""
    descriptor = call("memfd_create", ctypes.c_char_p(b"probe"), 0)
    for _ in range(size // MIB):
        os.write(descriptor, b"x" * MIB)
    return descriptor


def shared_segment(size):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(0, ctypes.c_size_t(size), 0o1600)
    if number == -1:
        raise MemoryError("shmget")
    address = libc.shmat(number, None, 0)
    libc.shmctl(number, 0, None)
    ctypes.memset(address, 1, size)
    return address


def in_sockets():
    """What was sent and nobody takes: the kernel's memory, and no process's."""
    count, children = 8, []
    reading, writing = os.pipe()
    try:
        for _ in range(count):
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(20)
                held, sent = [], 0
                try:
                    while sent < most * MIB // count:
                        one, other = socket.socketpair()
                        held.append((one, other))
                        for end in (one, other):
                            end.setblocking(False)
                            try:
                                while True:
                                    sent += end.send(b"x" * 65536)
                            except BlockingIOError:
                                pass
                    os.write(writing, b"x")
                except OSError:
                    pass
                signal.pause()
            children.append(child)
        os.close(writing)
        for taken in range(count):
            if os.read(reading, 1) == b"":
                return False
        time.sleep(1)
        return f"{most} MiB"
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def in_children(work, enough):
    """Memory of the kernel, which several processes take; each says how many MiB it is when it has its part."""
    count, children = 8, []
    reading, writing = os.pipe()
    try:
        for _ in range(count):
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(20)
                held, bytes_taken = [], 0
                try:
                    while bytes_taken < enough * MIB // count:
                        one, size = work(len(held))
                        held.append(one)
                        bytes_taken += size
                except OSError:
                    pass
                os.write(writing, b"%08d" % (bytes_taken // MIB))
                signal.pause()
            children.append(child)
        os.close(writing)
        taken = sum(int(os.read(reading, 8) or 0) for _ in range(count))
        time.sleep(0.3)
        return f"{taken} MiB" if taken >= enough * 9 // 10 else False
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def open_file(_):
    """What the kernel keeps of an open file."""
    return os.open("/dev/null", os.O_RDONLY), 232


def semaphores(_):
    number = libc.semget(0, 32000, 0o1600)
    if number == -1:
        raise OSError(ctypes.get_errno(), "semget")
    sets.append(number)
    return number, 32000 * 64


def messages(_):
    number = libc.msgget(0, 0o1600)
    if number == -1:
        raise OSError(ctypes.get_errno(), "msgget")
    size = 8192
    text = ctypes.create_string_buffer(b"\1" + b"\0" * 7 + b"x" * size)
    try:
        if libc.msgsnd(number, text, ctypes.c_size_t(size), 0o4000) == -1:
            raise OSError(ctypes.get_errno(), "msgsnd")
    finally:
        queues.append(number)
    return number, size


def by_number(make, remove, kept):
    """These stay when their processes have gone, and so one process makes and removes them."""

    def work():
        taken = 0
        try:
            while taken < 512 * MIB:
                taken += make(0)[1]
            time.sleep(0.3)
            return f"{taken // MIB} MiB"
        finally:
            for number in kept:
                remove(number)

    return work


def empty_files(folder):
    """Of no size, as far as a limit of its size knows."""

    def one(number):
        os.close(os.open(os.path.join(folder, f"empty-{os.getpid()}-{number}"), os.O_CREAT | os.O_WRONLY, 0o600))
        return None, 1024

    return lambda: on_memory(folder) and in_children(one, 768)


def in_folder(folder):
    count = [0]

    def one(size):
        count[0] += 1
        path = os.path.join(folder, f"probe-memory-{os.getpid()}-{count[0]}")
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        os.unlink(path)
        for _ in range(size // MIB):
            os.write(descriptor, b"x" * MIB)
        return descriptor

    def work():
        if not on_memory(folder):
            return False
        return grow(one)

    return work


def on_memory(folder):
    with open("/proc/self/mountinfo") as file:
        lines = [line.split() for line in file]
    best = max((line for line in lines if (folder + "/").startswith(line[4].rstrip("/") + "/")), key=lambda line: len(line[4]))
    return best[best.index("-") + 1] in ("tmpfs", "devtmpfs", "ramfs")


def by_many(part):
    """Several processes, each with little of it."""

    def work():
        count, children = most // part, []
        reading, writing = os.pipe()
        try:
            for _ in range(count):
                child = os.fork()
                if child == 0:
                    signal.signal(signal.SIGALRM, signal.SIG_DFL)
                    signal.alarm(20)
                    area = mmap.mmap(-1, part * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
                    touch(area, part * MIB)
                    os.write(writing, b"x")
                    signal.pause()
                children.append(child)
            os.close(writing)
            taken = 0
            while taken < count:
                if os.read(reading, 1) == b"":
                    break
                taken += 1
            time.sleep(1)
            return f"{taken * part} MiB" if taken == count else False
        finally:
            for child in children:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)

    return work


def apart(work, seconds=20):
    """In a process of its own, which may be killed for it."""

    def in_child():
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            result = b""
            try:
                result = str(work() or "").encode()
            except BaseException:
                pass
            os.write(writing, result)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            result = file.read()
        os.waitpid(child, 0)
        return result.decode()

    return in_child


attempt("its own", apart(lambda: grow(anonymous(mmap.MAP_PRIVATE))), 20)
attempt("shared", apart(lambda: grow(anonymous(mmap.MAP_SHARED))), 20)
attempt("files in memory", apart(lambda: grow(in_memory_file)), 20)
attempt("files in memory that are not mapped", apart(lambda: grow(unmapped_file)), 20)
attempt("segments that are shared by number", apart(lambda: grow(shared_segment)), 20)
for folder in ("/tmp", "/dev/shm", "/dev", "/run", "/var/tmp", "/"):
    attempt(f"files in {folder}", apart(in_folder(folder)), 20)
attempt("buffers of sockets", in_sockets, 20)
attempt("open files", lambda: in_children(open_file, 512), 20)
attempt("semaphores", by_number(semaphores, lambda one: libc.semctl(one, 0, 0), sets), 20)
attempt("messages", by_number(messages, lambda one: libc.msgctl(one, 0, None), queues), 20)
if confined:
    # Elsewhere they would be left behind.
    for folder in ("/tmp", "/dev/shm", "/var/tmp"):
        attempt(f"empty files in {folder}", empty_files(folder), 20)
attempt("that of several processes", apart(by_many(64)), 20)
attempt("that of many processes", apart(by_many(32)), 20)
