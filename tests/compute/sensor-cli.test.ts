import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLineReader } from '../../compute/cli/reading-lines.ts';
import { describeReading } from '../../compute/cli/sensor-watch.ts';
import { type OwnPlane, startOwnPlane } from './own-plane.ts';
import { runSpikegrid, startSpikegrid } from './spikegrid-process.ts';

let plane: OwnPlane;
beforeAll(async () => {
  plane = await startOwnPlane();
});
afterAll(() => plane.end());

const sensor = (...args: readonly string[]) =>
  runSpikegrid('sensor', ...args, '--gateway', plane.gateway);

describe('spikegrid sensor', () => {
  it('registers, sends a file and standard input, watches, lists and deletes', async () => {
    const file = join(plane.folder, 'readings.csv');
    const time = (ago: number) => new Date(Date.now() - ago).toISOString();
    writeFileSync(file, `time,note,value\n${time(9000)},"a, b",20\n${time(8000)},,20.5\n`);

    const registered = await sensor('register', 'pump', '--type', 'temperature', '--unit', '°C');
    const sent = await sensor('send', 'pump', file);
    const again = await sensor('send', 'pump', file);
    const piped = startSpikegrid(
      ['sensor', 'send', 'pump', '--gateway', plane.gateway],
      ['/bin/sh', '-c', 'printf "21\\n# none\\n\\n21.5\\n" | "$@"', 'sh'],
    );
    await piped.ended;
    const watched = await sensor('watch', 'pump', '--after', '1', '--count', '3');
    const listed = await sensor('list', '--json');
    const deleted = await sensor('delete', 'pump');

    expect(registered.stdout).toContain('pump  temperature  delta code, every 0.5 °C  0 readings');
    expect(sent.stderr).toContain('sent 2 readings with 1 spikes, 0 not taken');
    expect(again.stderr).toContain('sent 0 readings with 0 spikes, 2 not taken');
    expect(again.stderr).toContain('is not later than the reading before');
    expect(
      watched.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).slice(-2)),
    ).toEqual([
      ['20.5', '+'],
      ['21', '+'],
      ['21.5', '+'],
    ]);
    expect(JSON.parse(listed.stdout)).toMatchObject({ sensor_id: 'pump', readings: 4 });
    expect(deleted.stderr).toContain('deleted pump with 4 readings');
  });

  it('says in one line what is wrong', async () => {
    const file = join(plane.folder, 'bad.csv');
    writeFileSync(file, '1\n2\nthree\n');
    const [nobody, bad] = await Promise.all([
      sensor('watch', 'nobody'),
      sensor('send', 'nobody', file),
    ]);

    expect([nobody.code, bad.code]).toEqual([1, 1]);
    expect(nobody.stderr).toContain('There is no sensor "nobody".');
    expect(bad.stderr).toContain('line 3: "three" is no finite number');
  });
});

const readAll = (text: string, columns = {}) => {
  const read = createLineReader(columns);
  return text.split('\n').flatMap((line) => read(line) ?? []);
};

describe('lines of readings', () => {
  it.each([
    ['1\n-2.5e3\n', {}, [{ value: 1 }, { value: -2500 }]],
    ['\uFEFF# made today\n\n 7 \r\n', {}, [{ value: 7 }]],
    ['1700000000,4', {}, [{ value: 4, at: '2023-11-14T22:13:20.000Z' }]],
    ['2026-11-22T10:00:00+09:00,4', {}, [{ value: 4, at: '2026-11-22T01:00:00.000Z' }]],
    [
      '"Temp ""in""",TIME\n4,1700000000500',
      { value: 'temp "in"' },
      [{ value: 4, at: '2023-11-14T22:13:20.500Z' }],
    ],
    ['value,at\n4,1970-01-01', {}, [{ value: 4, at: '1970-01-01T00:00:00.000Z' }]],
  ])('%j are read', (text, columns, expected) => {
    expect(readAll(text, columns)).toEqual(expected);
  });

  it.each([
    ['1\nNaN', {}, 'line 2: "NaN"'],
    ['Infinity', {}, 'line 1: the columns are Infinity'],
    ['a,b\n1,2', {}, 'expected one named value or reading'],
    ['value\n1', { time: 'when' }, 'expected one named when'],
    ['value,time\n1,soon', {}, 'line 2: "soon" is no time'],
    ['1,"2', {}, 'is no field of CSV'],
    ['0x', {}, 'the columns are 0x'],
  ])('%j are refused', (text, columns, message) => {
    expect(() => readAll(text, columns)).toThrow(message);
  });

  it('that were written as CSV are read as they were', () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    // A line cannot contain line breaks.
    const notes = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ' '));
    const rows = fc.array(
      fc.record({
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
        at: fc.date({ noInvalidDate: true }),
        note: notes,
      }),
    );
    fc.assert(
      fc.property(rows, (all) => {
        const lines = all.map(({ value, at, note }) =>
          [quoted(note), value, at.toISOString()].join(),
        );

        const read = readAll(['note,value,time', ...lines].join('\n'));

        expect(read).toEqual(
          all.map(({ value, at }) => ({ value: value + 0, at: at.toISOString() })),
        );
      }),
    );
  });

  it('are readings or are refused with the number of the line, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        let error: unknown;
        try {
          for (const { value } of readAll(text)) expect(Number.isFinite(value)).toBe(true);
        } catch (thrown) {
          error = thrown;
        }
        expect(error === undefined || /^line \d+: /.test(String((error as Error).message))).toBe(
          true,
        );
      }),
    );
  });
});

describe('a reading that is shown', () => {
  it('has a column for each step, or the change', () => {
    const reading = { seq: 7, at: '2026-11-22T10:00:00.000Z', value: 1.5 };

    expect(describeReading({ ...reading, spikes: { on: [0, 15], off: [] } })).toMatch(/ │·{14}│$/);
    expect(describeReading({ ...reading, spikes: { on: [], off: [0] } })).toMatch(/1\.5 {2}-$/);
    expect(describeReading({ ...reading, spikes: { on: [], off: [] } })).toMatch(/1\.5 {2}·$/);
  });
});
