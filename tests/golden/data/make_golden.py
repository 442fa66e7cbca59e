"""Makes the golden files of the data readers, with encoders that are not ours.

    python3 make_golden.py FOLDER

NumPy writes .npy and .npz, h5py HDF5, Pillow JPEG (by libjpeg) and PNG, Python's modules
csv and wave CSV and WAV, and the FlatBuffers and LZ4
libraries the parts of AEDAT 4.0, whose layout follows iniVation's description of the format. expected.json.gz holds
what went in. Made with Python 3.11, NumPy 1.24.2, h5py 3.7.0, Pillow 9.4.0, flatbuffers 2.0.8 and lz4 4.0.2 of Debian 12.
"""

import csv
import gzip
import hashlib
import json
import struct
import sys
import wave
from pathlib import Path

import flatbuffers
import h5py
import lz4.frame
import numpy as np
from PIL import Image

out = Path(sys.argv[1])
expected = {}


def plain(values):
    return np.asarray(values).astype(float).ravel().tolist()


def make_npy():
    kinds = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
    arrays = {}
    for order, name in (("<", "little"), (">", "big")):
        for kind in kinds:
            low = 0 if kind[0] == "u" else -6
            arrays[f"{kind}_{name}"] = np.arange(low, low + 12).reshape(3, 4).astype(order + kind)
    arrays["bool"] = np.array([[True, False, True]])
    arrays["scalar"] = np.float32(2.5)
    arrays["empty"] = np.zeros((0, 3), "<f4")
    arrays["halves"] = np.array([0, -0.0, 1 / 3, 65504, 2**-24, 2**-14, np.inf, -np.inf, np.nan], "<f2")
    arrays["fortran"] = np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4))
    np.savez_compressed(out / "arrays.npz", **arrays)
    np.savez(out / "stored.npz", x=arrays["f4_little"], y=np.array([3, 1, 2]))
    expected["npz"] = {
        name: {"shape": list(np.shape(one)), "data": [repr(v) for v in plain(one)]}
        for name, one in arrays.items()
    }
    for version in (1, 2, 3):
        with open(out / f"version{version}.npy", "wb") as file:
            np.lib.format.write_array(file, arrays["fortran"], version=(version, 0))


def make_csv():
    rows = [
        ["sepal, length", "name", 'the "species"', "petal"],
        ["5.1", "a, b", "setosa", "1e-3"],
        ["-4.9", 'say "hi"', "virginica", "2"],
        ["0", "two\nlines", "setosa", " 3.5 "],
        ["1e3", "", "犬", "-0.25"],
    ]
    with open(out / "quoted.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    expected["csv"] = rows


def make_jpeg():
    y, x = np.mgrid[0:37, 0:51]
    colour = np.stack([x * 5 % 256, y * 6 % 256, (x + y) * 2 % 256], -1).astype("u1")
    for name, mode, options in (
        ("colour", "RGB", {"quality": 95, "subsampling": 0}),
        ("subsampled", "RGB", {"quality": 85, "subsampling": 2}),
        ("progressive", "RGB", {"quality": 90, "progressive": True}),
        ("grey", "L", {"quality": 92}),
    ):
        file = out / f"{name}.jpg"
        Image.fromarray(colour).convert(mode).save(file, **options)
        decoded = np.asarray(Image.open(file).convert("RGB"))
        np.save(out / f"{name}.jpg.npy", decoded)


def make_png():
    y, x = np.mgrid[0:19, 0:23]
    alpha = np.stack([x * 11 % 256, y * 13 % 256, (x * y) % 256, 255 - 6 * x], -1).astype("u1")
    image = Image.fromarray(alpha)
    for mode in ("L", "RGB", "RGBA", "LA", "P", "1"):
        stored = image.convert("RGB").convert(mode) if mode in "P1" else image.convert(mode)
        stored.save(out / f"{mode}.png")
        np.save(out / f"{mode}.png.npy", np.asarray(stored.convert("RGBA")))


def make_wav():
    draw = np.random.default_rng(3)
    for name, width, channels, kind in (("mono16", 2, 1, "<i2"), ("stereo16", 2, 2, "<i2"), ("stereo8", 1, 2, "u1")):
        limits = np.iinfo(kind)
        samples = draw.integers(limits.min, limits.max, (50, channels), endpoint=True).astype(kind)
        with wave.open(str(out / f"{name}.wav"), "wb") as file:
            file.setnchannels(channels)
            file.setsampwidth(width)
            file.setframerate(8000)
            file.writeframes(samples.tobytes())
        middle = 128 if kind == "u1" else 0
        scaled = (samples.astype(float) - middle) / 2 ** (8 * width - 1)
        expected.setdefault("wav", {})[name] = scaled.mean(1).tolist()


def make_hdf5():
    draw = np.random.default_rng(7)
    labels = np.array([3, 0, 19, 7], "<u2")
    times, units = [], []
    for count in (5, 0, 63, 64):
        times.append(np.sort(draw.random(count) * 1.2).astype("<f2"))
        units.append(draw.integers(0, 700, count).astype("<u2"))
    with h5py.File(out / "spikes.h5", "w", libver="earliest") as file:
        group = file.create_group("spikes")
        for name, kind, rows in (("times", "<f2", times), ("units", "<u2", units)):
            data = group.create_dataset(name, (4,), dtype=h5py.vlen_dtype(np.dtype(kind)))
            for i, row in enumerate(rows):
                data[i] = row
        file["labels"] = labels
        extra = file.create_group("extra")
        extra["keys"] = np.array([b"zero", b"one"])
        extra.create_dataset("image", data=np.arange(6, dtype="<f4").reshape(2, 3), compression="gzip")
        extra["half"] = np.array([0.5, -1.25, 65504], "<f2")
        extra["double"] = np.array([0.5, -1.25, 3], "<f8")
        extra["long"] = np.array([2, -3], "<i8")
    with h5py.File(out / "few.h5", "w", libver="earliest") as file:
        for name, kind, rows in (("times", "<f2", times), ("units", "<u2", units)):
            data = file.create_dataset(f"spikes/{name}", (1,), dtype=h5py.vlen_dtype(np.dtype(kind)))
            data[0] = rows[0]
        file["labels"] = labels[:1]
    expected["hdf5"] = {
        "labels": plain(labels),
        "times": [plain(one) for one in times],
        "units": [plain(one) for one in units],
    }


EVENT = struct.Struct("<qhhB3x")
DESCRIPTION = """<dv version="2.0"><node name="outInfo" path="/mainloop/Recorder/outInfo/">
<node name="0" path="/mainloop/Recorder/outInfo/0/">
  <attr key="compression" type="string">{compression}</attr>
  <attr key="originalModuleName" type="string">capture</attr>
  <attr key="typeIdentifier" type="string">FRME</attr>
  <node name="info" path="/mainloop/Recorder/outInfo/0/info/"><attr key="sizeX" type="int">8</attr><attr key="sizeY" type="int">4</attr></node>
</node>
<node name="1" path="/mainloop/Recorder/outInfo/1/">
  <attr key="typeIdentifier" type="string">EVTS</attr>
  <node name="info" path="/mainloop/Recorder/outInfo/1/info/"><attr key="sizeX" type="int">346</attr><attr key="sizeY" type="int">260</attr><attr key="source" type="string">DAVIS346</attr></node>
</node>
</node></dv>"""


def event_packet(events):
    builder = flatbuffers.Builder(64)
    builder.StartVector(EVENT.size, len(events), 8)
    for event in reversed(events):
        builder.Prep(8, EVENT.size)
        builder.head = builder.head - EVENT.size
        builder.Bytes[builder.head : builder.head + EVENT.size] = EVENT.pack(*event)
    elements = builder.EndVector()
    builder.StartObject(1)
    builder.PrependUOffsetTRelativeSlot(0, elements, 0)
    builder.FinishSizePrefixed(builder.EndObject(), b"EVTS")
    return bytes(builder.Output())


def header(compression, position, description):
    builder = flatbuffers.Builder(1024)
    text = builder.CreateString(description)
    builder.StartObject(3)
    builder.PrependInt32Slot(0, compression, 0)
    builder.PrependInt64Slot(1, position, -1)
    builder.PrependUOffsetTRelativeSlot(2, text, 0)
    builder.FinishSizePrefixed(builder.EndObject(), b"IOHE")
    return b"#!AER-DAT4.0\r\n" + bytes(builder.Output())


def make_aedat4():
    draw = np.random.default_rng(4)
    start = 1_600_000_000_000_000
    packets = []
    for first, count in ((0, 3), (50_000, 800), (90_000, 65)):
        t = start + first + np.sort(draw.integers(0, 40_000, count))
        columns = (t, draw.integers(0, 346, count), draw.integers(0, 260, count), draw.integers(0, 2, count))
        packets.append([tuple(int(v) for v in event) for event in zip(*columns)])
    frame = b"\x00" * 24
    packers = {
        "none": (0, lambda data: data),
        "lz4": (1, lz4.frame.compress),
        "lz4-high": (2, lambda data: lz4.frame.compress(
            data, compression_level=9, block_linked=True, content_checksum=True, block_checksum=True, store_size=False)),
    }
    for name, (compression, pack) in packers.items():
        description = DESCRIPTION.format(compression=name)
        body = struct.pack("<iI", 0, len(frame)) + frame
        for events in packets:
            data = pack(event_packet(events))
            body += struct.pack("<iI", 1, len(data)) + data
        size = len(header(compression, 2**40, description))
        position = size + len(body) if compression else -1
        table = b"a table that is not read" if compression else b""
        (out / f"events-{name}.aedat4").write_bytes(header(compression, position, description) + body + table)
    events = [event for packet in packets for event in packet]
    expected["aedat4"] = {"start": events[0][0], "width": 346, "height": 260, "events": events}


def make_lz4():
    text = (b"spikes and membranes, " * 9000)[:150_000] + bytes(np.random.default_rng(1).integers(0, 256, 70_000, "u1"))
    (out / "linked.lz4").write_bytes(lz4.frame.compress(text, block_size=lz4.frame.BLOCKSIZE_MAX64KB, block_linked=True))
    (out / "small.lz4").write_bytes(lz4.frame.compress(text[:900] + text[-100:], content_checksum=True))
    expected["lz4"] = {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}


for make in (make_npy, make_csv, make_jpeg, make_png, make_wav, make_hdf5, make_aedat4, make_lz4):
    make()
(out / "expected.json.gz").write_bytes(gzip.compress(json.dumps(expected).encode(), mtime=0))
