import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvents } from '../../edge/contract/event-stream.ts';
import type { MemoryList } from '../../edge/memory/contract/memory.ts';
import { SENSOR_TYPES } from '../../edge/sensors/contract/encoding.ts';
import type {
  ReadingEvent,
  ReadingList,
  StoredReadings,
} from '../../edge/sensors/contract/reading.ts';
import type { SensorList, SensorRecord } from '../../edge/sensors/contract/sensor.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

let edge: GuardedEdge;
let anna: string;
let ben: string;
beforeAll(async () => {
  edge = await startGuardedEdge();
  anna = (await edge.keyFor(['memory:read', 'memory:write'])).key;
  ben = (await edge.keyFor(['memory:read', 'memory:write'])).key;
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string) => new URL(`/v1/sensor${path}`, edge.gateway);
const get = (path: string, key = anna) => send(at(path), { key });
const post = (path: string, json: unknown, key = anna) =>
  send(at(path), { key, method: 'POST', json });

async function register(sensorId: string, more: object = {}): Promise<SensorRecord> {
  const asked = { sensor_id: sensorId, type: 'temperature', unit: '°C', ...more };
  const answer = await post('/register', asked);
  expect([200, 201]).toContain(answer.status);
  return (await answer.json()) as SensorRecord;
}

async function sendReadings(
  sensorId: string,
  readings: readonly object[],
): Promise<StoredReadings> {
  const answer = await post(`/sensors/${sensorId}/readings`, { readings });
  expect(answer.status).toBe(202);
  return (await answer.json()) as StoredReadings;
}

const readingsOf = async (sensorId: string, query = '') =>
  (await (await get(`/sensors/${sensorId}/readings${query}`)).json()) as ReadingList;

/** Times that rise by a second, the last of them a minute ago. */
const NOW = Date.now() - 60_000;
const timed = (values: readonly number[], stepMs = 1000) =>
  values.map((value, i) => ({
    value,
    at: new Date(NOW - (values.length - 1 - i) * stepMs).toISOString(),
  }));

describe('a sensor', () => {
  it('is registered with the encoding of its type', async () => {
    const asked = { sensor_id: 'first', type: 'light', unit: 'lx', node_id: 'node-1', rate_hz: 5 };
    const answer = await post('/register', asked);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/sensor/sensors/first');
    expect(await answer.json()).toMatchObject({
      ...asked,
      encoding: { ...SENSOR_TYPES['light'], steps: 16 },
      readings: 0,
      last_reading: null,
    });
  });

  it('is renewed with other settings, but never becomes another one', async () => {
    await register('kept', { metadata: { floor: 1 } });

    const again = await post('/register', {
      sensor_id: 'kept',
      type: 'temperature',
      unit: '°C',
      metadata: { floor: 2 },
    });
    const other = await post('/register', { sensor_id: 'kept', type: 'temperature', unit: 'K' });

    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ metadata: { floor: 2 } });
    expect((await problemOf(other)).code).toBe('already_exists');
  });

  it.each([
    ['has no range for its code', { type: 'taste', encoding: { code: 'rate' } }],
    ['has its range upside down', { encoding: { low: 90 } }],
    ['has a threshold of nothing', { encoding: { threshold: 0 } }],
    ['measures never', { rate_hz: 0 }],
    ['measures less than once in a year', { rate_hz: 1e-13 }],
    ['measures too often', { rate_hz: 1001 }],
    ['has no unit', { unit: ' ' }],
    ['has a name with a slash', { sensor_id: 'a/b' }],
    ['has half a character', { unit: '\ud800' }],
    ['has too much metadata', { metadata: { a: 'a'.repeat(16 * 1024) } }],
    ['has something that nobody knows', { colour: 'red' }],
  ])('is refused that %s', async (_, more) => {
    const asked = { sensor_id: 'odd', type: 'temperature', unit: '°C', ...more };

    expect((await problemOf(await post('/register', asked))).code).toBe('validation_failed');
  });

  it('is listed page by page, filtered, and only to whom it belongs', async () => {
    for (const id of ['l1', 'l2', 'l3']) await register(id, { type: 'humidity', unit: '%' });

    const first = (await (await get('/sensors?type=humidity&limit=2')).json()) as SensorList;
    const next = encodeURIComponent(first.next_cursor ?? '');
    const rest = (await (
      await get(`/sensors?type=humidity&limit=2&cursor=${next}`)
    ).json()) as SensorList;
    const bens = (await (await get('/sensors', ben)).json()) as SensorList;

    const ids = [first, rest].map(({ sensors }) => sensors.map(({ sensor_id }) => sensor_id));
    expect(ids).toEqual([['l3', 'l2'], ['l1']]);
    expect([first.total, first.has_more, rest.has_more]).toEqual([3, true, false]);
    expect(bens.total).toBe(0);
  });

  it('of another is not there, but for administrators who name him', async () => {
    await register('private');
    const { id } = (await (
      await send(new URL('/api/session', edge.gateway), { key: anna })
    ).json()) as {
      id: string;
    };

    const hidden = [
      await get('/sensors/private', ben),
      await get('/sensors/private/readings', ben),
      await get('/sensors/private/stream', ben),
      await post('/sensors/private/readings', { readings: [{ value: 1 }] }, ben),
      await send(at('/sensors/private'), { key: ben, method: 'DELETE' }),
    ];
    const asked = await get(`/sensors/private?owner=key:${id}`, ben);
    const seen = await get(`/sensors/private?owner=key:${id}`, edge.admin);

    for (const answer of hidden) expect((await problemOf(answer)).code).toBe('sensor_not_found');
    expect((await problemOf(asked)).code).toBe('forbidden');
    expect(await seen.json()).toMatchObject({ sensor_id: 'private' });
  });

  it('goes with its readings, and may come again', async () => {
    await register('gone');
    await sendReadings('gone', timed([1, 2, 3]));

    const removed = await send(at('/sensors/gone'), { key: anna, method: 'DELETE' });
    await register('gone');

    expect(await removed.json()).toEqual({ status: 'deleted', sensor_id: 'gone', readings: 3 });
    expect((await readingsOf('gone')).readings).toEqual([]);
  });
});

describe('readings', () => {
  it('come back with their spikes, wherever a request ended', async () => {
    const values = [20, 20.2, 20.6, 21.2, 21.2, 21.1, 20.4, 20.4];
    await register('whole');
    await register('parted');

    const whole = await sendReadings('whole', timed(values));
    for (const reading of timed(values)) await sendReadings('parted', [reading]);

    const [one, other] = [await readingsOf('whole'), await readingsOf('parted')];
    expect(one.readings).toEqual(other.readings);
    expect(one.readings.map(({ value }) => value)).toEqual(values);
    const sent = one.readings.map(({ spikes: { on, off } }) => on.length - off.length);
    expect(sent).toEqual([0, 0, 1, 1, 0, 0, -1, 0]);
    expect(whole).toEqual({ accepted: 8, rejected: 0, errors: [], last_seq: 8, spikes: 3 });
  });

  it('in the rate code fire the more often the larger they are, in the latency code the earlier', async () => {
    const range = { low: 0, high: 10 };
    await register('rate', { encoding: { code: 'rate', ...range } });
    await register('latency', { encoding: { code: 'latency', ...range } });

    for (const id of ['rate', 'latency']) await sendReadings(id, timed([-5, 0, 5, 10, 99]));

    const byRate = (await readingsOf('rate')).readings.map(({ spikes }) => spikes.on.length);
    const byTime = (await readingsOf('latency')).readings.map(({ spikes }) => spikes.on);
    expect(byRate).toEqual([0, 0, byRate[2], 16, 16]);
    expect(byTime).toEqual([[], [], [expect.any(Number)], [0], [0]]);
    // 7.5 lies between two steps.
    expect([7, 8]).toContain(byTime[2]?.[0]);
  });

  it('that are sent again are stored once', async () => {
    await register('again');
    await sendReadings('again', timed([1, 2]));

    const again = await sendReadings('again', timed([1, 2, 3].slice(0, 2)));

    expect(again).toMatchObject({ accepted: 0, rejected: 2, last_seq: 2 });
    expect(again.errors.map(({ index, code }) => [index, code])).toEqual([
      [0, 'not_later'],
      [1, 'not_later'],
    ]);
  });

  it('are judged each by itself', async () => {
    await register('judged', { retention_s: 3600 });
    const far = (ms: number) => new Date(Date.now() + ms).toISOString();

    const stored = await sendReadings('judged', [
      { value: 1, at: far(-7_200_000) },
      { value: 2, at: far(-2_000) },
      { value: 3, at: far(3_600_000) },
      { value: 4, at: far(-1_000) },
    ]);

    expect(stored).toMatchObject({ accepted: 2, rejected: 2, last_seq: 2 });
    expect(stored.errors.map(({ index, code }) => [index, code])).toEqual([
      [0, 'too_old'],
      [2, 'in_the_future'],
    ]);
  });

  it('without times end now, as far apart as the sensor measures', async () => {
    await register('untimed', { rate_hz: 10 });
    const before = Date.now();

    await sendReadings('untimed', [{ value: 1 }, { value: 2 }, { value: 3 }]);
    await sendReadings('untimed', [{ value: 4 }]);

    const times = (await readingsOf('untimed')).readings.map((reading) => Date.parse(reading.at));
    expect(
      times
        .slice(1)
        .map((time, i) => time - times[i]!)
        .every((gap) => gap >= 100),
    ).toBe(true);
    expect(times[2]).toBeGreaterThanOrEqual(before);
  });

  it('without times are of now where they come sooner than the sensor said', async () => {
    await register('seldom', { rate_hz: 1 / (365 * 86_400) });

    await sendReadings('seldom', [{ value: 1 }]);
    const stored = await sendReadings('seldom', [{ value: 2 }, { value: 3 }]);

    const { readings } = await readingsOf('seldom');
    expect(stored).toMatchObject({ accepted: 2, rejected: 0 });
    for (const { at: time } of readings) {
      expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
    }
  });

  it.each([
    ['text', '{"readings":[{"value":"1"}]}'],
    ['no number', '{"readings":[{"value":null}]}'],
    ['endless', '{"readings":[{"value":1e999}]}'],
    ['none', '{"readings":[]}'],
    ['too many', JSON.stringify({ readings: Array.from({ length: 1001 }, () => ({ value: 1 })) })],
    ['in another unit', '{"readings":[{"value":1}],"unit":"K"}'],
    ['at no time', '{"readings":[{"value":1,"at":"yesterday"}]}'],
  ])('that are %s are refused', async (_, body) => {
    await register('strict');
    const answer = await fetch(at('/sensors/strict/readings'), {
      method: 'POST',
      headers: { authorization: `Bearer ${anna}`, 'content-type': 'application/json' },
      body,
    });

    expect((await problemOf(answer)).code).toBe('validation_failed');
  });

  it('that come too fast for long are refused, with the time to retry after', async () => {
    await register('fast');
    const old = timed([1])[0];
    const many = { readings: Array.from({ length: 1000 }, () => old) };
    for (let i = 0; i < 10; i++) await post('/sensors/fast/readings', many);

    const refused = await post('/sensors/fast/readings', many);

    expect((await problemOf(refused)).code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are read by time, in both directions, page by page', async () => {
    await register('paged');
    const all = timed([1, 2, 3, 4, 5]);
    await sendReadings('paged', all);

    const values = ({ readings }: ReadingList) => readings.map(({ value }) => value);
    const range = `?from=${all[1]!.at}&to=${all[4]!.at}`;
    const down = await readingsOf('paged', `${range}&order=desc&limit=2`);
    const cursor = encodeURIComponent(down.next_cursor ?? '');
    const rest = await readingsOf('paged', `${range}&order=desc&limit=2&cursor=${cursor}`);

    expect(values(await readingsOf('paged', range))).toEqual([2, 3, 4]);
    expect([values(down), down.has_more]).toEqual([[4, 3], true]);
    expect([values(rest), rest.has_more]).toEqual([[2], false]);
  });

  it('are followed live from a place on', async () => {
    await register('live');
    await sendReadings('live', timed([1, 2], 5000));
    const headers = {
      authorization: `Bearer ${anna}`,
      accept: 'text/event-stream',
      'last-event-id': '1',
    };
    const stream = await fetch(at('/sensors/live/stream'), { headers });
    const events = readEvents(stream);

    const next = async () => {
      const { value } = await events.next();
      const { readings } = JSON.parse(value?.data ?? '') as ReadingEvent;
      return [value?.id, readings.map((reading) => reading.value)];
    };
    const before = await next();
    const later = next();
    await sendReadings('live', [{ value: 3 }, { value: 4 }]);

    expect(before).toEqual(['2', [2]]);
    expect(await later).toEqual(['4', [3, 4]]);
    await events.return(undefined);
  });

  it('are remembered window by window, and found there', async () => {
    await register('pump', { window_s: 10, namespace: 'cellar', node_id: 'node-9' });
    await sendReadings('pump', timed([20, 21, 22, 23, 24], 5_000));

    const memories = async () => {
      const url = new URL('/v1/memory/memories?namespace=cellar&tags=pump', edge.gateway);
      const answer = await send(url, { key: anna });
      return answer.ok ? ((await answer.json()) as MemoryList).memories : [];
    };
    await expect
      .poll(async () => (await memories()).length, { timeout: 10_000 })
      .toBeGreaterThan(1);

    const [latest] = await memories();
    expect(latest).toMatchObject({
      user_id: 'sensor:pump',
      tags: ['sensor', 'temperature', 'pump'],
      metadata: { sensor_id: 'pump', unit: '°C', code: 'delta', node_id: 'node-9' },
    });
    expect(latest?.content).toMatch(/^Sensor pump on node-9 measured temperature between .* °C/);
  });
});
