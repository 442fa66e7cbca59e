import { describe, expect, it } from 'vitest';
import { parseAedat2 } from '../../../engine/data/events/aedat2.ts';
import { parseAedat4 } from '../../../engine/data/events/aedat4.ts';
import { parseDat } from '../../../engine/data/events/prophesee-dat.ts';
import { parseEvt } from '../../../engine/data/events/prophesee-raw.ts';
import { parseNmnist } from '../../../engine/data/events/nmnist.ts';
import { aedat2File, datFile, evt2File, evt3File, NMNIST, rowsOf } from './event-files.ts';
import { expected, goldenFile } from './golden.ts';

const refusal = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'dataset-invalid',
    message:
      typeof message === 'string'
        ? expect.stringContaining(message)
        : expect.stringMatching(message),
  });

describe('N-MNIST events', () => {
  it('are those that a recording begins with', () => {
    const events = parseNmnist('4.bin', NMNIST);

    expect(rowsOf(events)).toEqual([
      [654, 7, 15, 1],
      [2999, 19, 18, 0],
      [3017, 21, 17, 0],
      [3893, 10, 18, 0],
      [4023, 12, 9, 1],
      [4031, 14, 9, 1],
      [5866, 32, 6, 1],
      [7353, 13, 10, 1],
    ]);
    expect(events).toMatchObject({ width: 34, height: 34, start: 0 });
  });

  it('go on after an overflow of their clock', () => {
    const bytes = [1, 2, 0x80, 0, 5, 0, 240, 0, 0, 0, 3, 4, 0, 0, 1];

    expect(rowsOf(parseNmnist('x', Uint8Array.from(bytes)))).toEqual([
      [5, 1, 2, 1],
      [8193, 3, 4, 0],
    ]);
  });

  it('outside the sensor are refused unless another is given', () => {
    const file = Uint8Array.of(200, 100, 0, 0, 1);

    expect(() => parseNmnist('cup.bin', file)).toThrow(
      refusal('cup.bin cannot be read as N-MNIST events: at its events a pixel is at column 200'),
    );
    expect(parseNmnist('cup.bin', file, { sensor: { width: 240, height: 180 } })).toMatchObject({
      width: 240,
      height: 180,
    });
  });

  it('cut off within an event are refused at their byte', () => {
    expect(() => parseNmnist('4.bin', NMNIST.subarray(0, 38))).toThrow(
      refusal('at byte 35 3 bytes are left, expected events of 5 bytes each'),
    );
  });
});

describe('EVT 3.0', () => {
  // The words and events of the tests of github.com/muthmann/evt3, whose decoder agrees with Prophesee's.
  it('gives the single event of another decoder', () => {
    const events = parseEvt('a.raw', evt3File([0x8000, 0x6064, 0x0032, 0x2864]));

    expect(rowsOf(events)).toEqual([[100, 100, 50, 1]]);
  });

  it('gives the vector of events of another decoder', () => {
    const events = parseEvt('a.raw', evt3File([0x8000, 0x60c8, 0x0064, 0x3000, 0x4e38]));

    expect(rowsOf(events)).toEqual([3, 4, 5, 9, 10, 11].map((x) => [200, x, 100, 0]));
  });

  it('moves the base of vectors by 12 and by 8, with the polarity of the base', () => {
    const file = evt3File([0x8001, 0x0007, 0x3800 | 20, 0x4001, 0x5081, 0x5001]);

    expect(rowsOf(parseEvt('a.raw', file))).toEqual([20, 32, 39, 40].map((x) => [4096, x, 7, 1]));
  });

  it('leaves out events before the first time, and words that are no events of pixels', () => {
    const file = evt3File([0x2801, 0xa100, 0x8000, 0x6001, 0x7001, 0xa101, 0xe123, 0xf000, 0x2005]);

    expect(rowsOf(parseEvt('a.raw', file))).toEqual([[1, 5, 0, 0]]);
  });

  it('goes on when its clock of 24 bits begins again', () => {
    const file = evt3File([0x8fff, 0x6fff, 0x2001, 0x8000, 0x6001, 0x2002]);

    expect(rowsOf(parseEvt('a.raw', file)).map(([t]) => t)).toEqual([2 ** 24 - 1, 2 ** 24 + 1]);
  });

  it('takes the sensor from its header', () => {
    const words = [0x8000, 0x2001];

    expect(parseEvt('a.raw', evt3File(words, '% geometry 1280x720'))).toMatchObject({
      width: 1280,
      height: 720,
    });
    expect(parseEvt('a.raw', evt3File(words, '% format EVT3;height=480;width=640'))).toMatchObject({
      width: 640,
      height: 480,
    });
    expect(parseEvt('a.raw', evt3File(words))).toMatchObject({ width: 2, height: 1 });
  });

  it('refuses reserved words, columns beyond 2047 and half words by their byte', () => {
    const at = evt3File([]).length;

    expect(() => parseEvt('a.raw', evt3File([0x8000, 0x9001]))).toThrow(
      refusal(`at byte ${at + 2} a word is of type 9`),
    );
    expect(() => parseEvt('a.raw', evt3File([0x8000, 0x37ff, 0x4002]))).toThrow(
      refusal(`at byte ${at + 4} the column is 2048, expected below 2048`),
    );
    expect(() => parseEvt('a.raw', evt3File([0x8000]).subarray(0, -1))).toThrow(
      refusal('1 bytes are left, expected words of 2'),
    );
  });
});

describe('EVT 2.0', () => {
  const on = (low: number, x: number, y: number) => ((1 << 28) | (low << 22) | (x << 11) | y) >>> 0;

  it('joins the two parts of a time, and the polarity is the type of the word', () => {
    const file = evt2File([
      on(1, 1, 1),
      0x8000_0002,
      on(63, 640, 479),
      0xa000_0000,
      on(3, 5, 6) & 0x0fff_ffff,
    ]);

    expect(rowsOf(parseEvt('a.raw', file, { sensor: { width: 2048, height: 2048 } }))).toEqual([
      [2 * 64 + 3, 5, 6, 0],
      [2 * 64 + 63, 640, 479, 1],
    ]);
  });

  it('needs an encoding that is known', () => {
    const file = new TextEncoder().encode('% evt 2.1\n');

    expect(() => parseEvt('a.raw', file)).toThrow(
      refusal('the encoding is 2.1, expected evt 2.0 or 3.0'),
    );
    expect(() => parseEvt('a.raw', new Uint8Array(4))).toThrow(
      refusal('the header names no encoding'),
    );
    expect(parseEvt('a.raw', new Uint8Array(4), { encoding: 2 }).t).toHaveLength(0);
  });
});

describe('Prophesee DAT', () => {
  const event = (t: number, x: number, y: number, p: number) => [
    t,
    ((p << 28) | (y << 14) | x) >>> 0,
  ];

  it('has 14 bits for each axis and the sensor of its header', () => {
    const events = parseDat('a.dat', datFile([...event(7, 639, 479, 1), ...event(9, 0, 3, 0)]));

    expect(rowsOf(events)).toEqual([
      [7, 639, 479, 1],
      [9, 0, 3, 0],
    ]);
    expect(events).toMatchObject({ width: 640, height: 480 });
  });

  it('goes on when its clock of 32 bits begins again, as times after the first', () => {
    const events = parseDat(
      'a.dat',
      datFile([...event(2 ** 32 - 2, 1, 1, 1), ...event(3, 2, 2, 0)]),
    );

    expect([...events.t]).toEqual([0, 5]);
    expect(events.start).toBe(2 ** 32 - 2);
  });

  it('refuses other events, other polarities, no header and too many events', () => {
    const two = datFile([...event(1, 1, 1, 1), ...event(2, 1, 1, 1)]);

    expect(() => parseDat('a.dat', datFile([], 14))).toThrow(refusal('events are of type 14'));
    expect(() => parseDat('a.dat', datFile(event(1, 1, 1, 5)))).toThrow(
      refusal('the polarity is 5'),
    );
    expect(() => parseDat('a.dat', new Uint8Array(10))).toThrow(
      refusal('at byte 0 there is no header'),
    );
    expect(() => parseDat('a.dat', two, { maxEvents: 1 })).toThrow(
      refusal('expected at most 1; raise `maxEvents`'),
    );
  });
});

describe('AEDAT 2.0', () => {
  it('reads the addresses of a DVS128 and leaves out its outer signals', () => {
    const file = aedat2File('ch.unizh.ini.jaer.chip.retina.DVS128', [
      ...[(5 << 8) | (100 << 1) | 1, 10],
      ...[0x8000, 11],
      ...[(127 << 8) | (127 << 1), 12],
    ]);

    expect(rowsOf(parseAedat2('a.aedat', file))).toEqual([
      [10, 100, 5, 1],
      [12, 127, 127, 0],
    ]);
  });

  it('reads the addresses of a DAVIS240 and leaves out frames', () => {
    const address = (x: number, y: number, p: number) => ((y << 22) | (x << 12) | (p << 11)) >>> 0;
    const file = aedat2File('eu.seebetter.ini.chips.davis.DAVIS240C', [
      ...[address(239, 179, 1), 10],
      ...[(address(3, 4, 0) | 0x8000_0000) >>> 0, 11],
      ...[address(3, 4, 1) | 0x400, 11],
      ...[address(0, 1, 0), 12],
    ]);

    const events = parseAedat2('a.aedat', file);

    expect(rowsOf(events)).toEqual([
      [10, 239, 179, 1],
      [12, 0, 1, 0],
    ]);
    expect(events).toMatchObject({ width: 240, height: 180 });
  });

  it('needs a camera that is known, and its own version', () => {
    const file = aedat2File('some.Chip', [0, 0]);

    expect(() => parseAedat2('a.aedat', file)).toThrow(
      refusal('no line AEChip of the header names'),
    );
    expect(parseAedat2('a.aedat', file, { chip: 'dvs128' }).t).toHaveLength(1);
    expect(() => parseAedat2('a.aedat', new TextEncoder().encode('#!AER-DAT3.1\r\n'))).toThrow(
      refusal('the first line is "!AER-DAT3.1", expected "#!AER-DAT2.0"'),
    );
  });
});

describe('AEDAT 4.0', () => {
  // Written with the libraries of FlatBuffers and LZ4.
  it.each(['none', 'lz4', 'lz4-high'])(
    'gives the events that were packed with %s',
    (compression) => {
      const events = parseAedat4('a.aedat4', goldenFile(`events-${compression}.aedat4`));
      const { start, width, height, events: rows } = expected.aedat4;

      expect(events).toMatchObject({ width, height, start });
      expect(rowsOf(events)).toEqual(rows);
    },
  );

  it('refuses a stream that is not there and a compression that is not read', () => {
    const file = goldenFile('events-lz4.aedat4');
    const zstandard = file.map((byte, i) => (i === compressionAt(file) ? 3 : byte));

    expect(() => parseAedat4('a', file, { stream: 0 })).toThrow(
      refusal('streams of events are numbered [1], expected 0 among them'),
    );
    expect(() => parseAedat4('a', zstandard)).toThrow(
      refusal(/at byte \d+ the compression is Zstandard, expected none or LZ4/),
    );
  });

  it('is refused wherever it is cut off, or read as far as whole packets go', () => {
    const file = goldenFile('events-none.aedat4');
    const outcomes = Array.from({ length: Math.ceil(file.length / 97) }, (_, i) =>
      outcomeOf(() => parseAedat4('a', file.subarray(0, 97 * i)).t.length),
    );

    // The frame before the events, and the three packets.
    expect(new Set(outcomes)).toEqual(new Set(['dataset-invalid']));
    expect(parseAedat4('a', file.subarray(0, packetEnds(file)[1])).t).toHaveLength(3);
  });
});

/** The result, or the code of the error. */
function outcomeOf(run: () => number): unknown {
  try {
    return run();
  } catch (error) {
    return (error as { readonly code?: string }).code ?? error;
  }
}

/** Offsets behind the packets. */
function packetEnds(file: Uint8Array): number[] {
  const view = new DataView(file.buffer, file.byteOffset);
  const ends: number[] = [];
  for (let at = 18 + view.getUint32(14, true); at < file.length; ends.push(at)) {
    at += 8 + view.getUint32(at + 4, true);
  }
  return ends;
}

/** The place of the header's compression: its field by the table of fields. */
function compressionAt(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset);
  const table = 18 + view.getUint32(18, true);
  const fields = table - view.getInt32(table, true);
  return table + view.getUint16(fields + 4, true);
}
