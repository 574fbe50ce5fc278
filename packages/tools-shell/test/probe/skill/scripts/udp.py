"""Reaches a host by UDP. That a packet was sent says nothing: who counts listens elsewhere."""
import socket
import subprocess

from attempts import aside, attempt, enter_namespaces, targets

port, token = targets["udpPort"], targets["token"]


def send(address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        one.settimeout(1)
        one.sendto(token.encode(), (address, port))
        answer, _ = one.recvfrom(100)
        return answer == token.encode()


def by_shell():
    subprocess.run(["bash", "-c", f"echo -n {token} > /dev/udp/127.0.0.1/{port}"], capture_output=True, timeout=4)
    return False


def in_other_namespaces():
    enter_namespaces()
    return send("127.0.0.1")


for address in ["127.0.0.1", "::1", "255.255.255.255"]:
    attempt(f"to {address}", lambda: send(address))
attempt("by a shell", by_shell)
attempt("in the namespaces of another process", aside(in_other_namespaces))
