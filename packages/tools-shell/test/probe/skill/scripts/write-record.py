"""Changes the record of the run, which lies in the workspace."""
import os

from attempts import append, aside, attempt, check, confined, enter_namespaces, first_that_works, libc, other_roots, root_by_handle, targets

token, record = targets["token"], targets["record"]


def add(path):
    return append(path, token)


def from_root():
    with os.fdopen(os.open(record.lstrip("/"), os.O_WRONLY | os.O_APPEND, dir_fd=root_by_handle()), "w") as one:
        one.write(token)
    return True


def mount():
    MS_REMOUNT, MS_BIND = 32, 4096
    folder = os.path.dirname(os.path.dirname(record))
    check(libc.mount(None, folder.encode(), None, MS_REMOUNT | MS_BIND, None))
    return add(record)


def unmount():
    folder = os.path.dirname(os.path.dirname(record))
    check(libc.umount2(folder.encode(), 2))
    return add(record)


def in_other_namespaces():
    enter_namespaces()
    return add(record)


def replace(depth):
    """What lies so many levels above the file is renamed, and a forged one takes its place."""

    def work():
        above = record
        for _ in range(depth):
            above = os.path.dirname(above)
        if above == os.getcwd() or not above.startswith(os.getcwd() + "/"):
            return False
        os.rename(above, above + "-" + token)
        os.makedirs(os.path.dirname(record), exist_ok=True)
        return add(record)

    return work


def link():
    os.link(record, "record-link")
    return add("record-link")


attempt("adding a line", lambda: add(record))
attempt("by the root of another process", lambda: first_that_works((root + record for root in other_roots()), add))
attempt("by its number on the disk", from_root)
attempt("by a hard link", link)
attempt("a new file beside it", lambda: add(os.path.join(os.path.dirname(record), "new")))
attempt("another run", lambda: os.makedirs(os.path.join(os.path.dirname(os.path.dirname(record)), "forged-" + token)) is None)
if confined:
    attempt("by mounting it anew", aside(mount))
    attempt("by taking the mount away", aside(unmount))
attempt("in the namespaces of another process", aside(in_other_namespaces))
for depth, name in enumerate(["the file", "the folder of the run", "the folder of all runs", "the folder above"]):
    attempt(f"another one in place of {name}", replace(depth))
attempt("removing it", lambda: os.unlink(record) is None)
