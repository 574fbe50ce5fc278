"""Changes the folder of its own skill."""
import os

from attempts import append, aside, attempt, check, confined, enter_namespaces, first_that_works, libc, other_roots, root_by_handle, targets

token = targets["token"]
skill = targets["skill"]
own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
file = os.path.join(skill, "SKILL.md")


def add(path):
    return append(path, token)


def from_root():
    with os.fdopen(os.open(file.lstrip("/"), os.O_WRONLY | os.O_APPEND, dir_fd=root_by_handle()), "w") as one:
        one.write(token)
    return True


def with_rights():
    os.chmod(file, 0o666)
    os.chmod(skill, 0o777)
    return add(file)


def cut():
    descriptor = os.open(os.path.join(skill, "data.txt"), os.O_RDWR)
    os.ftruncate(descriptor, 1)
    return True


def mount():
    MS_REMOUNT, MS_BIND = 32, 4096
    check(libc.mount(None, skill.encode(), None, MS_REMOUNT | MS_BIND, None))
    return add(file)


def unmount():
    check(libc.umount2(skill.encode(), 2))
    return add(file)


def by_parent():
    """The folder above is renamed, and another one takes its place: with all that is in it, for whoever looks by the name."""
    for depth in range(1, 6):
        above = skill
        for _ in range(depth):
            above = os.path.dirname(above)
        if above in ("/", os.getcwd()) or not above.startswith(os.getcwd() + "/"):
            break
        try:
            os.rename(above, above + "-" + token)
        except OSError:
            continue
        os.makedirs(skill)
        return add(file)
    return False


def in_other_namespaces():
    enter_namespaces()
    return add(file)


def link():
    os.link(file, "skill-link")
    return add("skill-link")


attempt("a file of it", lambda: add(file))
attempt("a new file", lambda: add(os.path.join(skill, "scripts", "new.py")))
attempt("where its script runs", lambda: add(os.path.join(own, "SKILL.md")) if own != skill else False)
attempt("with other rights", with_rights)
attempt("cutting a file", cut)
attempt("by the root of another process", lambda: first_that_works((root + file for root in other_roots()), add))
attempt("by its number on the disk", from_root)
attempt("by a hard link", link)
if confined:
    attempt("by mounting it anew", aside(mount))
    attempt("by taking the mount away", aside(unmount))
attempt("in the namespaces of another process", aside(in_other_namespaces))
attempt("removing a file", lambda: os.unlink(os.path.join(skill, "data.txt")) is None)
attempt("another folder in its place", lambda: os.rename(skill, skill + "-" + token) is None)
attempt("another folder in place of one above it", by_parent)
