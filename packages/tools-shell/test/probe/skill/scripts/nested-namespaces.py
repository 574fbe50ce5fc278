"""Makes namespaces of its own."""
import os
import subprocess

from attempts import aside, attempt, check, enter_namespaces, libc

flags = {
    "user": 0x10000000, "mount": 0x00020000, "network": 0x40000000, "process": 0x20000000,
    "ipc": 0x08000000, "name": 0x04000000, "cgroup": 0x02000000, "time": 0x00000080,
}


def unshare(flag):
    def work():
        check(libc.unshare(flag))
        return True

    return work


def mapped():
    """With rights in it, which then can mount."""
    uid = os.getuid()
    check(libc.unshare(flags["user"] | flags["mount"]))
    try:
        with open("/proc/self/uid_map", "w") as file:
            file.write(f"0 {uid} 1")
    except OSError:
        pass
    os.makedirs("/tmp/nested", exist_ok=True)
    check(libc.mount(b"tmpfs", b"/tmp/nested", b"tmpfs", 0, None))
    return True


def by(*words):
    return lambda: subprocess.run(words, capture_output=True, timeout=4).returncode == 0


def another():
    before = os.readlink("/proc/self/ns/mnt"), os.readlink("/proc/self/ns/net"), os.readlink("/proc/self/ns/user")
    enter_namespaces()
    return before != (os.readlink("/proc/self/ns/mnt"), os.readlink("/proc/self/ns/net"), os.readlink("/proc/self/ns/user"))


for name, flag in flags.items():
    attempt(f"of kind {name}", aside(unshare(flag)))
    attempt(f"of kind {name}, with one of users", aside(unshare(flag | flags["user"])))
attempt("with a mount in it", aside(mapped))
attempt("by unshare", by("unshare", "-Ur", "true"))
attempt("by unshare, with a root of its own", by("unshare", "-Urmpf", "true"))
attempt("by bubblewrap", by("bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"))
attempt("by entering those of others", aside(another))
