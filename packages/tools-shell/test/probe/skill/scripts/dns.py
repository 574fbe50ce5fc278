"""Asks name servers: one that listens on this machine, and those that the system names."""
import re
import socket
import struct

from attempts import aside, attempt, confined, enter_namespaces, first_that_works, read, targets

port, token = targets["dnsPort"], targets["token"]


def question(name):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack(">HHHHHH", 4711, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", 1, 1)


def ask(server, at=port):
    with socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(1)
        one.sendto(question(token + ".example"), (server, at))
        return len(one.recv(512)) > 0


def ask_by_stream(server):
    text = question(token + ".example")
    with socket.create_connection((server, targets["dnsStreamPort"]), 2) as one:
        one.sendall(struct.pack(">H", len(text)) + text)
        return len(one.recv(512)) > 0


def servers():
    try:
        return re.findall(r"^nameserver\s+(\S+)", read("/etc/resolv.conf"), re.M)
    except OSError:
        return []


def by_service():
    for path in ("/run/nscd/socket", "/run/systemd/resolve/io.systemd.Resolve"):
        try:
            with socket.socket(socket.AF_UNIX) as one:
                one.connect(path)
                return path
        except OSError:
            continue
    return False


def in_other_namespaces():
    enter_namespaces()
    return ask("127.0.0.1")


attempt("a server of this machine", lambda: ask("127.0.0.1"))
attempt("a server of this machine, by TCP", lambda: ask_by_stream("127.0.0.1"))
if confined:
    attempt("the servers that the system names", lambda: first_that_works(servers(), lambda server: ask(server, 53)))
attempt("by what answers for the system", by_service)
attempt("in the namespaces of another process", aside(in_other_namespaces))
