"""Says what stands in an archive, field by field, and judges nothing.

It reads the bytes by the published layouts alone (POSIX pax, GNU tar manual, PKWARE APPNOTE, RFC 1952) and shares no
code with the reader under test. One line of JSON in: a path. One line of JSON out: a list of facts, each a text.
"""

import json
import struct
import sys
import zlib

BLOCK = 512
MOST_FACTS = 20_000


def show(data):
    return data.decode("utf-8", "backslashreplace")


class Facts(list):
    """Texts, each once; a bomb has thousands of entries that are alike."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def name(self, what, name):
        """A name of an entry, and whether it stands there again."""
        text = f"{what} {show(name)}"
        self.say(f"{text} again" if text in self.seen else text)

    def say(self, text):
        if text in self.seen or len(self) >= MOST_FACTS:
            return
        self.seen.add(text)
        self.append(text)


def gunzip(data, facts):
    """Every gzip member, unpacked; what follows the last one is a fact."""
    out = []
    at = members = 0
    while data[at : at + 2] == b"\x1f\x8b":
        if len(data) < at + 10:
            facts.say("gzip: cut in header")
            return b"".join(out)
        method, flags = data[at + 2], data[at + 3]
        facts.say(f"gzip: method {method}")
        facts.say(f"gzip: flags {flags:#04x}")
        start = skip_gzip_header(data, at, facts)
        if method != 8 or start is None:
            return b"".join(out)
        inflater = zlib.decompressobj(-15)
        try:
            part = inflater.decompress(data[start:], 320 * 1024 * 1024)
        except zlib.error:
            facts.say("gzip: damaged deflate")
            return b"".join(out)
        out.append(part)
        members += 1
        if not inflater.eof:
            facts.say("gzip: deflate without end")
            return b"".join(out)
        at = len(data) - len(inflater.unused_data)
        if at - start > 2 * len(part) + 1024:
            facts.say("gzip: more compressed bytes than content")
        if len(data) < at + 8:
            facts.say("gzip: cut in trailer")
            return b"".join(out)
        crc, length = struct.unpack_from("<II", data, at)
        if crc != zlib.crc32(part):
            facts.say("gzip: crc differs")
        if length != len(part) % 2**32:
            facts.say("gzip: length differs")
        at += 8
    facts.say(f"gzip: {members} members")
    if at < len(data):
        facts.say(f"gzip: {len(data) - at} bytes behind the last member")
    return b"".join(out)


def skip_gzip_header(data, at, facts):
    flags, start = data[at + 3], at + 10
    if flags & 4:
        start += 2 + struct.unpack_from("<H", data, start)[0]
        if start > len(data):
            facts.say("gzip: extra field beyond the end")
            return None
    for bit in (8, 16):
        if flags & bit:
            start = data.find(b"\0", start) + 1
            if start == 0:
                facts.say("gzip: text without end")
                return None
    if flags & 2:
        if struct.unpack_from("<H", data, start)[0] != zlib.crc32(data[at:start]) & 0xFFFF:
            facts.say("gzip: header crc differs")
        start += 2
    return start if start <= len(data) else None


def number(field):
    """A number of a tar header: binary, octal, or None."""
    if field[0] in (0x80, 0xFF):
        return int.from_bytes(field[1:], "big") - (256 ** (len(field) - 1) if field[0] == 0xFF else 0)
    text = field.split(b"\0")[0].strip(b" ")
    if field.split(b"\0", 1)[-1].strip(b" \0") and b"\0" in field:
        return None
    try:
        return int(text or b"0", 8) if b"-" not in text and b"_" not in text else None
    except ValueError:
        return None


def until_zero(field):
    return field.split(b"\0")[0]


def inspect_tar(data, facts):
    at, zeros, entries, padding = 0, 0, 0, 0
    while at < len(data):
        block = data[at : at + BLOCK]
        if len(block) < BLOCK:
            facts.say("tar: cut in header" if zeros < 2 else "tar: bytes behind the end")
            return
        if not any(block):
            zeros += 1
            padding += BLOCK
            at += BLOCK
            continue
        if zeros:
            facts.say(f"tar: block behind {'one zero block' if zeros == 1 else 'the end'}")
        at += BLOCK
        entries += 1
        size = inspect_header(block, facts)
        if size is None or size < 0:
            return
        body = data[at : at + size]
        if len(body) < size:
            facts.say("tar: cut in data")
        kind = block[156:157]
        if kind in b"xg":
            inspect_pax(kind.decode(), body, facts)
        elif kind in b"LK":
            facts.say(f"tar: long {kind.decode()} {show(body[:-1] if body.endswith(bytes(1)) else body)}")
        at += (size + BLOCK - 1) // BLOCK * BLOCK
        if at > len(data) >= at - BLOCK and size % BLOCK:
            facts.say("tar: last block not filled up")
    facts.say(f"tar: {entries} headers")
    facts.say(f"tar: {min(zeros, 2)} zero blocks at the end")
    if padding > 2 * BLOCK + 1024 * 1024:
        facts.say("tar: more than 1 MiB of zeros behind the end")


def inspect_header(block, facts):
    facts.say(f"tar: header {order(block)}")
    sum_ = sum(block[:148]) + 256 + sum(block[156:])
    if number(block[148:156]) != sum_:
        facts.say("tar: checksum differs")
    name, prefix = until_zero(block[:100]), until_zero(block[345:500])
    facts.name("tar: name", name)
    if prefix:
        facts.say(f"tar: prefix {show(prefix)} in {show(block[257:265].rstrip(bytes(1))) or 'v7'}")
    if any(block[157:257]):
        facts.say(f"tar: link {show(until_zero(block[157:257]))}")
    for field, start, end in (("name", 0, 100), ("link", 157, 257), ("prefix", 345, 476)):
        behind = block[start:end].partition(b"\0")[2].strip(b"\0")
        if behind:
            facts.say(f"tar: bytes behind the end of {field}: {show(behind)}")
    for field, start, end in (("mode", 100, 108), ("uid", 108, 116), ("gid", 116, 124), ("size", 124, 136), ("mtime", 136, 148), ("device", 329, 337)):
        value = number(block[start:end])
        if value is None:
            facts.say(f"tar: {field} is no number")
        elif field == "mode":
            facts.say(f"tar: mode {value:o}")
        elif field == "mtime" and abs(value) >= 2**53:
            facts.say("tar: mtime is beyond all")
        elif field in ("uid", "gid") and not 0 <= value < 2**32:
            facts.say(f"tar: {field} is {value}")
        elif field == "size":
            facts.say(f"tar: type {show(block[156:157])} size {value}")
    if any(block[476:512]):
        facts.say("tar: bytes behind the fields")
    facts.say(f"tar: type {show(block[156:157])}")
    facts.say(f"tar: magic {show(block[257:265])}")
    return number(block[124:136])


def order(block):
    return f"{show(block[156:157])} {show(until_zero(block[:100]))}"


def inspect_pax(scope, body, facts):
    if len(body) > 1024 * 1024:
        facts.say(f"pax {scope}: more than 1 MiB")
    at = records = 0
    while at < len(body):
        space = body.find(b" ", at, at + 12)
        digits = body[at:space] if space > at else b""
        if not digits.isdigit() or body[at + int(digits) - 1 : at + int(digits)] != b"\n":
            facts.say(f"pax {scope}: malformed record")
            return
        key, equals, value = body[space + 1 : at + int(digits) - 1].partition(b"=")
        if not key or not equals:
            facts.say(f"pax {scope}: record without key")
        records += 1
        facts.say(f"pax {scope}: {show(key)}={show(value[:2000])}")
        at += int(digits)
    facts.say(f"pax {scope}: {records} records")


def inspect_zip(data, facts):
    end = data.rfind(b"PK\5\6")
    facts.say(f"zip: begins with {data[:4]!r}")
    facts.say(f"zip: {data.count(b'PK' + bytes([5, 6]))} end records")
    if end == -1 or end + 22 > len(data):
        facts.say("zip: no end record")
        inspect_locals(data, facts)
        return
    disk, start_disk, here, count, size, start, comment = struct.unpack_from("<HHHHIIH", data, end + 4)
    facts.say(f"zip: end says disk {disk}")
    facts.say(f"zip: end says {count} entries")
    facts.say(f"zip: end says size {size}")
    facts.say(f"zip: end says start {start}")
    tail = len(data) - end - 22 - comment
    if tail:
        facts.say(f"zip: {'bytes behind' if tail > 0 else 'cut in comment of'} the end record")
    stop = end
    if end >= 20 and data[end - 20 : end - 16] == b"PK\6\7":
        stop, start, size, count = inspect_zip64(data, end, facts)
    if start + size > stop:
        facts.say("zip: directory does not fit")
    if start + size < stop:
        facts.say("zip: bytes between directory and end")
    inspect_directory(data, (start, stop), facts)


def inspect_zip64(data, end, facts):
    at, disks = struct.unpack_from("<QI", data, end - 12)
    facts.say(f"zip64: {disks} disks")
    if data[at : at + 4] != b"PK\6\6":
        facts.say("zip64: end record is not where it says")
        return end, 0, 0, 0
    length, = struct.unpack_from("<Q", data, at + 4)
    count, size, start = struct.unpack_from("<QQQ", data, at + 32)
    facts.say(f"zip64: record of {length} bytes")
    facts.say(f"zip64: says {count} entries, start {start}")
    return at, start, size, count


def inspect_directory(data, bounds, facts):
    at, stop = bounds
    records = 0
    spans = []
    while data[at : at + 4] == b"PK\1\2" and at + 46 <= stop:
        made, flags, method = struct.unpack_from("<HxxHH", data, at + 4)
        crc, packed, size, name_length, extra_length, comment = struct.unpack_from("<IIIHHH", data, at + 16)
        disk, _, attributes, offset = struct.unpack_from("<HHII", data, at + 34)
        name = data[at + 46 : at + 46 + name_length]
        extra = data[at + 46 + name_length :][:extra_length]
        mode = attributes >> 16
        facts.name("zip: record", name)
        facts.say(f"zip: mode {mode:o} of system {made >> 8}")
        facts.say(f"zip: needs version {data[at + 6]}")
        facts.say(f"zip: flags {flags:#06x}")
        facts.say(f"zip: method {method}")
        if attributes & 0x10:
            facts.say(f"zip: folder attribute on {show(name)}")
        if disk:
            facts.say(f"zip: record on disk {disk}")
        facts.say(f"zip: says {size} bytes{' in a folder' if size and name.endswith(b'/') else ''}")
        inspect_extra("central", extra, facts)
        record = (name, flags, method, crc, packed, size)
        spans.append((offset, inspect_local(data, offset, record, facts), show(name)))
        records += 1
        at += 46 + name_length + extra_length + comment
    facts.say(f"zip: {records} records")
    if at != stop:
        facts.say("zip: directory is not records alone")
    inspect_spans(sorted(spans), bounds[0], facts)


def inspect_local(data, at, record, facts):
    """What the local header says otherwise, and the data; returns where the entry ends."""
    name, flags, method, crc, packed, size = record
    if data[at : at + 4] != b"PK\3\4" or at + 30 > len(data):
        facts.say(f"zip: no local header for {show(name)}")
        return at
    l_flags, l_method = struct.unpack_from("<HH", data, at + 6)
    l_crc, l_packed, l_size, name_length, extra_length = struct.unpack_from("<IIIHH", data, at + 14)
    start = at + 30 + name_length + extra_length
    extra = data[start - extra_length : start]
    pairs = (
        ("name", data[at + 30 : at + 30 + name_length], name),
        ("flags", l_flags, flags),
        ("method", l_method, method),
        ("crc", l_crc, crc),
        ("packed size", l_packed, packed),
        ("size", l_size, size),
    )
    for what, local, central in pairs:
        if local == central:
            continue
        facts.say(f"zip: local flags {local:#06x}, not {central:#06x}" if what == "flags" else f"zip: local {what} differs")
    inspect_extra("local", extra, facts)
    body = data[start : start + packed] if packed != 0xFFFFFFFF else b""
    if start + packed > len(data):
        facts.say("zip: data beyond the file")
    inspect_data(body, record, facts)
    end = start + packed
    if flags & 8:
        end = inspect_descriptor(data, end, record, facts)
    return end


def inspect_data(body, record, facts):
    _, _, method, crc, packed, size = record
    content = body
    if method == 8:
        inflater = zlib.decompressobj(-15)
        try:
            content = inflater.decompress(body, 320 * 1024 * 1024)
        except zlib.error:
            facts.say("zip: damaged deflate")
            return
        if not inflater.eof:
            facts.say("zip: deflate without end")
        if inflater.unused_data:
            facts.say(f"zip: {len(inflater.unused_data)} bytes behind the deflate data")
    if method in (0, 8):
        if len(content) != size:
            facts.say(f"zip: holds {len(content)} bytes instead of {size}")
        elif zlib.crc32(content) != crc:
            facts.say("zip: crc differs")
        if packed > 2 * len(content) + 1024:
            facts.say("zip: more compressed bytes than content")


def inspect_descriptor(data, at, record, facts):
    _, _, _, crc, packed, size = record
    signed = data[at : at + 4] == b"PK\7\x08"
    start = at + 4 if signed else at
    if data[start : start + 12] == struct.pack("<III", crc, packed, size):
        return start + 12
    if data[start : start + 20] == struct.pack("<IQQ", crc, packed, size):
        return start + 20
    facts.say("zip: no descriptor that agrees")
    return at


def inspect_extra(where, extra, facts):
    at = 0
    while at + 4 <= len(extra):
        ident, length = struct.unpack_from("<HH", extra, at)
        body = extra[at + 4 : at + 4 + length]
        if len(body) < length:
            facts.say(f"extra {where}: field cut")
            return
        text = f" {body[0]} {struct.unpack_from('<I', body, 1)[0]:08x} {show(body[5:])}" if ident == 0x7075 else ""
        facts.say(f"extra {where}: {ident:#06x}{text}")
        if ident == 1 and length >= 8:
            facts.say(f"extra {where}: zip64 {struct.unpack_from('<Q', body)[0]}")
            facts.say(f"extra {where}: zip64 of {length} bytes")
        if extra.count(struct.pack("<HH", ident, length)) > 1:
            facts.say(f"extra {where}: {ident:#06x} twice")
        at += 4 + length
    if any(extra[at:]):
        facts.say(f"extra {where}: bytes left over")


def inspect_spans(spans, start, facts):
    at = 0
    for offset, end, name in spans:
        if offset > at:
            facts.say("zip: gap before an entry")
        if offset < at:
            facts.say(f"zip: {name} overlaps the one before it")
        at = max(at, end)
    if spans and at < start:
        facts.say("zip: gap before the directory")
    if at > start:
        facts.say("zip: entries reach into the directory")


def inspect_locals(data, facts):
    if data[:4] == b"PK\3\4":
        facts.say("zip: local header without directory")


def inspect(data):
    facts = Facts()
    facts.say(f"file: {len(data)} bytes")
    facts.say(f"file: {'empty' if not data else 'begins with ' + repr(data[:4])}")
    if data[:2] == b"\x1f\x8b":
        tar = gunzip(data, facts)
        facts.say(f"file: unpacks to {len(tar)} bytes")
        inspect_tar(tar, facts)
    elif b"PK" in data[:64] or data[-22:-20] == b"PK":
        inspect_zip(data, facts)
    return facts


for line in sys.stdin:
    with open(json.loads(line), "rb") as file:
        print(json.dumps(inspect(file.read())), flush=True)
