import { setTimeout as sleep } from 'node:timers/promises';
import { checked, type Http, pathOf } from '../../edge/contract/client.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { type Reading, ReadingEvent } from '../../edge/sensors/contract/reading.ts';
import { sensorEndpoints } from '../../edge/sensors/endpoints.ts';
import { type GatewayOptions, openGateway } from './gateway-access.ts';

interface WatchOptions extends GatewayOptions {
  readonly after?: number;
  readonly count?: number;
  readonly json?: true;
}

const AGAIN_MS = 2_000;

/** Shows readings with their spikes as they come, until it is ended or has shown `--count` of them. */
export async function watchReadings(sensorId: string, options: WatchOptions): Promise<void> {
  const { after, count = Infinity, json, ...access } = options;
  let left = count;
  for await (const reading of follow(openGateway(access), sensorId, after)) {
    if (left <= 0) return;
    console.log(json ? JSON.stringify(reading) : describeReading(reading));
    left -= 1;
    if (left <= 0) return;
  }
}

/** Where the connection breaks, it goes on after the last reading. @throws ProblemError for what is refused */
async function* follow(
  http: Http,
  sensorId: string,
  after: number | undefined,
): AsyncGenerator<Reading> {
  let place = after;
  for (;;) {
    try {
      for await (const { event, data } of readEvents(await open(http, sensorId, place))) {
        if (event !== 'readings') continue;
        for (const reading of ReadingEvent.parse(JSON.parse(data)).readings) {
          place = reading.seq;
          yield reading;
        }
      }
    } catch (error) {
      // A refusal is final; a server that does not respond may come back.
      if (error instanceof ProblemError && !error.problem.retryable) throw error;
    }
    console.error(`the connection is gone; again in ${AGAIN_MS / 1000} s`);
    await sleep(AGAIN_MS);
  }
}

async function open(
  { base, headers, fetch: ask }: Http,
  sensorId: string,
  place: number | undefined,
): Promise<Response> {
  const path = pathOf(sensorEndpoints.followReadings.path, { sensor_id: sensorId });
  const since = place === undefined ? {} : { 'last-event-id': String(place) };
  return checked(
    await ask(base + path, {
      headers: { ...headers, ...since, accept: 'text/event-stream' },
    }),
  );
}

const STEPS = 16;

/** Such as `42  2026-11-22T10:00:00.000Z  21.5  ·│··`: a column for each time step, or `+` and `-` for a change. */
export function describeReading({ seq, at, value, spikes: { on, off } }: Reading): string {
  const isChange = off.length > 0 || Math.max(0, ...on) === 0;
  const change = off.length > 0 ? '-' : on.length > 0 ? '+' : '·';
  const row = Array.from({ length: STEPS }, (_, t) => (on.includes(t) ? '│' : '·')).join('');
  return `${String(seq).padStart(6)}  ${at}  ${String(value).padStart(12)}  ${isChange ? change : row}`;
}
