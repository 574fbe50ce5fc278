"""Reads a secret in the home folder, whose path is known."""
import os
import pwd
import re
import subprocess

from attempts import aside, attempt, confined, first_that_works, enter_namespaces, other_roots, read, root_by_handle, targets

secret = targets["homeFile"]


def tell_of(text):
    found = re.findall("probe-home-[0-9a-f]{8,}", text)
    print("\n".join(found), flush=True)
    return found


def show(path):
    return tell_of(read(path))


def from_root():
    with os.fdopen(os.open(secret.lstrip("/"), os.O_RDONLY, dir_fd=root_by_handle())) as file:
        return tell_of(file.read())


def in_other_namespaces():
    enter_namespaces()
    return show(secret)


def by_programs():
    folder = os.path.dirname(secret)
    words = [["cat", secret], ["tar", "cf", "-", folder], ["grep", "-r", "probe-home-", folder], ["sh", "-c", f'cat < "{secret}"']]
    return tell_of("\n".join(subprocess.run(command, capture_output=True).stdout.decode("utf-8", "replace") for command in words))


def linked():
    for make in (os.symlink, os.link):
        try:
            make(secret, "home-" + make.__name__)
        except OSError:
            pass
    return first_that_works(["home-symlink", "home-link"], show)


def homes():
    """All that there are: that of the account need not be the one that HOME names. Its own folder for what is temporary is none."""
    folders = {"/home", "/root", pwd.getpwuid(os.getuid()).pw_dir} - {"/", "/tmp"}
    return sum(len(os.listdir(folder)) for folder in folders if os.path.isdir(folder))


attempt("by its absolute path", lambda: show(secret))
attempt("by a relative path", lambda: show(os.path.relpath(secret)))
attempt("by the root of another process", lambda: first_that_works((root + secret for root in other_roots()), show))
attempt("by its number on the disk", from_root)
attempt("by programs", by_programs)
attempt("by links", linked)
if confined:
    attempt("all homes", homes)
attempt("in the namespaces of another process", aside(in_other_namespaces))
