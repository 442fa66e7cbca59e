import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { NewReading, StoredReadings } from '../../edge/sensors/contract/reading.ts';
import { SENSOR_LIMITS } from '../../edge/sensors/contract/sensor.ts';
import { sensorEndpoints } from '../../edge/sensors/endpoints.ts';
import { type GatewayOptions, openGateway } from './gateway-access.ts';
import { createLineReader } from './reading-lines.ts';

interface SendOptions extends GatewayOptions {
  readonly value?: string;
  readonly time?: string;
  readonly unit?: string;
}

/** Slow readings are sent after so long, however few they are. */
const FLUSH_MS = 500;
/** Of the readings of a request that were not taken. */
const MAX_SHOWN = 3;
/** Where the platform cannot take them now, they are sent again after so long. */
const AGAIN_MS = 2_000;
const MAX_TRIES = 30;

/** Sends the readings of a CSV file or of standard input, in their order. */
export async function sendReadings(
  sensorId: string,
  file: string | undefined,
  { value, time, unit, ...access }: SendOptions,
): Promise<void> {
  const input = file === undefined || file === '-' ? process.stdin : createReadStream(file);
  if (input !== process.stdin) await once(input, 'open');
  const read = createLineReader({ value, time });
  const total = { accepted: 0, rejected: 0, spikes: 0 };
  const send = batchSender(openGateway(access), sensorId, unit);
  const line = waitingLine(async (readings) => {
    const { accepted, rejected, spikes, errors } = await send(readings);
    total.accepted += accepted;
    total.rejected += rejected;
    total.spikes += spikes;
    for (const { detail } of errors.slice(0, MAX_SHOWN)) console.error(`not taken: ${detail}`);
  });
  // A failed send ends the reading, also while nothing more arrives.
  line.failed.catch(() => input.destroy());
  for await (const text of createInterface({ input })) {
    const reading = read(text);
    if (reading) await line.add(reading);
  }
  await line.flush();
  const { accepted, rejected, spikes } = total;
  console.error(`sent ${accepted} readings with ${spikes} spikes, ${rejected} not taken`);
}

/** Readings that go out together: as many as a request may hold, or what has come in half a second. */
function waitingLine(send: (readings: NewReading[]) => Promise<void>) {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let batch: NewReading[] = [];
  let sending: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const readings = batch;
    batch = [];
    sending = sending.then(() => (readings.length > 0 ? send(readings) : undefined));
    sending.catch(reject);
    return sending;
  };
  return {
    failed,
    flush,
    async add(reading: NewReading): Promise<void> {
      batch.push(reading);
      if (batch.length >= SENSOR_LIMITS.batch) await flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
  };
}

function batchSender(http: Http, sensorId: string, unit: string | undefined) {
  const params = { sensor_id: sensorId };
  return async (readings: NewReading[]): Promise<StoredReadings> => {
    const body = { readings, ...(unit !== undefined && { unit }) };
    for (let tries = 1; ; tries++) {
      try {
        return (await callEndpoint(http, sensorEndpoints.storeReadings, { params, body })).body;
      } catch (error) {
        const isRefused = error instanceof ProblemError && !error.problem.retryable;
        if (isRefused || tries === MAX_TRIES) throw error;
        await sleep(AGAIN_MS);
      }
    }
  };
}
