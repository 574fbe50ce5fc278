"""Writes outside of the workspace: into a file that is there, and new ones."""
import os
import subprocess

from attempts import append, aside, attempt, check, confined, enter_namespaces, first_that_works, libc, other_roots, root_by_handle, targets

canary = targets["outsideFile"]
token = targets["token"]
MS_REMOUNT, MS_BIND, MS_NOSUID, MS_NODEV = 32, 4096, 2, 4
MNT_DETACH = 2


def by_path(path):
    return append(path, token)


def from_root(descriptor):
    with os.fdopen(os.open(canary.lstrip("/"), os.O_WRONLY | os.O_APPEND, dir_fd=descriptor), "w") as file:
        file.write(token)
    return True


def chroot_escape():
    os.makedirs("jail", exist_ok=True)
    outside = os.open(".", os.O_RDONLY)
    os.chroot("jail")
    os.fchdir(outside)
    for _ in range(30):
        os.chdir("..")
    os.chroot(".")
    return by_path(canary)


def remount():
    for folder in ("/", "/usr", "/etc", os.path.dirname(canary)):
        libc.mount(None, folder.encode(), None, MS_REMOUNT | MS_BIND, None)
        libc.mount(None, folder.encode(), None, MS_REMOUNT, None)
    return by_path("/usr/" + token)


def bind():
    os.makedirs("mounted", exist_ok=True)
    check(libc.mount(os.path.dirname(canary).encode(), b"mounted", None, MS_BIND, None))
    done = by_path(os.path.join("mounted", os.path.basename(canary)))
    check(libc.umount2(b"mounted", MNT_DETACH))
    return done


def uncover():
    for folder in (os.path.dirname(canary), "/tmp", "/proc", "/"):
        check(libc.umount2(folder.encode(), MNT_DETACH))
    return by_path(canary)


def the_disk():
    device = os.stat(".").st_dev
    path = os.path.abspath("disk-" + token)
    os.mknod(path, 0o60600, device)
    try:
        # Opened for writing, and nothing is written.
        os.close(os.open(path, os.O_RDWR))
        return True
    finally:
        os.unlink(path)


def in_other_namespaces():
    enter_namespaces()
    return by_path(canary)


def new_file(folder):
    # Whoever looks from outside removes it, and says whether it is there.
    append(folder + token, token)
    return False


def outside_of_shell():
    subprocess.run(["sh", "-c", f'echo {token} >> "{canary}"; echo {token} | tee -a "{canary}" > /dev/null'], capture_output=True)
    subprocess.run(["cp", "/etc/hostname", os.path.join(os.path.dirname(canary), "copied-" + token)], capture_output=True)
    subprocess.run(["ln", "-f", canary, "linked"], capture_output=True)
    return by_path("linked") if os.path.exists("linked") else False


attempt("by its absolute path", lambda: by_path(canary))
attempt("by a relative path", lambda: by_path(os.path.relpath(canary)))
attempt("by the root of another process", lambda: first_that_works((root + canary for root in other_roots()), by_path))
attempt("by its number on the disk", lambda: from_root(root_by_handle()))
attempt("by a shell, and by a hard link", outside_of_shell)
attempt("a new file beside it", lambda: by_path(os.path.join(os.path.dirname(canary), "new-" + token)))
attempt("a new file where the system keeps things", lambda: first_that_works(targets["places"], new_file))
attempt("by leaving a changed root", aside(chroot_escape))
attempt("by mounting it", aside(bind))
attempt("by the disk itself", aside(the_disk))
if confined:
    # Elsewhere they would do to this machine what they say.
    attempt("by mounting anew what may only be read", aside(remount))
    attempt("by taking away what is mounted over it", aside(uncover))
attempt("in the namespaces of another process", aside(in_other_namespaces))
