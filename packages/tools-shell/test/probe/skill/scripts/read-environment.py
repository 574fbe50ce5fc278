"""Reads a secret in the environment: its own, and that of others."""
import ctypes
import os
import re
import subprocess

from attempts import ancestors, attempt, call, confined, processes, read, targets

prefix = "probe-environment-"


def show(text):
    found = re.findall(prefix + "[0-9a-f]{8,}", text)
    print("\n".join(found), flush=True)
    return found


def others():
    found = []
    for pid in processes() if confined else ancestors():
        try:
            found += show(read(f"/proc/{pid}/environ", 1 << 20))
        except OSError:
            pass
    return found


def regions(pid):
    for line in read(f"/proc/{pid}/maps", 1 << 20).splitlines():
        if "[stack]" in line or "[heap]" in line:
            begin, end = (int(word, 16) for word in line.split()[0].split("-"))
            yield begin, end


def memory():
    found = []
    for pid in ancestors():
        with open(f"/proc/{pid}/mem", "rb", 0) as file:
            for begin, end in regions(pid):
                file.seek(begin)
                found += show(file.read(min(end - begin, 1 << 23)).decode("latin-1"))
    return found


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def vectors():
    found = []
    for pid in ancestors():
        for begin, end in regions(pid):
            size = min(end - begin, 1 << 23)
            buffer = ctypes.create_string_buffer(size)
            here = Vector(ctypes.cast(buffer, ctypes.c_void_p), size)
            there = Vector(ctypes.c_void_p(begin), size)
            # Of a reserved part nothing can be read.
            call("process_vm_readv", pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
            found += show(buffer.raw.decode("latin-1"))
    return found


def by_programs():
    lines = [subprocess.run(words, capture_output=True).stdout for words in (["env"], ["sh", "-c", "set"], ["ps", "axeww" if confined else f"eww{targets['hostPid']}"])]
    return show(b"\n".join(lines).decode("utf-8", "replace"))


attempt("in its own variables", lambda: show("\n".join(os.environ.values())))
attempt("in what it was started with", lambda: show(read("/proc/self/environ", 1 << 20)))
attempt("in the variables of other processes", others)
attempt("of the process that runs it, by its id", lambda: show(read(f"/proc/{targets['hostPid']}/environ", 1 << 20)))
attempt("in the memory of others", memory)
attempt("in the memory of others, by a call", vectors)
attempt("by programs", by_programs)
