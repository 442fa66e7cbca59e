import { beforeAll, describe, expect, it } from 'vitest';
import { ReadingSeries } from '../../edge/sensors/contract/reading.ts';
import { postJson, problemOf, type SharedEdge, sharedEdge } from './harness.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const at = (path: string) => new URL(`/v1/sensor${path}`, edge.gateway);

/** A moment that many seconds after the first reading, which was five minutes ago. */
const FIRST = Date.now() - 300_000;
const after = (seconds: number) => new Date(FIRST + seconds * 1000).toISOString();

/** A sensor that has measured every ten seconds. */
async function measured(sensor: object, values: readonly number[]): Promise<string> {
  const known = await postJson(at('/register'), sensor);
  const { sensor_id: id } = (await known.json()) as { readonly sensor_id: string };
  const readings = values.map((value, i) => ({ value, at: after(10 * i) }));
  const stored = await postJson(at(`/sensors/${id}/readings`), { readings });
  expect(await stored.json()).toMatchObject({ accepted: values.length });
  return `/sensors/${id}/series`;
}

const seriesOf = async (path: string) => ReadingSeries.parse(await (await fetch(at(path))).json());

const codeOf = async (path: string) => (await problemOf(await fetch(at(path)))).code;

describe('the readings of a time', () => {
  it('are joined in steps, with the spikes they became', async () => {
    const sensor = { sensor_id: 'stepped', type: 'temperature', unit: '°C' };
    const path = await measured(sensor, [20, 21, 20, 19]);

    const whole = await seriesOf(`${path}?steps=2&from=${after(0)}&to=${after(40)}`);
    const fine = await seriesOf(`${path}?steps=1000`);
    const before = await seriesOf(`${path}?to=2020-01-01T00:00:00Z`);

    expect(whole).toMatchObject({ unit: '°C', step_ms: 20_000, readings: 4 });
    // The delta code of half a degree fires where it has moved by one.
    expect(whole.points).toEqual([
      { at: after(0), readings: 2, min: 20, mean: 20.5, max: 21, on: 1, off: 0 },
      { at: after(20), readings: 2, min: 19, mean: 19.5, max: 20, on: 0, off: 2 },
    ]);
    // From the first reading that is kept, up to now; before it there is none.
    expect([fine.from, fine.readings, fine.points.length]).toEqual([after(0), 4, 4]);
    expect(before).toMatchObject({ readings: 0, points: [] });
  });

  it('have a mean also where their sum is no number, and all spikes of a code of many steps', async () => {
    const encoding = { code: 'rate', low: 0, high: 1000 };
    const sensor = { sensor_id: 'large', type: 'light', unit: 'lx', encoding };
    const path = await measured(sensor, [1.7e308, 1.7e308, 1.6e308]);

    const { points } = await seriesOf(`${path}?steps=1`);

    // Beyond the range, a neuron fires in each of the sixteen steps.
    expect(points).toMatchObject([{ min: 1.6e308, max: 1.7e308, on: 48, off: 0 }]);
    expect(points[0]?.mean).toBeGreaterThanOrEqual(1.6e308);
    expect(points[0]?.mean).toBeLessThanOrEqual(1.7e308);
  });

  it('are refused where the time is none, or the sensor', async () => {
    const path = await measured({ sensor_id: 'asked', type: 'sound', unit: 'dB' }, [1]);

    expect(await codeOf(`${path}?from=yesterday`)).toBe('invalid_parameter');
    expect(await codeOf(`${path}?from=${after(10)}&to=${after(10)}`)).toBe('invalid_parameter');
    expect(await codeOf(`${path}?steps=1001`)).toBe('invalid_parameter');
    expect(await codeOf('/sensors/nobody/series')).toBe('sensor_not_found');
  });
});
