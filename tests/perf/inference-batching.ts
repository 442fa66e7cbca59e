import { parseArgs } from 'node:util';
import { percentile, sendSteadily } from './open-loop.ts';
import { openStage } from './gateway-stage.ts';
import { type InferenceProcess, registerUntrained, startServing } from './inference-stage.ts';
import { note, report } from './report.ts';
import { runStreams } from './stream-load.ts';

/**
 * Bar 14: requests a second at the same 95th percentile with batching against batch 1, open loop; then
 * the latency at three loads, and 200 texts streamed at once. The model is one nobody trained, of the
 * size base: d 256, 6 blocks, 4 time steps. A request reads 16 characters and writes 32.
 *
 * `--seconds N` is how long a rate is tried, `--workers N` how many engines serve.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    workers: { type: 'string', default: '4' },
    streams: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const MODEL = 'measured';
const BASE = { width: 256, heads: 8, blocks: 6 };
/** How much longer than alone a request may take, for 95 of 100: those who wait for it, and those who do not. */
const PATIENCE = [4, 10];
const STEP = 1.3;
/** One miss may be the machine's; so many in a row are the server's. */
const MISSES = 2;

const stage = await openStage();
const servers: InferenceProcess[] = [];
try {
  await registerUntrained(stage, MODEL, BASE);
  const serve = async (batch: number) => {
    const queue = ['--max-queue-size', '100000', '--workers', values.workers];
    const server = await startServing(stage, MODEL, ['--max-batch-size', String(batch), ...queue]);
    servers.push(server);
    return server;
  };
  const alone = await serve(1);
  const together = await serve(64);
  await tryRate(alone, 2);
  await tryRate(together, 2);
  const single = percentile((await tryRate(alone, 1)).times, 0.5);
  note(`one request alone takes ${single.toFixed(0)} ms`);
  for (const [name, server] of [
    ['batch 1', alone],
    ['batching', together],
  ] as const) {
    note(`${name}, 64 requests at once: ${await processorUse(server)}`);
  }
  const tries = await climb([alone, together], single);
  for (const patience of PATIENCE) {
    const limit = patience * single;
    const [one, many] = tries.map((all) => bestRate(all, limit)) as [number, number];
    report({
      bar: 14,
      name: `requests/s with batching over batch 1, p95 within ${limit.toFixed(0)} ms (${patience} times one alone)`,
      value: many / one,
      unit: 'x',
      target: 4,
      better: 'higher',
      peers: { 'batch 1, requests/s': one, 'batching, requests/s': many },
    });
  }
  const most = bestRate(tries[1], Math.max(...PATIENCE) * single);
  for (const share of [0.25, 0.5, 0.8]) {
    const { times, failed } = await tryRate(together, most * share);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => percentile(times, q).toFixed(0));
    const rate = (most * share).toFixed(0);
    note(`${rate} requests/s: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, ${failed} failed`);
  }
  await measureStreams(together);
} finally {
  await Promise.all(servers.map((server) => server.end()));
  await stage.close();
}

interface Tried {
  readonly times: readonly number[];
  readonly failed: number;
}

async function tryRate({ url }: InferenceProcess, rate: number): Promise<Tried> {
  const answers = await sendSteadily({
    url: `${url}/infer`,
    rate,
    seconds: Math.max(seconds, 10 / rate),
    ask: (n) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(n)),
    }),
  });
  const failed = answers.filter(({ status }) => status !== 200);
  for (const { status, text } of failed.slice(0, 1)) note(`${status}: ${text}`);
  return { times: answers.map(({ ms }) => ms), failed: failed.length };
}

/** Processor time of a request, which other processes on the machine change little. */
async function processorUse({ url, processorMs }: InferenceProcess): Promise<string> {
  const count = 64;
  const before = processorMs();
  const started = performance.now();
  await runStreams(`${url}/infer`, count, (seed) => ({ ...requestOf(seed), stream: true }));
  const rate = (1000 * count) / (performance.now() - started);
  const each = (processorMs() - before) / count;
  return `${each.toFixed(0)} ms of processor a request, ${rate.toFixed(1)} requests/s`;
}

function requestOf(seed: number) {
  const inputs = { text: 'Call me Ishmael.' };
  return { model_id: MODEL, version: '1.0.0', inputs, config: { max_length: 32, seed } };
}

interface Step {
  readonly rate: number;
  /** Milliseconds; without end where a request failed. */
  readonly p95: number;
}

type Steps = [Step[], Step[]];

/** Rates that grow until both are too slow; they take turns, so that noise meets both. */
async function climb(
  both: readonly [InferenceProcess, InferenceProcess],
  single: number,
): Promise<Steps> {
  const limit = Math.max(...PATIENCE) * single;
  const tries: Steps = [[], []];
  const isOut = (steps: readonly Step[]) =>
    steps.length >= MISSES && steps.slice(-MISSES).every(({ p95 }) => p95 > limit);
  for (let rate = 500 / single; !tries.every(isOut); rate *= STEP) {
    for (const [i, server] of both.entries()) {
      const steps = tries[i] as Step[];
      if (isOut(steps)) continue;
      const { times, failed } = await tryRate(server, rate);
      const p95 = failed > 0 ? Infinity : percentile(times, 0.95);
      note(`${i === 0 ? 'batch 1' : 'batching'} at ${rate.toFixed(1)}/s: p95 ${p95.toFixed(0)} ms`);
      steps.push({ rate, p95 });
    }
  }
  return tries;
}

/** The highest rate that keeps to the limit. */
function bestRate(steps: readonly Step[], limit: number): number {
  return Math.max(0, ...steps.filter(({ p95 }) => p95 <= limit).map(({ rate }) => rate));
}

async function measureStreams({ url }: InferenceProcess): Promise<void> {
  const count = Number(values.streams);
  const streams = await runStreams(`${url}/infer`, count, (seed) => ({
    ...requestOf(seed),
    stream: true,
    timeout_ms: 600_000,
  }));
  const whole = streams.filter(({ isWhole }) => isWhole).length;
  const firsts = streams.map(({ firstMs }) => firstMs);
  const ends = streams.map(({ endMs }) => endMs);
  note(
    `${whole} of ${count} streams ended whole; first character p50 ${percentile(firsts, 0.5).toFixed(0)} ms, ` +
      `last one to begin ${percentile(firsts, 1).toFixed(0)} ms; ended p50 ${percentile(ends, 0.5).toFixed(0)} ms, ` +
      `last ${percentile(ends, 1).toFixed(0)} ms`,
  );
}
