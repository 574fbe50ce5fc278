"""What all probes share: attempts that are counted, and system calls that Python has no name for."""
import ctypes
import json
import os
import platform
import signal
import sys

targets = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
# What would harm this machine if nothing kept it from that, or concern others than the probe, is tried only where it
# has mounts of its own.
confined = os.readlink("/proc/self/ns/mnt") != targets["mountNamespace"]

_numbers = {
    "x86_64": {
        "ptrace": 101, "pivot_root": 155, "add_key": 248, "keyctl": 250, "perf_event_open": 298,
        "open_by_handle_at": 304, "process_vm_readv": 310, "kcmp": 312, "memfd_create": 319, "bpf": 321,
        "userfaultfd": 323, "io_uring_setup": 425, "pidfd_open": 434, "pidfd_getfd": 438,
    },
    "aarch64": {
        "ptrace": 117, "pivot_root": 41, "add_key": 217, "keyctl": 219, "perf_event_open": 241,
        "open_by_handle_at": 265, "process_vm_readv": 270, "kcmp": 272, "memfd_create": 279, "bpf": 280,
        "userfaultfd": 282, "io_uring_setup": 425, "pidfd_open": 434, "pidfd_getfd": 438,
    },
}


def call(name, *words):
    """A system call by its name. Raises what the kernel says."""
    number = _numbers[platform.machine()][name]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(word) if isinstance(word, int) else word for word in words])
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def check(result):
    """What a function of the C library returned. Raises what it says."""
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


worked_once = False
print(json.dumps({"note": "begun"}), flush=True)


class TooLong(Exception):
    pass


def _ring(*_):
    raise TooLong()


def attempt(name, work, seconds=5):
    """Tries it; it worked where what it returns is true. Nothing that goes wrong ends the probe."""
    global worked_once
    # Who is ended in the middle is started again for the rest.
    if name in targets["tried"] or (targets["enough"] and worked_once):
        return False
    print(json.dumps({"trying": name}), flush=True)
    detail = ""
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(seconds)
    try:
        result = work()
        worked = bool(result)
        detail = str(result)
    except BaseException as error:
        worked = False
        detail = f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
    tell(name, worked, detail)
    worked_once = worked_once or worked
    return worked


def tell(name, worked, detail=""):
    print(json.dumps({"attempt": name, "worked": worked, "detail": detail[:300]}), flush=True)


def aside(work, seconds=5):
    """The same in a process of its own, for what cannot be taken back; what it returns has to be true or false."""

    def in_child():
        child = os.fork()
        if child == 0:
            signal.alarm(seconds)
            code = 1
            try:
                code = 0 if work() else 1
            except BaseException as error:
                print(json.dumps({"note": f"{type(error).__name__}: {error}"[:300]}), flush=True)
            finally:
                os._exit(code)
        return os.waitpid(child, 0)[1] == 0

    return in_child


def processes():
    """The ids of all processes that can be seen."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def ancestors():
    """Who runs this and, where it is to see nobody else, all processes above it and the first one."""
    found = [targets["hostPid"]]
    if not confined:
        return found
    pid = os.getppid()
    while pid > 0 and pid not in found:
        found.append(pid)
        try:
            with open(f"/proc/{pid}/stat") as file:
                pid = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            break
    return found


def read(path, most=65536):
    with open(path, "rb") as file:
        return file.read(most).decode("utf-8", "replace")


def append(path, text):
    with open(path, "a") as file:
        file.write(text)
    return True


def other_roots():
    """Folders from which the root of others may be reached."""
    yield "/proc/self/root"
    for pid in ancestors():
        yield f"/proc/{pid}/root"
        yield f"/proc/{pid}/cwd" + "/.." * 20
    for name in os.listdir("/proc/self/fd"):
        yield f"/proc/self/fd/{name}" + "/.." * 20
        yield f"/dev/fd/{name}" + "/.." * 20


def first_that_works(paths, work):
    """Tries the work with every path; the first one with which it does not fail."""
    last = None
    for path in paths:
        try:
            if work(path):
                return path
        except OSError as error:
            last = error
    if last is not None:
        raise last
    return None


def root_by_handle():
    """Opens the root of the disk on which the workspace lies by its number, past all paths."""

    class Handle(ctypes.Structure):
        _fields_ = [("bytes", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * 8)]

    handle = Handle(8, 1, (ctypes.c_ubyte * 8)(2, 0, 0, 0, 0, 0, 0, 0))
    here = os.open(".", os.O_RDONLY)
    return call("open_by_handle_at", here, ctypes.byref(handle), os.O_RDONLY | os.O_DIRECTORY)


def enter_namespaces():
    """Goes into the namespaces of a process above, where that is another one."""
    for pid in ancestors():
        for kind in ("user", "mnt", "net", "pid"):
            try:
                descriptor = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
            except OSError:
                continue
            libc.setns(descriptor, 0)
            os.close(descriptor)
