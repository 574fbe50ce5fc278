"""Uses interfaces of the kernel that programs rarely need, and attackers often."""
import ctypes
import os
import socket
import struct
import time

from attempts import aside, attempt, call, confined, libc, check, read, targets


def reads(path, most=64):
    def work():
        with open(path, "rb", 0) as file:
            return len(file.read(most)) > 0

    return work


def opens_for_writing(*paths):
    """Opened, and nothing is written."""

    def work():
        found = []
        for path in paths:
            try:
                os.close(os.open(path, os.O_WRONLY))
                found.append(path)
            except OSError:
                pass
        return found

    return work


def bpf():
    """A map of one number: what a program that is loaded would begin with."""
    return call("bpf", 0, ctypes.c_char_p(struct.pack("<IIII", 2, 4, 4, 1) + b"\0" * 112), 128) >= 0


def perf():
    attributes = struct.pack("<IIQQQQ", 1, 128, 0, 0, 0, 0) + struct.pack("<Q", 0b1100001) + b"\0" * 80
    return call("perf_event_open", ctypes.c_char_p(attributes), 0, -1, -1, 0) >= 0


def userfault():
    UFFD_USER_MODE_ONLY = 1
    return call("userfaultfd", UFFD_USER_MODE_ONLY) >= 0


def userfault_device():
    return os.open("/dev/userfaultfd", os.O_RDWR) >= 0


def ring():
    return call("io_uring_setup", 4, ctypes.c_char_p(b"\0" * 120)) >= 0


def key():
    KEY_SPEC_SESSION_KEYRING = -3
    return call("add_key", ctypes.c_char_p(b"user"), ctypes.c_char_p(b"probe"), ctypes.c_char_p(b"x"), 1, KEY_SPEC_SESSION_KEYRING) > 0


def keyring():
    """The ring of keys of the session, which whoever runs it may keep secrets in."""
    KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING = 0, -3
    return call("keyctl", KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) > 0


def sockets(family, kind, protocol=0):
    def work():
        socket.socket(family, kind, protocol).close()
        return True

    return work


def module():
    return libc.init_module(b"", ctypes.c_ulong(0), b"") == 0 or ctypes.get_errno() not in (1, 38)


def clock():
    time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME))
    return True


def name():
    own = socket.gethostname().encode()
    check(libc.sethostname(own, len(own)))
    return True


def swap():
    libc.swapon(b"/nonexistent", 0)
    return ctypes.get_errno() == 2


def handle():
    from attempts import root_by_handle

    return root_by_handle() >= 0


def capabilities():
    lines = dict(line.split(":\t", 1) for line in read("/proc/self/status").splitlines() if ":\t" in line)
    return int(lines["CapEff"], 16) != 0 and lines["CapEff"]


def written(path):
    """Writes what is there already, so that nothing changes."""

    def work():
        with open(path) as file:
            value = file.read()
        with open(path, "w") as file:
            file.write(value)
        return True

    return work


attempt("programs in the kernel", aside(bpf))
attempt("counters of the processor", aside(perf))
attempt("faults handled by a program", aside(userfault))
attempt("faults handled by a program, by a device", aside(userfault_device))
attempt("rings of requests", aside(ring))
attempt("keys", aside(key))
attempt("the ring of keys of the session", aside(keyring))
attempt("files by their numbers", aside(handle))
attempt("packets as they are", aside(sockets(getattr(socket, "AF_PACKET", 17), socket.SOCK_RAW, 0x0300)))
attempt("packets of a protocol", aside(sockets(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)))
attempt("sockets of the machine's host", aside(sockets(getattr(socket, "AF_VSOCK", 40), socket.SOCK_STREAM)))
attempt("ciphers of the kernel", aside(sockets(getattr(socket, "AF_ALG", 38), socket.SOCK_SEQPACKET)))
attempt("messages about devices", aside(sockets(socket.AF_NETLINK, socket.SOCK_RAW, 15)))
attempt("rules of the firewall", aside(sockets(socket.AF_NETLINK, socket.SOCK_RAW, 12)))
attempt("capabilities", capabilities)
attempt("modules", aside(module))
if confined:
    attempt("the clock", aside(clock))
attempt("the name of the machine", aside(name))
attempt("swap", aside(swap))
attempt("messages of the kernel", reads("/dev/kmsg"))
attempt("the memory of the kernel", reads("/proc/kcore"))
attempt("memory", opens_for_writing("/dev/mem", "/dev/port", "/dev/kmem"))
attempt("disks and other devices", opens_for_writing("/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/loop0", "/dev/loop-control", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/vsock", "/dev/console", "/dev/tty0", "/dev/uinput"))
attempt("keys that act on the system", opens_for_writing("/proc/sysrq-trigger"))
attempt("settings of the kernel", opens_for_writing("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/panic_on_oom", "/proc/sys/kernel/hostname"))
attempt("a setting of the kernel, written", written("/proc/sys/kernel/randomize_va_space"))
attempt("what the kernel shows of devices", opens_for_writing("/sys/kernel/uevent_helper", "/sys/power/state", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/release_agent", "/sys/fs/cgroup/unified/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs"))
attempt("traces", lambda: [path for path in ("/sys/kernel/debug", "/sys/kernel/tracing") if os.path.isdir(path) and os.listdir(path)])
