#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Tactus authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads recordings with h5py, from docs/recording_format.md alone.

check.py whole FILE CSV        a complete recording: what it says of itself is so, and its log is
                               that of the CSV file of the same run
check.py part FILE WHOLE       a recording whose writer was killed: it opens, and what it counts is
                               the beginning of the complete one; prints how many sets it has
"""

import csv
import sys

import h5py
import numpy

KINDS = {"real": "<f8", "bool": "u1", "u8": "u1", "i32": "<i4", "u32": "<u4", "u64": "<u8"}
PAGE = 4096
ATTRIBUTES = ("unit", "meaning", "frame", "labels", "kind")


def require(holds, *message):
    if not holds:
        sys.exit(" ".join(str(part) for part in message))


def texts(file, path):
    return [text.decode() for text in file[path][:]]


def open_recording(path):
    try:
        return h5py.File(path, "r"), False
    except OSError:
        return h5py.File(path, "r", swmr=True), True


def tables_of(file):
    """For each table its name, its rule, and the indices of its fields."""
    owners = file["/meta/fields/table"][:]
    names = texts(file, "/meta/tables/name")
    rules = texts(file, "/meta/tables/rule")
    return [(name, rule, numpy.flatnonzero(owners == i))
            for i, (name, rule) in enumerate(zip(names, rules))]


def check_field(file, i, head, table, rule, axis, rows):
    path = head["path"][i]
    dataset = file[path]
    width = int(file["/meta/fields/width"][i])
    kind = head["kind"][i]
    columns = 1 if kind == "text" else width
    require(dataset.shape == ((rows,) if columns == 1 else (rows, columns)), path, dataset.shape)
    expected = numpy.dtype(f"S{width}" if kind == "text" else KINDS[kind])
    require(dataset.dtype == expected, path, "is", dataset.dtype, "and not", expected)
    require(dataset.fletcher32 and dataset.shuffle and dataset.compression == "gzip", path)
    for name in ATTRIBUTES:
        require(dataset.attrs[name].decode() == head[name][i], path, name, dataset.attrs[name])
    require(dataset.attrs["rule"].decode() == rule, path, "rule")
    require(dataset.attrs["axis"].decode() == axis, path, "axis")
    require(dataset.attrs["table"].decode() == table, path, "table")
    labels = head["labels"][i]
    require(len(labels.split(",")) in (1, columns), path, "has labels", labels)


def check_headers(file):
    """A kill can tear a header that is being overwritten only where it goes over two pages."""
    raw = open(file.filename, "rb").read()

    def check(path, item):
        begin = h5py.h5o.get_info(item.id).addr
        require(raw[begin:begin + 4] == b"OHDR", path, "has no header at", begin)
        flags = raw[begin + 5]
        at = begin + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
        width = 1 << (flags & 3)
        end = at + width + int.from_bytes(raw[at:at + width], "little") + 4
        require(begin // PAGE == (end - 1) // PAGE, path, "has a header from", begin, "to", end)

    file.visititems(check)


def check_tables(file):
    head = {name: texts(file, f"/meta/fields/{name}") for name in ("path",) + ATTRIBUTES}
    counted = file["/blocks/rows"][-1]
    for (table, rule, fields), rows in zip(tables_of(file), counted):
        axis = head["path"][fields[0]]
        times = file[axis][:].astype(numpy.int64)
        require(axis == f"/time/{table}_us" and numpy.all(numpy.diff(times) >= 0), axis)
        for i in fields:
            check_field(file, i, head, table, rule, axis, int(rows))


def log_column(file, name):
    """"battery[1].voltage_v" is the column "1" of /log/battery/voltage_v."""
    parts, labels = [], []
    for part in name.split("."):
        stem, _, index = part.partition("[")
        if len(stem) == 1 and parts:
            labels.append(stem)
        else:
            parts.append(stem)
        if index:
            labels.append(index.rstrip("]"))
    dataset = file["/log/" + "/".join(parts)]
    if not labels:
        return dataset[:]
    known = dataset.attrs["labels"].decode().split(",")
    column = known.index(".".join(labels))
    return dataset[:] if dataset.ndim == 1 else dataset[:, column]


def check_angles(file, names, rows):
    """The log has attitudes as angles too, in degrees: yaw, pitch, roll from the quaternion."""
    for source in ("truth", "estimate"):
        w, x, y, z = file[f"/log/{source}/attitude"][:].T
        angles = {
            "roll": numpy.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            "pitch": numpy.arcsin(numpy.clip(2 * (w * y - z * x), -1, 1)),
            "yaw": numpy.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
        }
        for name, expected in angles.items():
            column = names.index(f"{source}.{name}_deg")
            told = numpy.array([float(row[column]) for row in rows])
            off = numpy.abs(told - numpy.degrees(expected))
            off = numpy.minimum(off, numpy.abs(off - 360))
            require(off.max() < 1e-9, source, name, "is off by", off.max())


def check_log(file, csv_path):
    with open(csv_path, encoding="utf-8") as lines:
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    names, rows = rows[0], rows[1:]
    require(len(rows) > 100, "the log of the run is short")
    check_angles(file, names, rows)
    for i, name in enumerate(names):
        if name.endswith(("roll_deg", "pitch_deg", "yaw_deg")):
            continue
        values = file["/time/log_us"][:] if name == "time_us" else log_column(file, name)
        require(len(values) == len(rows), name, "has", len(values), "rows, not", len(rows))
        for k, row in enumerate(rows):
            same = type(values[k])(float(row[i]) if "f" in values.dtype.str else int(row[i]))
            require(same == values[k] or (same != same and values[k] != values[k]), name, "row", k)


def check_whole(path, csv_path):
    file, left_open = open_recording(path)
    require(not left_open and file["/complete"][0] == 1, path, "is not complete")
    require(file["/meta/version"][0] == 3, "version")
    require(texts(file, "/meta/spec")[0].count("\n") > 10, "the spec is short")
    require(len(texts(file, "/meta/parameters/key")) > 50, "few parameters")
    require(file["/end/time_us"][0] == file["/time/boundary_us"][-1], "the end")
    require(numpy.any(file["/end/flight_digest"][:] != 0), "the digest")
    require(file["/log/truth/position_ned_m"].attrs["unit"] == b"m", "unit of a position")
    check_headers(file)
    check_tables(file)
    check_log(file, csv_path)


def same(a, b):
    """Equal to the bit."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def check_part(path, whole_path):
    part, left_open = open_recording(path)
    whole, _ = open_recording(whole_path)
    for group in ("parameters/value", "tables/name", "fields/path"):
        require(same(part[f"/meta/{group}"][:], whole[f"/meta/{group}"][:]), "/meta", group)
    names = ["/time/blocks_us"] + ["/blocks/" + name for name in whole["/blocks"]]
    sets = min(len(part[name]) for name in names)
    for name in names:
        require(same(part[name][:sets], whole[name][:sets]), name, "of set", sets)
    counted = part["/blocks/rows"][sets - 1] if sets else numpy.zeros(len(tables_of(part)), int)
    paths = texts(part, "/meta/fields/path")
    for (_, _, fields), rows in zip(tables_of(part), counted):
        for i in fields:
            have = part[paths[i]]
            require(len(have) >= rows, path, paths[i], "has", len(have), "of", rows, "rows")
            require(same(have[:rows], whole[paths[i]][:rows]), path, paths[i])
    if not left_open:
        require(part["/complete"][0] == 0 or sets == len(whole["/time/blocks_us"]), "complete")
    print(sets, "left open" if left_open else "closed")


if __name__ == "__main__":
    {"whole": check_whole, "part": check_part}[sys.argv[1]](*sys.argv[2:])
