import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReadingCodes, type ReadingCodes } from '../../engine/encoding.ts';
import { encodingFor, SPIKE_STEPS } from '../../edge/sensors/contract/encoding.ts';
import { NewSensor, SENSOR_LIMITS } from '../../edge/sensors/contract/sensor.ts';
import { SensorsRepository } from '../../edge/sensors/repository.ts';
import { SENSORS_MIGRATIONS } from '../../edge/sensors/store.ts';
import { openSql } from './sqlite.ts';

/** A sensor's day without waiting for it: the clock is set. */
const START = Date.parse('2026-11-20T10:00:00Z');
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER, order: 'asc', limit: 1000 } as const;

let codes: ReadingCodes;
beforeAll(async () => {
  codes = await createReadingCodes({ steps: SPIKE_STEPS });
});

let book: SensorsRepository;
beforeEach(() => {
  const transactionSync = <T>(write: () => T) => write();
  book = new SensorsRepository({ sql: openSql(SENSORS_MIGRATIONS), transactionSync });
});

function register(more: object = {}) {
  const asked = { sensor_id: 'pump', type: 'temperature', unit: '°C', retention_s: 3600, ...more };
  const sensor = NewSensor.parse(asked);
  return book.register(
    {
      owner: 'local',
      team: 'default',
      isBound: false,
      sensor,
      encoding: encodingFor(sensor.type)!,
    },
    START,
  );
}

/** Stores readings a second apart, the first at `from` seconds. */
function store(values: readonly number[], from: number) {
  const time = (i: number) => new Date(START + (from + i) * 1000).toISOString();
  const readings = values.map((value, i) => ({ value, at: time(i) }));
  const now = START + (from + values.length) * 1000;
  return book.store(book.sensors.find('pump')!, readings, { codes, now });
}

const kept = () => book.range('pump', { ...ALL, beyond: undefined })!.readings;
const summaries = () => book.readings.summaries(100).map(({ memory }) => memory.metadata);

describe('the book of sensors', () => {
  it('closes a window once nothing was added to it for a while', async () => {
    register({ window_s: 10 });
    await store([20, 21], 1);
    const due = book.nextTidy();

    book.tidy(due - 1);
    const before = summaries();
    book.tidy(due);
    book.tidy(due);

    expect(due).toBe(START + 15_000);
    expect(before).toEqual([]);
    expect(summaries()).toMatchObject([{ readings: 2, mean: 20.5 }]);
  });

  it('closes a window with the first reading after it', async () => {
    register({ window_s: 10 });
    await store([1, 2, 3, 4], 8);

    expect(summaries()).toMatchObject([{ first: 1, last: 2, readings: 2 }]);
  });

  it('forgets readings whose time is over, and goes on counting', async () => {
    register();
    await store([1, 2, 3], 0);
    await store([4], 1800);

    book.tidy(START + 3_600_000 + 1000);

    expect(kept().map(({ seq, value }) => [seq, value])).toEqual([
      [3, 3],
      [4, 4],
    ]);
    expect(
      book.page({ limit: 1, before: 9, type: undefined, nodeId: undefined }).sensors,
    ).toMatchObject([{ readings: 2, last_reading: { seq: 4, value: 4 } }]);
    book.tidy(START + 24 * 3_600_000);
    expect(kept()).toEqual([]);
    expect(await store([5], 86_400)).toMatchObject({ last_seq: 5 });
    expect(kept()).toMatchObject([{ seq: 5, value: 5 }]);
  });

  it('keeps the latest readings of a sensor that sends without end', async () => {
    register();
    await store([1], 0);
    const { no, firstSeq } = book.sensors.find('pump')!;
    // As if there had been as many as there may be.
    book.readings.add(no, SENSOR_LIMITS.readings - 1, [
      { at: START + 500, value: 2, on: 0, off: 0 },
    ]);

    await store([3], 1);

    expect(firstSeq).toBe(1);
    expect(kept().map(({ value }) => value)).toEqual([2, 3]);
  });

  it('begins the level anew with another encoding, and only then', async () => {
    register();
    await store([20, 21], 0);
    register({ metadata: { floor: 1 } });
    const same = book.sensors.find('pump')!.level;
    const sensor = NewSensor.parse({ sensor_id: 'pump', type: 'temperature', unit: '°C' });
    const encoding = encodingFor('temperature', { threshold: 5 })!;
    book.register({ owner: 'local', team: 'default', isBound: false, sensor, encoding }, START);

    expect(same).toEqual({ base: 20, sent: 1 });
    expect(book.sensors.find('pump')!.level).toBeUndefined();
  });

  it('remembers an open window of a sensor that is deleted', async () => {
    register();
    await store([1, 2, 3], 0);

    expect(book.remove('pump', START)).toBe(3);
    expect(summaries()).toMatchObject([{ readings: 3 }]);
    expect(book.remove('pump', START)).toBeUndefined();
    expect(book.nextTidy()).toBe(Infinity);
  });
});
