import * as z from 'zod/mini';
import type { LogLevel } from '../logs/contract/log-message.ts';
import { LOG_LIMITS, NewLogMessage } from '../logs/contract/log-message.ts';
import { LogsExport, type OtlpAttributes } from './contract/export.ts';
import { OTLP_LIMITS } from './endpoints.ts';
import { parseBody } from '../contract/parse.ts';
import { readable } from './metrics.ts';
import { LogRecord } from './schema.ts';
import { objectOf, plainOf, serviceOf } from './values.ts';

/** The accepted records of an export, and why others were refused. */
export interface Records<T> {
  readonly taken: readonly T[];
  readonly refusals: readonly string[];
}

/** The origin of a record. */
export interface Origin {
  readonly resource: OtlpAttributes;
  readonly scope: string | undefined;
}

/** Records of one scope. */
interface RecordGroup {
  readonly origin: Origin;
  readonly records: readonly unknown[];
}

/** Reads an export record by record, each into its result or the reason for its refusal. */
export function readRecords<T extends object>(
  groups: readonly RecordGroup[],
  read: (record: unknown, origin: Origin) => T | string,
): Records<T> {
  const taken: T[] = [];
  const refusals: string[] = [];
  for (const { origin, records } of groups) {
    for (const record of records) {
      const result = taken.length < OTLP_LIMITS.records ? read(record, origin) : TOO_MANY;
      if (typeof result === 'string') refusals.push(result);
      else taken.push(result);
    }
  }
  return { taken, refusals };
}

const TOO_MANY = `one request takes at most ${OTLP_LIMITS.records} records`;

/** Reads an export of logs as messages of the log stream. @throws Problem validation_failed */
export function parseLogs(body: unknown, now: number): Records<NewLogMessage> {
  const groups = parseBody(LogsExport, body).resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.map(({ scope, logRecords: records }) => ({
      origin: { resource: resource.attributes, scope: scope?.name },
      records,
    })),
  );
  return readRecords(groups, (record, origin) => messageOf(record, origin, now));
}

function messageOf(input: unknown, origin: Origin, now: number): NewLogMessage | string {
  const parsed = z.safeParse(LogRecord, input);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const fields = readable(() => fieldsOf(parsed.data, origin, now));
  if (typeof fields === 'string') return fields;
  const message = z.safeParse(NewLogMessage, fields);
  return message.success ? message.data : z.prettifyError(message.error);
}

function fieldsOf(record: LogRecord, origin: Origin, now: number) {
  const { eventName, severityText, traceId } = record;
  const data = dataOf(record, origin);
  return {
    message: bodyText(record.body) || eventName || severityText || 'no text',
    level: levelOf(record),
    source: serviceOf(origin.resource),
    ...(eventName && { event: eventName.slice(0, LOG_LIMITS.name) }),
    ...(Object.keys(data).length > 0 && { data }),
    ...(traceId && { trace_id: traceId }),
    timestamp: timeOf(record, now),
  };
}

function bodyText(body: unknown): string {
  const plain = plainOf(body);
  if (plain === null) return '';
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}

/** The remaining fields of a record; empty ones are left out. */
function dataOf({ attributes, severityText, spanId }: LogRecord, { resource, scope }: Origin) {
  const about = {
    attributes: objectOf(attributes),
    resource: objectOf(resource.filter(({ key }) => key !== 'service.name')),
  };
  return {
    ...Object.fromEntries(Object.entries(about).filter(([, all]) => Object.keys(all).length > 0)),
    ...(scope && { scope }),
    ...(severityText && { severity_text: severityText }),
    ...(spanId && { span_id: spanId }),
  };
}

const TEXTS: readonly (readonly [pattern: RegExp, level: LogLevel])[] = [
  [/^(trace|debug)/i, 'debug'],
  [/^warn/i, 'warn'],
  [/^err/i, 'error'],
  [/^(fatal|crit|emerg|alert)/i, 'critical'],
];

/**
 * Severity numbers come in groups of four: trace, debug, info, warn, error, fatal; without a number the
 * text counts.
 */
function levelOf({ severityNumber, severityText }: LogRecord): LogLevel {
  if (severityNumber <= 0) return TEXTS.find(([text]) => text.test(severityText))?.[1] ?? 'info';
  const levels = ['debug', 'debug', 'info', 'warn', 'error', 'critical'] as const;
  return levels[Math.min(5, Math.floor((severityNumber - 1) / 4))] ?? 'critical';
}

/** The time of the event, else of its observation; now where neither is valid. */
function timeOf({ timeUnixNano, observedTimeUnixNano }: LogRecord, now: number): string {
  const at = Math.round((timeUnixNano || observedTimeUnixNano) / 1e6);
  return new Date(at > 0 && at < MAX_TIME_MS ? at : now).toISOString();
}

/** The end of the year 9999, after which years have more digits. */
const MAX_TIME_MS = 253_402_300_799_999;
