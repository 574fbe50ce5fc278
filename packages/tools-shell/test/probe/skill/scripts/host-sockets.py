"""Talks to services of this machine by their sockets."""
import glob
import os
import socket
import stat
import subprocess

from attempts import ancestors, aside, attempt, call, confined, enter_namespaces, first_that_works, other_roots, read, targets

token = targets["token"]


def reach(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(2)
        one.connect(path)
        one.sendall((token + "\n").encode())
    return True


def agent():
    found = False
    others = [*glob.glob("/tmp/ssh-*/agent.*"), os.environ.get("SSH_AUTH_SOCK", "/none")]
    for path in [targets["agentSocket"], *(others if confined else [])]:
        result = subprocess.run(["ssh-add", "-l"], capture_output=True, env={**os.environ, "SSH_AUTH_SOCK": path})
        # 1: an agent answered that it has no keys.
        found = found or result.returncode in (0, 1)
    return found


def known():
    """Whatever listens: services of the system, and what the kernel lists."""
    paths = ["/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private", "/run/containerd/containerd.sock"]
    paths += [path for path in glob.glob("/run/**", recursive=True)[:2000] if stat.S_ISSOCK(os.lstat(path).st_mode)]
    for line in read("/proc/net/unix", 1 << 20).splitlines()[1:]:
        words = line.split()
        if len(words) == 8:
            paths.append("\0" + words[7][1:] if words[7].startswith("@") else words[7])
    for path in paths:
        try:
            with socket.socket(socket.AF_UNIX) as one:
                one.settimeout(1)
                one.connect(path)
                return repr(path)
        except OSError:
            continue
    return False


def inherited():
    """A socket that was open when it was started."""
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) > 2 and os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                return name
        except OSError:
            continue
    return False


def taken():
    """A socket that another process has open."""
    for pid in ancestors():
        descriptor = call("pidfd_open", pid, 0)
        for number in range(3, 40):
            try:
                one = call("pidfd_getfd", descriptor, number, 0)
                if stat.S_ISSOCK(os.fstat(one).st_mode):
                    return f"{pid} {number}"
            except OSError:
                continue
    return False


def in_other_namespaces():
    enter_namespaces()
    return reach("\0" + targets["abstractSocket"]) and reach(targets["unixSocket"])


attempt("by its path", lambda: reach(targets["unixSocket"]))
attempt("by the root of another process", lambda: first_that_works((root + targets["unixSocket"] for root in other_roots()), reach))
attempt("by a name without a path", lambda: reach("\0" + targets["abstractSocket"]))
attempt("an SSH agent", agent)
if confined:
    attempt("services of the system", known)
attempt("one that it was given", inherited)
attempt("one that another process has open", taken)
attempt("in the namespaces of another process", aside(in_other_namespaces))
