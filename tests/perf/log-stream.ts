import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Http, openHttp } from '../../edge/contract/client.ts';
import type { LogFrame, LogGap } from '../../edge/logs/contract/log-frames.ts';
import type { LogMessage } from '../../edge/logs/contract/log-message.ts';
import { openLogStream } from '../../edge/logs/contract/log-stream.ts';
import { LogMetrics, PublishedLogs } from '../../edge/logs/contract/log-message.ts';
import type { LogPosition } from '../../edge/logs/contract/log-reader.ts';
import { openStage } from './gateway-stage.ts';
import { followPlainly, type PlainTally } from './plain-log-client.ts';
import { note, report } from './report.ts';

/*
 * The log stream under load: `node tests/perf/log-stream.ts`, or smaller with --clients, --rate and --seconds.
 * A few clients follow in the way of our library, the others read numbers alone, and one acknowledges nothing;
 * once it was closed for that, it resumes. Each message has to be accounted for, by every client and by the
 * counters; the exit code is 1 where one is not.
 */
const { values: given } = parseArgs({
  options: {
    clients: { type: 'string', default: '100' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    library: { type: 'string', default: '4' },
  },
});
const clients = Number(given.clients);
const rate = Number(given.rate);
const byLibrary = Math.min(Number(given.library), clients - 1);
const total = rate * Number(given.seconds);

/** Requests a second that publish; each holds what has come due since. */
const REQUESTS = 50;
const MAX_PER_REQUEST = 256;
/** How long the last message may take to everybody. */
const PATIENCE_MS = 60_000;

type Item = LogMessage | LogGap;

/** Counts of what one client received; the messages themselves would be gigabytes. */
class Tally {
  messages = 0;
  dropped = 0;
  gaps = 0;
  faults = 0;
  position = 0;
  readonly latencies: number[] = [];

  take(item: Item): void {
    const [from, to] = item.type === 'log' ? [item.seq, item.seq] : [item.from_seq, item.to_seq];
    // Nobody filters, so each is the one after the last.
    if (from !== this.position + 1) this.faults += 1;
    this.position = to;
    if (item.type === 'gap') {
      this.gaps += 1;
      this.dropped += item.dropped ?? Number.NaN;
      return;
    }
    this.messages += 1;
    if (item.seq % 50 === 0) this.latencies.push(Date.now() - Date.parse(item.timestamp));
  }
}

async function follow(http: Http, tally: Tally, from?: LogPosition) {
  const live = Promise.withResolvers<void>();
  const stream = openLogStream({
    http,
    ...(from && { from }),
    take: (items) => {
      for (const item of items) tally.take(item);
    },
    changed: ({ status }) => status === 'live' && live.resolve(),
  });
  await live.promise;
  return stream;
}

/** Opens the stream and never answers it; resolves with where it stood when it was closed for that. */
async function stall(http: Http, tally: Tally, greeted: () => void): Promise<LogPosition> {
  const answer = await fetch(`${http.base}/ws/tickets`, { method: 'POST' });
  const { ticket } = (await answer.json()) as { ticket: string };
  const url = new URL(`/ws/distributed_brain/logs?ticket=${ticket}`, http.base);
  url.protocol = 'ws:';
  const socket = new WebSocket(url);
  let streamId = '';
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as LogFrame;
    if (frame.type === 'hello') {
      streamId = frame.stream_id;
      greeted();
    }
    if (frame.type === 'log' || frame.type === 'gap') tally.take(frame);
  });
  const [{ code, reason }] = (await once(socket, 'close')) as [CloseEvent];
  note(`the stalled client was closed with ${code} ${reason} after ${tally.messages} messages`);
  return { streamId, seq: tally.position };
}

const readMetrics = async ({ base }: Http) =>
  LogMetrics.parse(await (await fetch(`${base}/distributed_brain/metrics`)).json());

/** Publishes all messages at the rate; returns the answers added up. */
async function publishAll({ base }: Http) {
  const sum = { delivered: 0, dropped: 0 };
  const began = performance.now();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * rate));
    const count = Math.min(due - sent, MAX_PER_REQUEST);
    if (count > 0) {
      const logs = Array.from({ length: count }, (_, i) => ({
        message: `message ${sent + i} of ${total}`,
        source: 'log-stream',
        data: { n: sent + i, spikes: [3, 1, 4, 1, 5], region: 'ap-northeast-1' },
      }));
      const answer = await fetch(`${base}/distributed_brain/publish_logs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ logs }),
      });
      const { delivered, dropped } = PublishedLogs.parse(await answer.json());
      sum.delivered += delivered;
      sum.dropped += dropped;
      sent += count;
    }
    await sleep(1000 / REQUESTS);
  }
  return { ...sum, seconds: (performance.now() - began) / 1000 };
}

const stage = await openStage();
try {
  const http = openHttp({ base: stage.url.origin });
  const healthy = Array.from({ length: byLibrary }, () => new Tally());
  const plain = Array.from({ length: clients - 1 - byLibrary }, (): PlainTally => ({
    messages: 0,
    faults: 0,
    gaps: 0,
    dropped: 0,
    position: 0,
  }));
  const streams = [];
  for (const tally of healthy) streams.push(await follow(http, tally));
  const sockets = [];
  for (const tally of plain) sockets.push(await followPlainly(stage.url, tally));
  const stalled = new Tally();
  const { promise: greeted, resolve: greet } = Promise.withResolvers<void>();
  const resumed = stall(http, stalled, greet).then((from) => follow(http, stalled, from));
  await greeted;
  const before = await readMetrics(http);
  note(`${before.connected_clients} clients follow; ${total} messages at ${rate} a second`);

  const published = await publishAll(http);
  streams.push(await resumed);
  const deadline = Date.now() + PATIENCE_MS;
  const isDone = () => [...healthy, ...plain, stalled].every(({ position }) => position >= total);
  while (!isDone() && Date.now() < deadline) await sleep(100);
  const metrics = await readMetrics(http);
  for (const stream of streams) stream.close();
  for (const socket of sockets) socket.destroy();

  const late = healthy.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b);
  const at = (share: number) => late[Math.floor(late.length * share)] ?? Number.NaN;
  const incomplete = [...healthy, ...plain].filter(
    ({ messages, faults }) => messages !== total || faults > 0,
  );
  const lost = [...healthy, ...plain, stalled].reduce((sum, { dropped }) => sum + dropped, 0);
  note(`published in ${published.seconds.toFixed(1)} s; ${published.delivered} deliveries`);
  note(`latency p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(0.9999)} ms`);
  note(
    `the stalled client: ${stalled.messages} messages, ${stalled.gaps} gaps with ${stalled.dropped} dropped`,
  );
  note(`counters: ${JSON.stringify(metrics)}`);
  for (const { messages, gaps, faults } of incomplete.slice(0, 5)) {
    note(`a healthy client has ${messages} messages, ${gaps} gaps, ${faults} faults`);
  }
  const checks = {
    'healthy clients got every message once and in order': incomplete.length === 0,
    'the stalled client got a declared gap': stalled.gaps >= 1 && stalled.faults === 0,
    'its messages and gaps add up': stalled.messages + stalled.dropped === total,
    'the counter says what clients were told': metrics.broadcast_drops === lost,
    'so do the answers to publishing': published.dropped === lost,
    'one client was closed for not acknowledging': metrics.send_timeouts === 1,
    'everything was kept': metrics.persist_drops === 0,
  };
  for (const [what, isSo] of Object.entries(checks)) note(`${isSo ? 'ok' : 'NOT SO'}  ${what}`);
  report({
    name: `log messages a second to ${clients} clients, each once and in order`,
    value: Object.values(checks).every(Boolean) ? Math.round(total / published.seconds) : 0,
    unit: 'messages/s',
    target: Math.floor(rate * 0.95),
    better: 'higher',
  });
  process.exitCode = Object.values(checks).every(Boolean) ? 0 : 1;
} finally {
  await stage.close();
}
