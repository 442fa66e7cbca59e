import type { NewMemoryInput } from '../memory/contract/memory.ts';
import type { SensorCode } from './contract/encoding.ts';
import type { NewSensor } from './contract/sensor.ts';
import { countSpikes, type SpikeWords } from './encode-readings.ts';
import type { TimedReading } from './admit-readings.ts';

/** The running aggregate of a window of readings. */
export interface ReadingWindow {
  /** In epoch milliseconds; windows begin at multiples of their length. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly mean: number;
  readonly lowest: number;
  readonly highest: number;
  readonly first: TimedReading;
  readonly last: TimedReading;
  readonly spikes: number;
}

interface Windows {
  /** Windows ended by later readings. */
  readonly closed: readonly ReadingWindow[];
  readonly open: ReadingWindow | undefined;
}

/** Adds consecutive readings to the open window. */
export function addToWindows(
  before: ReadingWindow | undefined,
  windowMs: number,
  readings: readonly (TimedReading & SpikeWords)[],
): Windows {
  const closed: ReadingWindow[] = [];
  let open = before;
  for (const reading of readings) {
    if (open && reading.at >= open.end) {
      closed.push(open);
      open = undefined;
    }
    open = open ? grown(open, reading) : begun(reading, windowMs);
  }
  return { closed, open };
}

function begun(reading: TimedReading & SpikeWords, windowMs: number): ReadingWindow {
  const { at, value } = reading;
  const start = Math.floor(at / windowMs) * windowMs;
  const only = { at, value };
  return {
    start,
    end: start + windowMs,
    count: 1,
    mean: value,
    lowest: value,
    highest: value,
    first: only,
    last: only,
    spikes: countSpikes(reading),
  };
}

function grown(window: ReadingWindow, reading: TimedReading & SpikeWords): ReadingWindow {
  const { at, value } = reading;
  const count = window.count + 1;
  return {
    ...window,
    count,
    // Fractions are added, as a sum could overflow.
    mean: window.mean * (1 - 1 / count) + value / count,
    lowest: Math.min(window.lowest, value),
    highest: Math.max(window.highest, value),
    last: { at, value },
    spikes: window.spikes + countSpikes(reading),
  };
}

const timeOf = (at: number): string => new Date(at).toISOString();

type Described = Pick<NewSensor, 'sensor_id' | 'type' | 'unit' | 'namespace' | 'node_id'>;

/** The memory of a window: a sentence for retrieval, and its numbers. */
export function memoryOfWindow(
  sensor: Described,
  code: SensorCode,
  window: ReadingWindow,
): NewMemoryInput {
  const { sensor_id, type, unit, namespace, node_id } = sensor;
  const { count, mean, lowest, highest, first, last, spikes } = window;
  const figure = (value: number) => `${Number(value.toPrecision(6))} ${unit}`;
  const where = node_id === undefined ? '' : ` on ${node_id}`;
  const readings = count === 1 ? '1 reading' : `${count} readings`;
  return {
    namespace,
    content:
      `Sensor ${sensor_id}${where} measured ${type} between ${timeOf(first.at)} and ${timeOf(last.at)}: ` +
      `${readings}, mean ${figure(mean)}, lowest ${figure(lowest)}, highest ${figure(highest)}, ` +
      `first ${figure(first.value)}, last ${figure(last.value)}; ${spikes} spikes (${code} code).`,
    user_id: `sensor:${sensor_id}`,
    tags: ['sensor', type, sensor_id],
    metadata: {
      sensor_id,
      type,
      unit,
      ...(node_id !== undefined && { node_id }),
      from: timeOf(first.at),
      to: timeOf(last.at),
      readings: count,
      mean,
      lowest,
      highest,
      first: first.value,
      last: last.value,
      spikes,
      code,
    },
  };
}
