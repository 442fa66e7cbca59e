import type { ReadingCodes } from '../../engine/encoding.ts';
import { NewMemory } from '../memory/contract/memory.ts';
import { admitReadings, type Admitted } from './admit-readings.ts';
import type { Reading, StoredReadings } from './contract/reading.ts';
import { SENSOR_LIMITS, type SensorRecord } from './contract/sensor.ts';
import { countSpikes, type Encoded, encodeReadings } from './encode-readings.ts';
import { ReadingsStore } from './readings-store.ts';
import type {
  NewReadingsOf,
  ReadingPage,
  ReadingRange,
  RegisterResult,
  Registration,
  SensorPage,
  SensorRange,
  Series,
  SeriesRange,
} from './results.ts';
import { type StoredSensor, recordOf, SensorsStore } from './store.ts';
import { addToWindows, memoryOfWindow, type ReadingWindow } from './window.ts';

/** How long a window stays open for readings in transit. */
const GRACE_MS = 5_000;

/** The sensors of an owner. Every change is one transaction. */
export class SensorsRepository {
  readonly sensors: SensorsStore;
  readonly readings: ReadingsStore;
  readonly #atOnce: (write: () => void) => void;

  constructor({ sql, transactionSync }: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>) {
    this.sensors = new SensorsStore(sql);
    this.readings = new ReadingsStore(sql);
    this.#atOnce = transactionSync;
  }

  register(asked: Registration, now: number): RegisterResult {
    const { sensor, encoding } = asked;
    const known = this.sensors.find(sensor.sensor_id);
    if (!known) {
      if (this.sensors.count() >= SENSOR_LIMITS.sensors) return { kind: 'full' };
      this.sensors.add(asked, now);
      return { kind: 'registered', record: this.#recordOf(sensor.sensor_id) };
    }
    const { type, unit } = known.sensor;
    if (type !== sensor.type || unit !== sensor.unit) return { kind: 'other', type, unit };
    const keepsLevel = JSON.stringify(encoding) === JSON.stringify(known.encoding);
    this.sensors.renew(known.no, asked, keepsLevel, now);
    return { kind: 'renewed', record: this.#recordOf(sensor.sensor_id) };
  }

  page(range: SensorRange): SensorPage {
    return this.sensors.page(range);
  }

  /** How many readings are gone with it; undefined where there is none. */
  remove(sensorId: string, now: number): number | undefined {
    const known = this.sensors.find(sensorId);
    if (!known) return undefined;
    this.#atOnce(() => {
      if (known.window) this.#remember(known, [known.window], now);
      this.readings.removeUpTo(known.no, known.lastSeq);
      this.sensors.remove(known.no);
    });
    return known.lastSeq - known.firstSeq + 1;
  }

  /** Stores what is taken of a sensor's readings with its spikes. */
  async store(
    known: StoredSensor,
    given: NewReadingsOf['readings'],
    { codes, now }: { readonly codes: ReadingCodes; readonly now: number },
  ): Promise<StoredReadings> {
    const { sensor, encoding, level, last, lastSeq } = known;
    const admitted = admitReadings(given, {
      now,
      lastAt: last?.at,
      rateHz: sensor.rate_hz,
      retentionMs: sensor.retention_s * 1000,
    });
    const values = admitted.readings.map(({ value }) => value);
    const draw = (hashOf(sensor.sensor_id) + lastSeq) >>> 0;
    const encoded = await encodeReadings(codes, { encoding, level, draw }, values);
    if (values.length > 0) this.#atOnce(() => this.#write(known, admitted, encoded, now));
    return {
      accepted: values.length,
      rejected: admitted.rejected,
      errors: [...admitted.faults],
      last_seq: lastSeq + values.length,
      spikes: encoded.spikes.reduce((sum, words) => sum + countSpikes(words), 0),
    };
  }

  range(sensorId: string, range: ReadingRange): ReadingPage | undefined {
    const known = this.sensors.find(sensorId);
    if (!known) return undefined;
    const found = this.readings.range(known.no, range);
    const shown = found.slice(0, range.limit);
    return {
      unit: known.sensor.unit,
      encoding: known.encoding,
      readings: shown,
      next: found.length > shown.length ? shown.at(-1)?.seq : undefined,
    };
  }

  series(sensorId: string, range: SeriesRange): Series | undefined {
    const known = this.sensors.find(sensorId);
    if (!known) return undefined;
    const { to, steps } = range;
    const from = Math.min(range.from ?? this.readings.firstAt(known.no) ?? to, to);
    const stepMs = Math.max(1, Math.ceil((to - from) / steps));
    const points = this.readings.steps(known.no, { from, to, stepMs });
    return { unit: known.sensor.unit, from, to, stepMs, points };
  }

  /** Readings after a number, up to a limit. */
  since(known: StoredSensor, after: number, limit: number): readonly Reading[] {
    const range = { from: -Infinity, to: Infinity, order: 'asc', limit } as const;
    const all = { ...range, from: 0, to: Number.MAX_SAFE_INTEGER, beyond: after };
    return this.readings.range(known.no, all).slice(0, limit);
  }

  /** Closes due windows, and deletes expired readings. */
  tidy(now: number): void {
    this.#atOnce(() => {
      for (const known of this.sensors.due(now)) {
        if (known.window) this.#remember(known, [known.window], now);
        const { level } = known;
        this.sensors.proceed(known.no, { level, window: undefined, windowDue: undefined });
      }
      this.readings.expire(now);
    });
  }

  /** When `tidy` has something to do. */
  nextTidy(): number {
    return Math.min(this.sensors.firstDue() ?? Infinity, this.readings.firstExpiry() ?? Infinity);
  }

  #write(
    known: StoredSensor,
    { readings }: Admitted,
    { spikes, level }: Encoded,
    now: number,
  ): void {
    const { no, sensor, lastSeq, window } = known;
    const encoded = readings.map((reading, i) => ({
      ...reading,
      ...(spikes[i] ?? { on: 0, off: 0 }),
    }));
    const windows = addToWindows(window, sensor.window_s * 1000, encoded);
    const windowDue = windows.open && Math.max(windows.open.end, now) + GRACE_MS;
    this.#remember(known, windows.closed, now);
    this.sensors.proceed(no, { level, window: windows.open, windowDue });
    this.readings.add(no, lastSeq, encoded);
    const tooOld = lastSeq + readings.length - SENSOR_LIMITS.readings;
    if (tooOld >= known.firstSeq) this.readings.removeUpTo(no, tooOld);
  }

  #remember(
    { owner, team, sensor, encoding }: StoredSensor,
    windows: readonly ReadingWindow[],
    now: number,
  ): void {
    for (const window of windows) {
      const summary = memoryOfWindow(sensor, encoding.code, window);
      // A memory is never of the future, even where a sensor's clock is ahead, or ours is set back.
      const occurred_at = new Date(Math.min(window.last.at, now)).toISOString();
      const memory = NewMemory.parse({ ...summary, occurred_at });
      this.readings.addSummary({ owner, team, namespace: sensor.namespace, memory });
    }
  }

  #recordOf(sensorId: string): SensorRecord {
    const known = this.sensors.find(sensorId);
    if (!known) throw new TypeError(`the sensor ${sensorId} was written and is not there`);
    return recordOf(known);
  }
}

/** FNV-1a: different words for different sensors. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
