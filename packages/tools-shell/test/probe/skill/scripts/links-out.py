"""Leaves the workspace by links: some that it makes, and one that lay there."""
import os
import re

from attempts import append, attempt, first_that_works, other_roots, read, targets

canary, secret, token = targets["outsideFile"], targets["homeFile"], targets["token"]


def show(path):
    found = re.findall("probe-home-[0-9a-f]{8,}", read(path))
    print("\n".join(found), flush=True)
    return found


def link(to, path):
    if not os.path.lexists(path):
        os.symlink(to, path)
    return path


def hard():
    os.link(canary, "hard-link")
    return append("hard-link", token)


def moved():
    """A link to a folder above, through which what is beside the workspace is moved into it."""
    above = link(os.path.dirname(canary), "above")
    os.rename(os.path.join(above, os.path.basename(canary)), "moved")
    append("moved", token)
    os.rename("moved", os.path.join(above, os.path.basename(canary)))
    return True


def chain():
    path = canary
    for number in range(20):
        path = link(os.path.abspath(path) if number == 0 else path, f"chain-{number}")
    return append(path, token)


attempt("one that lay there, to a file", lambda: append(targets["linkInside"], token))
attempt("one that lay there, to a folder", lambda: append(os.path.join(targets["folderLinkInside"], "new-" + token), token))
attempt("one to a file, written", lambda: append(link(canary, "link"), token))
attempt("one to a file, read", lambda: show(link(secret, "secret-link")))
attempt("one to a folder", lambda: append(os.path.join(link(os.path.dirname(canary), "folder-link"), "by-" + token), token))
attempt("one to the root of another process", lambda: first_that_works((root + canary for root in other_roots()), lambda path: append(path, token)))
attempt("a relative one", lambda: append(link(os.path.relpath(canary), "relative-link"), token))
attempt("a chain of them", chain)
attempt("a hard one", hard)
attempt("what is outside, moved in", moved)
