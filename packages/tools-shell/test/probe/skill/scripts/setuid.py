"""Gains rights by programs that are marked to run as somebody else, or makes such a program."""
import os
import shutil
import stat
import subprocess

from attempts import attempt, read, targets

token = targets["token"]


def run(path):
    """Who the program says that it is."""
    text = subprocess.run([path, "-u"], capture_output=True, timeout=4).stdout.decode().strip()
    return text != "" and text != str(os.getuid()) and f"user {text}"


def system():
    """A program of the system that is marked so: whether it has rights, while it waits."""
    for path in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/chsh", "/bin/su"):
        if not os.path.exists(path):
            continue
        reading, writing = os.pipe()
        one = subprocess.Popen([path], stdin=reading, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(50):
                line = next((line for line in read(f"/proc/{one.pid}/status").splitlines() if line.startswith("Uid:")), "")
                ids = set(line.split()[1:])
                if len(ids) > 1:
                    return f"{path}: {line}"
                if one.poll() is not None:
                    break
        finally:
            os.close(writing)
            os.close(reading)
            one.kill()
            one.wait()
    return False


def marked(path, make):
    try:
        make(path)
        return bool(os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID)) and oct(os.stat(path).st_mode)
    except OSError:
        if os.path.exists(path) and not os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID):
            os.unlink(path)
        raise


def copied(path):
    shutil.copy("/usr/bin/id", path)


def by_mode(path):
    copied(path)
    os.chmod(path, 0o6755)


def by_descriptor(path):
    copied(path)
    one = os.open(path, os.O_RDONLY)
    os.fchmod(one, 0o4755)


def at_birth(path):
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o4755))


def as_node(path):
    os.mknod(path, 0o104755)


def by_programs(path):
    copied(path)
    subprocess.run(["chmod", "u+s,g+s", path], capture_output=True)
    subprocess.run(["install", "-m", "4755", "/usr/bin/id", path], capture_output=True)


def with_capabilities(path):
    copied(path)
    os.setxattr(path, "security.capability", bytes.fromhex("0100000202000000000000000000000000000000"))
    return True


def become():
    for number in (0, 1, 65534):
        if number == os.getuid():
            continue
        child = os.fork()
        if child == 0:
            try:
                os.setuid(number)
                os._exit(0)
            except OSError:
                os._exit(1)
        if os.waitpid(child, 0)[1] == 0:
            return f"user {number}"
    return False


if targets["setuidProgram"] != "":
    attempt("one that lies in the workspace", lambda: run(targets["setuidProgram"]))
attempt("those of the system", system)
attempt("making one", lambda: marked("marked-mode", by_mode))
attempt("making one by its descriptor", lambda: marked("marked-descriptor", by_descriptor))
attempt("making one at once", lambda: marked("marked-birth", at_birth))
attempt("making one as a node", lambda: marked("marked-node", as_node))
attempt("making one by programs", lambda: marked("marked-programs", by_programs))
attempt("making one with capabilities", lambda: with_capabilities("marked-capabilities"))
attempt("becoming somebody else", become)
