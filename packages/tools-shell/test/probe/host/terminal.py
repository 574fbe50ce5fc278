"""A terminal that nobody sits at: tells its name, and then whatever is written to it or typed into it."""
import json
import os
import pty
import select
import sys
import tty

master, slave = pty.openpty()
tty.setraw(slave)
print(json.dumps({"name": os.ttyname(slave)}), flush=True)
while True:
    ready, _, _ = select.select([master, slave, sys.stdin], [], [])
    for one in ready:
        if one is sys.stdin:
            sys.exit(0)
        text = os.read(one, 65536).decode("latin-1")
        print(json.dumps({"typed" if one == slave else "written": text}), flush=True)
