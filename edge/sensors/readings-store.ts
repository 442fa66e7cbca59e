import type { NewMemory } from '../memory/contract/memory.ts';
import { SPIKE_STEPS } from './contract/encoding.ts';
import type { Reading } from './contract/reading.ts';
import type { TimedReading } from './admit-readings.ts';
import { type SpikeWords, spikesOf } from './encode-readings.ts';
import type { ReadingRange, Series } from './results.ts';
import { TableStore } from '../storage/table-store.ts';

interface Row extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly at: number;
  readonly value: number;
  readonly spikes_on: number;
  readonly spikes_off: number;
}

interface StepRow extends Record<string, SqlStorageValue> {
  readonly place: number;
  readonly readings: number;
  readonly min: number;
  readonly mean: number | null;
  readonly max: number;
  readonly on_spikes: number;
  readonly off_spikes: number;
}

/** SQL for the number of set bits in a word of spikes. */
const bitsIn = (column: string): string =>
  Array.from({ length: SPIKE_STEPS }, (_, t) => `((${column} >> ${t}) & 1)`).join(' + ');

/** A summary to be stored as a memory. */
export interface Summary {
  readonly id: number;
  readonly owner: string;
  readonly team: string;
  readonly namespace: string;
  readonly memory: NewMemory;
}

/** The maximum number of pending summaries; the oldest are dropped. */
const MAX_SUMMARIES = 10_000;

/** The SQL of readings and pending summaries. */
export class ReadingsStore extends TableStore {
  /** Appends readings to a sensor. */
  add(no: number, lastSeq: number, readings: readonly (TimedReading & SpikeWords)[]): void {
    for (const [i, { at, value, on, off }] of readings.entries()) {
      this.run`INSERT INTO readings (sensor, seq, at, value, spikes_on, spikes_off)
        VALUES (${no}, ${lastSeq + 1 + i}, ${at}, ${value}, ${on}, ${off})`;
    }
    this.run`UPDATE sensors SET last_seq = ${lastSeq + readings.length} WHERE no = ${no}`;
    this.#setFirst(no);
  }

  /** Deletes the readings of a sensor up to a number. */
  removeUpTo(no: number, seq: number): void {
    this.run`DELETE FROM readings WHERE sensor = ${no} AND seq <= ${seq}`;
    this.#setFirst(no);
  }

  /** Deletes the expired readings of all sensors. */
  expire(now: number): void {
    const over = this.rows<{ no: number; until: number }>`
      SELECT no, ${now} - retention_ms AS until FROM sensors
      WHERE oldest_at <= ${now} - retention_ms`;
    for (const { no, until } of over) {
      this.run`DELETE FROM readings WHERE sensor = ${no} AND at <= ${until}`;
      this.#setFirst(no);
    }
  }

  /** When the first reading expires. */
  firstExpiry(): number | undefined {
    const { at } = this.one<{ at: number | null }>(
      'SELECT min(oldest_at + retention_ms) AS at FROM sensors',
    );
    return at ?? undefined;
  }

  /** One more than requested shows that there are more. */
  range(no: number, { from, to, order, limit, beyond }: ReadingRange): readonly Reading[] {
    const [compare, direction] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
    const start = order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER;
    return this.rows<Row>(
      `SELECT seq, at, value, spikes_on, spikes_off FROM readings
          WHERE sensor = ? AND seq ${compare} ? AND at >= ? AND at < ? ORDER BY seq ${direction} LIMIT ?`,
      no,
      beyond ?? start,
      from,
      to,
      limit + 1,
    ).map(readingOf);
  }

  /** The time of a sensor's first stored reading. */
  firstAt(no: number): number | undefined {
    const { at } = this.one<{ at: number | null }>`
      SELECT min(at) AS at FROM readings WHERE sensor = ${no}`;
    return at ?? undefined;
  }

  /** The readings of a time range, aggregated in steps from its start. */
  steps(
    no: number,
    { from, to, stepMs }: Pick<Series, 'from' | 'to' | 'stepMs'>,
  ): Series['points'] {
    return this.rows<StepRow>(
      `SELECT CAST((at - ?1) / ?2 AS INTEGER) AS place, count(*) AS readings, min(value) AS min,
          avg(value) AS mean, max(value) AS max, sum(${bitsIn('spikes_on')}) AS on_spikes,
          sum(${bitsIn('spikes_off')}) AS off_spikes FROM readings
          WHERE sensor = ?3 AND at >= ?1 AND at < ?4 GROUP BY place ORDER BY place`,
      from,
      stepMs,
      no,
      to,
    ).map(({ place, min, mean, max, readings, on_spikes: on, off_spikes: off }) => ({
      at: from + place * stepMs,
      readings,
      min,
      // The sum of the largest numbers overflows; the midpoint serves as well.
      mean: Number.isFinite(mean) && mean !== null ? mean : min / 2 + max / 2,
      max,
      on,
      off,
    }));
  }

  addSummary({ owner, team, namespace, memory }: Omit<Summary, 'id'>): void {
    this.run`INSERT INTO summaries (owner, team, namespace, memory)
      VALUES (${owner}, ${team}, ${namespace}, ${JSON.stringify(memory)})`;
    this.run`DELETE FROM summaries WHERE id <= (SELECT max(id) FROM summaries) - ${MAX_SUMMARIES}`;
  }

  /** The oldest pending summaries. */
  summaries(limit: number): readonly Summary[] {
    const rows = this.rows<{
      id: number;
      owner: string;
      team: string;
      namespace: string;
      memory: string;
    }>`
      SELECT id, owner, team, namespace, memory FROM summaries ORDER BY id LIMIT ${limit}`;
    return rows.map(({ memory, ...rest }) => ({
      ...rest,
      memory: JSON.parse(memory) as NewMemory,
    }));
  }

  removeSummaries(ids: readonly number[]): void {
    for (const id of ids) this.run`DELETE FROM summaries WHERE id = ${id}`;
  }

  #setFirst(no: number): void {
    this.run`UPDATE sensors SET
      first_seq = coalesce((SELECT min(seq) FROM readings WHERE sensor = no), last_seq + 1),
      oldest_at = (SELECT min(at) FROM readings WHERE sensor = no)
      WHERE no = ${no}`;
  }
}

const readingOf = ({ seq, at, value, spikes_on: on, spikes_off: off }: Row): Reading => ({
  seq,
  at: new Date(at).toISOString(),
  value,
  spikes: spikesOf({ on, off }),
});
