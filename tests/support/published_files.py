"""Small files in the binary forms that data sets are published in."""

import struct


def biff2(rows: list[list[str | float]]) -> bytes:
    """Return a sheet of Excel 2 records, of which xlrd makes the sheet «Sheet 1»: number and label cells."""
    records = [struct.pack("<HHHH", 0x0009, 4, 2, 0x10)]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            place = struct.pack("<HH3x", row, column)
            if isinstance(cell, str):
                data = place + bytes([len(cell)]) + cell.encode("ascii")
                records.append(struct.pack("<HH", 0x0004, len(data)) + data)
            else:
                records.append(struct.pack("<HH", 0x0003, 15) + place + struct.pack("<d", cell))
    return b"".join([*records, struct.pack("<HH", 0x000A, 0)])


def r_data(name: bytes = b"Frame") -> bytes:
    """Return an R data file in its binary format, version 2: a data frame of a factor and a numeric column."""

    def head(kind: int, flags: int = 0) -> bytes:
        return struct.pack(">i", kind | flags)

    def text(value: bytes) -> bytes:
        return head(9, 0x40000) + struct.pack(">i", len(value)) + value

    def texts(*values: bytes) -> bytes:
        return head(16) + struct.pack(">i", len(values)) + b"".join(map(text, values))

    def symbol(value: bytes) -> bytes:
        return head(1) + text(value)

    def attributes(*pairs: tuple[bytes, bytes]) -> bytes:
        return b"".join(head(2, 0x400) + symbol(key) + value for key, value in pairs) + head(254)

    factor = head(13, 0x300) + struct.pack(">iiii", 3, 2, 1, -(2**31))
    factor += attributes((b"levels", texts(b"grey soil", b"red soil")), (b"class", texts(b"factor")))
    numbers = head(14) + struct.pack(">iddd", 3, 1.0, 2.5, 92.0)
    row_names = head(13) + struct.pack(">iii", 2, -(2**31), -3)
    # a symbol that was named before is a reference: «class» is the third of the file
    frame = head(19, 0x300) + struct.pack(">i", 2) + numbers + factor
    frame += head(2, 0x400) + symbol(b"names") + texts(b"x.1", b"soil")
    frame += head(2, 0x400) + struct.pack(">i", (3 << 8) | 255) + texts(b"data.frame")
    frame += head(2, 0x400) + symbol(b"row.names") + row_names + head(254)
    version = struct.pack(">iii", 2, 0x020F00, 0x020300)
    return b"RDX2\nX\n" + version + head(2, 0x400) + symbol(name) + frame + head(254)
