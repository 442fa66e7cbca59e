import { callEndpoint, type Http, openStream } from '../../edge/contract/client.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import { JobEvent, MetricPoint } from '../../edge/training/contract/job-event.ts';
import { type JobRecord, TERMINAL } from '../../edge/training/contract/job.ts';
import { isTransient, pause, retry } from '../../trainer/index.ts';

/** Exit codes of a command that follows a job. */
export const OUTCOME_CODES = { succeeded: 0, failed: 1, cancelled: 2 } as const;

const RETRY_MS = 1000;

interface WatchOptions {
  readonly json: boolean;
}

/** Follows a job to its end; where the stream breaks, it goes on after the last event that came. */
export async function watchJob(http: Http, id: string, options: WatchOptions): Promise<JobRecord> {
  const stream = { last: '0', show: options.json ? showJson : createLines() };
  for (;;) {
    await followStream(http, id, stream).catch((error: unknown) => {
      if (!isTransient(error)) throw error;
    });
    const job = await retry(() => readJob(http, id));
    if (TERMINAL.has(job.status)) return job;
    await pause(RETRY_MS);
  }
}

async function followStream(
  http: Http,
  id: string,
  stream: { last: string; readonly show: (event: string, data: string) => void },
): Promise<void> {
  for await (const { id: eventId, event, data } of await openEvents(http, id, stream.last)) {
    stream.last = eventId ?? stream.last;
    stream.show(event, data);
  }
}

export async function readJob(http: Http, id: string): Promise<JobRecord> {
  return (await callEndpoint(http, jobEndpoints.getJob, { params: { id } })).body;
}

async function openEvents(http: Http, id: string, after: string) {
  const headers = after === '0' ? {} : { 'last-event-id': after };
  return readEvents(await openStream(http, jobEndpoints.listEvents, { params: { id }, headers }));
}

function showJson(_event: string, data: string): void {
  console.log(data);
}

/** A line for each event; what is measured goes over the last line of a terminal. */
function createLines() {
  const isLive = process.stderr.isTTY;
  let live = false;
  const clear = () => {
    if (live) process.stderr.write('\r\u001B[K');
    live = false;
  };
  return (event: string, data: string) => {
    if (event !== 'metrics') {
      const parsed = JobEvent.safeParse(JSON.parse(data));
      clear();
      if (parsed.success) console.error(lineOf(parsed.data));
      return;
    }
    const point = MetricPoint.safeParse(JSON.parse(data));
    if (!isLive || !point.success) return;
    clear();
    process.stderr.write(describePoint(point.data));
    live = true;
  };
}

function lineOf({ created_at, level, message }: JobEvent): string {
  const time = created_at.slice(11, 19);
  return level === 'info' || level === 'debug'
    ? `${time}  ${message}`
    : `${time}  ${level}: ${message}`;
}

function describePoint({ step, train_loss, valid_loss, tokens_per_s }: MetricPoint): string {
  const parts = [`step ${step}`];
  if (train_loss !== null) parts.push(`loss ${train_loss.toFixed(4)}`);
  if (valid_loss !== null) parts.push(`validation ${valid_loss.toFixed(4)}`);
  if (tokens_per_s !== null) parts.push(`${Math.round(tokens_per_s)} tokens/s`);
  return parts.join('  ');
}
