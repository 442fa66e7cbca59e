import type { SensorEncoding } from './contract/encoding.ts';
import type { NewSensor, SensorRecord } from './contract/sensor.ts';
import type { Level } from './encode-readings.ts';
import type { Registration, SensorPage, SensorRange } from './results.ts';
import type { ReadingWindow } from './window.ts';
import { TableStore } from '../storage/table-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const SENSORS_MIGRATIONS: readonly string[] = [
  `
  -- first_seq and last_seq bound the readings that are kept; all between them are.
  CREATE TABLE sensors (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    sensor_id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    type TEXT NOT NULL,
    node_id TEXT,
    registration TEXT NOT NULL,
    encoding TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    first_seq INTEGER NOT NULL DEFAULT 1,
    last_seq INTEGER NOT NULL DEFAULT 0,
    level TEXT,
    open_window TEXT,
    window_due INTEGER,
    oldest_at INTEGER,
    retention_ms INTEGER NOT NULL
  );
  CREATE INDEX sensors_due ON sensors (window_due);

  CREATE TABLE readings (
    sensor INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    value REAL NOT NULL,
    spikes_on INTEGER NOT NULL,
    spikes_off INTEGER NOT NULL,
    PRIMARY KEY (sensor, seq)
  ) WITHOUT ROWID;
  CREATE INDEX readings_at ON readings (sensor, at);

  -- Windows that have ended and are not remembered yet.
  CREATE TABLE summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    namespace TEXT NOT NULL,
    memory TEXT NOT NULL
  );
  `,
  `
  ALTER TABLE sensors ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE summaries ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
  `,
];

interface Row extends Record<string, SqlStorageValue> {
  readonly no: number;
  readonly owner: string;
  readonly team: string;
  readonly registration: string;
  readonly encoding: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly level: string | null;
  readonly open_window: string | null;
  readonly last_at: number | null;
  readonly last_value: number | null;
}

/** A stored sensor with its encoder state. */
export interface StoredSensor {
  readonly no: number;
  readonly owner: string;
  readonly team: string;
  readonly sensor: NewSensor;
  readonly encoding: SensorEncoding;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly level: Level | undefined;
  readonly window: ReadingWindow | undefined;
  readonly last: { readonly at: number; readonly value: number } | undefined;
}

/** The state of a sensor that changes with its readings. */
interface Progress {
  readonly level: Level | undefined;
  readonly window: ReadingWindow | undefined;
  /** When the window is closed without further readings. */
  readonly windowDue: number | undefined;
}

const SENSOR = `SELECT sensors.*, latest.at AS last_at, latest.value AS last_value FROM sensors
  LEFT JOIN readings AS latest ON latest.sensor = sensors.no AND latest.seq = sensors.last_seq`;

/** The SQL of sensors. */
export class SensorsStore extends TableStore {
  find(sensorId: string): StoredSensor | undefined {
    const row = this.row<Row>(`${SENSOR} WHERE sensor_id = ?`, sensorId);
    return row && storedSensorOf(row);
  }

  count(): number {
    return this.value<number>('SELECT count(*) AS n FROM sensors');
  }

  /** The sensors whose window is due by a time. */
  due(now: number): readonly StoredSensor[] {
    return this.rows<Row>(`${SENSOR} WHERE window_due <= ?`, now).map(storedSensorOf);
  }

  /** When the first open window is due. */
  firstDue(): number | undefined {
    const { at } = this.one<{ at: number | null }>('SELECT min(window_due) AS at FROM sensors');
    return at ?? undefined;
  }

  page({ limit, before, type, nodeId }: SensorRange): SensorPage {
    const clauses = [
      ...(type === undefined ? [] : [['type = ?', type]]),
      ...(nodeId === undefined ? [] : [['node_id = ?', nodeId]]),
    ] as const;
    const where = ['no < ?', ...clauses.map(([clause]) => clause)].join(' AND ');
    const values = clauses.map(([, value]) => value ?? '');
    const rows = this.rows<Row>(
      `${SENSOR} WHERE ${where} ORDER BY no DESC LIMIT ?`,
      before,
      ...values,
      limit + 1,
    );
    const { n } = this.one<{ n: number }>(
      `SELECT count(*) AS n FROM sensors WHERE ${where}`,
      Number.MAX_SAFE_INTEGER,
      ...values,
    );
    const shown = rows.slice(0, limit);
    return {
      sensors: shown.map((row) => recordOf(storedSensorOf(row))),
      total: n,
      next: rows.length > limit ? shown.at(-1)?.no : undefined,
    };
  }

  add({ owner, team, sensor, encoding }: Registration, now: number): void {
    this.run`INSERT INTO sensors
      (sensor_id, owner, team, type, node_id, registration, encoding, created_at, updated_at,
        retention_ms)
      VALUES (${sensor.sensor_id}, ${owner}, ${team}, ${sensor.type}, ${sensor.node_id ?? null},
        ${JSON.stringify(sensor)}, ${JSON.stringify(encoding)}, ${now}, ${now},
        ${sensor.retention_s * 1000})`;
  }

  /** Updates a sensor's settings; the level of another encoding is reset. */
  renew(no: number, { sensor, encoding }: Registration, keepsLevel: boolean, now: number): void {
    this.run(
      `UPDATE sensors SET node_id = ?, registration = ?, encoding = ?, updated_at = ?,
        retention_ms = ?${keepsLevel ? '' : ', level = NULL'} WHERE no = ?`,
      sensor.node_id ?? null,
      JSON.stringify(sensor),
      JSON.stringify(encoding),
      now,
      sensor.retention_s * 1000,
      no,
    );
  }

  proceed(no: number, { level, window, windowDue }: Progress): void {
    this.run`UPDATE sensors
      SET level = ${level ? JSON.stringify(level) : null}, open_window =
        ${window ? JSON.stringify(window) : null}, window_due = ${windowDue ?? null}
      WHERE no = ${no}`;
  }

  remove(no: number): void {
    this.run`DELETE FROM sensors WHERE no = ${no}`;
  }
}

function storedSensorOf(row: Row): StoredSensor {
  return {
    no: row.no,
    owner: row.owner,
    team: row.team,
    sensor: JSON.parse(row.registration) as NewSensor,
    encoding: JSON.parse(row.encoding) as SensorEncoding,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    level: row.level === null ? undefined : (JSON.parse(row.level) as Level),
    window: row.open_window === null ? undefined : (JSON.parse(row.open_window) as ReadingWindow),
    last:
      row.last_at === null || row.last_value === null
        ? undefined
        : { at: row.last_at, value: row.last_value },
  };
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** The public record of a sensor. */
export function recordOf(kept: StoredSensor): SensorRecord {
  const { sensor, encoding, last, firstSeq, lastSeq } = kept;
  return {
    ...sensor,
    node_id: sensor.node_id ?? null,
    rate_hz: sensor.rate_hz ?? null,
    encoding,
    created_at: timeOf(kept.createdAt),
    updated_at: timeOf(kept.updatedAt),
    readings: lastSeq - firstSeq + 1,
    last_reading: last ? { seq: lastSeq, at: timeOf(last.at), value: last.value } : null,
  };
}
