import { createReadingCodes, type ReadingCodes } from '../../engine/encoding.ts';
import { SPIKE_STEPS } from './contract/encoding.ts';
import { SENSOR_LIMITS, type SensorRecord } from './contract/sensor.ts';
import type { Env } from '../env.ts';
import { type Bucket, takeToken } from '../http/token-bucket.ts';
import { Problem } from '../http/problem.ts';
import { boundsOfOwner } from '../memory/usage.ts';
import { holdingsOf } from '../memory/memory-stub.ts';
import { storeIn } from '../memory/store-memories.ts';
import { StoredObject } from '../storage/stored-object.ts';
import type { Summary } from './readings-store.ts';
import { SensorsRepository } from './repository.ts';
import type {
  ReadingsSince,
  NewReadingsOf,
  ReadingPage,
  ReadingRange,
  RegisterResult,
  Registration,
  SensorPage,
  SensorRange,
  Series,
  SeriesRange,
  StoreReadingsResult,
} from './results.ts';
import { type StoredSensor, recordOf, SENSORS_MIGRATIONS } from './store.ts';
import { Notifier } from '../events/notifier.ts';

/** The number of readings a stream sends at once. */
const SENT_AT_ONCE = 500;
/** The number of summaries stored with one call. */
const REMEMBERED_AT_ONCE = 32;
/** The delay before failed summaries are retried. */
const AGAIN_MS = 30_000;
/** The minimum sustained rate limit in readings per second; otherwise twice the sensor's rate. */
const MIN_PER_S = 200;
/** The burst limit, as for readings collected offline. */
const BURST = 10 * SENSOR_LIMITS.batch;

/** The sensors of one owner, their readings as spikes, and their pending summaries. */
export class Sensors extends StoredObject {
  readonly #repository: SensorsRepository;
  readonly #notifier = new Notifier();
  readonly #buckets = new Map<number, Bucket>();
  #codes: Promise<ReadingCodes> | undefined;
  /** Serialises changes, as the encoding of readings continues where it ended. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, SENSORS_MIGRATIONS, { mayHold: { sensors: 0 } });
    this.#repository = new SensorsRepository({
      sql: ctx.storage.sql,
      transactionSync: (write) => ctx.storage.transactionSync(write),
    });
  }

  async register(asked: Registration): Promise<RegisterResult> {
    await this.makeKnown('Sensors');
    return this.#inTurn(async () => {
      const { owner, team, isBound, sensor } = asked;
      const isNew = this.#repository.sensors.find(sensor.sensor_id) === undefined;
      const held = this.#repository.sensors.count();
      if (isNew && isBound && held < SENSOR_LIMITS.sensors) {
        const claim = { kind: 'sensors', owner, place: '', team, held, adding: 1 } as const;
        const used = await holdingsOf(this.env, team).claim(claim);
        if (used) return { kind: 'over-quota', used };
      }
      return this.#repository.register(asked, Date.now());
    });
  }

  find(sensorId: string): SensorRecord | undefined {
    const known = this.#repository.sensors.find(sensorId);
    return known && recordOf(known);
  }

  list(range: SensorRange): SensorPage {
    return this.#repository.page(range);
  }

  /** @returns the number of readings deleted with it; undefined where there is no such sensor */
  remove(sensorId: string): Promise<number | undefined> {
    return this.#inTurn(async () => {
      const known = this.#repository.sensors.find(sensorId);
      if (!known) return undefined;
      const removed = this.#repository.remove(sensorId, Date.now());
      await this.#arm();
      await this.#reportCount(known);
      return removed;
    });
  }

  async store({ sensorId, unit, readings }: NewReadingsOf): Promise<StoreReadingsResult> {
    await this.makeKnown('Sensors');
    return this.#inTurn(async () => {
      const known = this.#repository.sensors.find(sensorId);
      if (!known) return { kind: 'no-sensor' };
      if (unit !== undefined && unit !== known.sensor.unit) {
        return { kind: 'other-unit', unit: known.sensor.unit };
      }
      const now = Date.now();
      const waitMs = this.#take(known, readings.length, now);
      if (waitMs > 0) return { kind: 'too-many', waitMs };
      const codes = await (this.#codes ??= createReadingCodes({ steps: SPIKE_STEPS }));
      const stored = await this.#repository.store(known, readings, { codes, now });
      await this.#arm();
      this.#notifier.wake(sensorId);
      return { kind: 'stored', stored };
    });
  }

  range(sensorId: string, range: ReadingRange): ReadingPage | undefined {
    return this.#repository.range(sensorId, range);
  }

  series(sensorId: string, range: SeriesRange): Series | undefined {
    return this.#repository.series(sensorId, range);
  }

  /**
   * The readings after one, as a long poll of at most `waitMs`; the last hundred where `after` is
   * undefined. Undefined where there is no such sensor.
   */
  async follow(
    sensorId: string,
    after: number | undefined,
    waitMs: number,
  ): Promise<ReadingsSince | undefined> {
    const known = this.#repository.sensors.find(sensorId);
    if (!known) return undefined;
    const place = after ?? Math.max(0, known.lastSeq - 100);
    if (known.lastSeq <= place && waitMs > 0) await this.#notifier.wait(sensorId, waitMs);
    const again = this.#repository.sensors.find(sensorId);
    if (!again) return undefined;
    const readings = this.#repository.since(again, place, SENT_AT_ONCE);
    return { readings, seq: readings.at(-1)?.seq ?? place };
  }

  /** It may fire late or twice: expired readings are deleted, and pending summaries stored. */
  override async alarm(): Promise<void> {
    await this.#inTurn(() => this.#repository.tidy(Date.now()));
    const isDone = await this.#remember();
    await this.#arm(isDone ? undefined : Date.now() + AGAIN_MS);
  }

  /**
   * Stores the pending summaries as memories. @returns whether none is left; the rest is retried
   */
  async #remember(): Promise<boolean> {
    for (;;) {
      const waiting = this.#repository.readings.summaries(REMEMBERED_AT_ONCE);
      const [first] = waiting;
      if (!first) return true;
      const together = waiting.filter(
        ({ owner, namespace }) => owner === first.owner && namespace === first.namespace,
      );
      try {
        const { owner, team, namespace } = first;
        const place = { owner, namespace, ...boundsOfOwner(owner, team) };
        await storeIn(this.env, place, together.map(memoryOf));
      } catch (error) {
        // This owner's quota is exhausted until something is deleted.
        const isTooMuch = error instanceof Problem && error.code === 'quota_exceeded';
        if (isTooMuch) this.#repository.readings.removeSummaries(together.map(({ id }) => id));
        const text = String(error);
        console.warn(JSON.stringify({ level: 'warn', event: 'sensor_summary_waits', text }));
        return false;
      }
      this.#repository.readings.removeSummaries(together.map(({ id }) => id));
    }
  }

  /** Reports the number of an owner's sensors to its team's directory. */
  async #reportCount({ owner, team }: StoredSensor): Promise<void> {
    if (owner === 'local') return;
    const held = { kind: 'sensors', owner, place: '' } as const;
    await holdingsOf(this.env, team).setCount(held, this.#repository.sensors.count());
  }

  /** For how long readings are refused; 0 where they are accepted. */
  #take({ no, sensor }: StoredSensor, count: number, now: number): number {
    const perSecond = Math.max(MIN_PER_S, 2 * (sensor.rate_hz ?? 0));
    const policy = { perSecond, burst: BURST };
    const { bucket, isAllowed, waitMs } = takeToken(this.#buckets.get(no), policy, now, count);
    this.#buckets.set(no, bucket);
    return isAllowed ? 0 : waitMs;
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Arms the alarm for the next work: at once where summaries are pending. */
  async #arm(again?: number): Promise<void> {
    const isWaiting = this.#repository.readings.summaries(1).length > 0;
    const next = Math.min(
      this.#repository.nextTidy(),
      again ?? (isWaiting ? Date.now() : Infinity),
    );
    const armed = (await this.ctx.storage.getAlarm()) ?? Infinity;
    if (next < armed) await this.ctx.storage.setAlarm(next);
  }
}

const memoryOf = ({ memory }: Summary) => memory;
