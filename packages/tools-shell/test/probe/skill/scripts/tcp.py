"""Reaches a host by TCP: this one."""
import os
import socket
import subprocess

from attempts import aside, attempt, enter_namespaces, first_that_works, targets

port, token = targets["tcpPort"], targets["token"]


def reach(address):
    with socket.create_connection((address, port), 2) as connection:
        connection.sendall((token + "\n").encode())
    return True


def by_proxy():
    for name, value in os.environ.items():
        if name.lower().endswith("_proxy") and value:
            return value
    return False


def by_shell():
    words = ["bash", "-c", f"echo {token} > /dev/tcp/127.0.0.1/{port}"]
    return subprocess.run(words, capture_output=True, timeout=4).returncode == 0


def by_client():
    words = ["curl", "-s", "-m", "2", "-d", token, f"http://127.0.0.1:{port}/"]
    return subprocess.run(words, capture_output=True, timeout=4).returncode != 7


def in_other_namespaces():
    enter_namespaces()
    return reach("127.0.0.1")


def outside():
    """Whether there is a way out at all: asking for one sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 9))
        return one.getsockname()


attempt("this machine", lambda: first_that_works(["127.0.0.1", "::1", "localhost", "0.0.0.0"], reach))
attempt("by a shell", by_shell)
attempt("by a client", by_client)
attempt("by a proxy that it is told of", by_proxy)
attempt("in the namespaces of another process", aside(in_other_namespaces))
attempt("a way out", outside)
