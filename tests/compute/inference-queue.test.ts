import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import type { InferRequestInput } from '../../edge/inference/contract/infer.ts';
import { monitoringEndpoints } from '../../edge/monitoring/endpoints.ts';
import {
  asking,
  BATCHING,
  eventually,
  type InferencePlatform,
  problemOf,
  type Served,
  startInferencePlatform,
} from './inference-platform.ts';

let platform: InferencePlatform;
beforeAll(async () => {
  platform = await startInferencePlatform();
  await platform.register('fox');
});
afterAll(() => platform.end());

const AGES = 100_000;

/** One text at a time, and so many that may wait. */
const narrow = (maxQueueSize: number) =>
  platform.serve({ batching: { ...BATCHING, maxBatchSize: 1, maxQueueSize } });

/** A text that takes ages, streamed: it has its place once this settles. */
async function occupy({ ask }: Served): Promise<{ leave(): Promise<void> }> {
  const gone = new AbortController();
  const request = { ...asking('fox', AGES), stream: true };
  const answer = await ask(request, { signal: gone.signal });
  const reader = answer.body!.getReader();
  await reader.read();
  return {
    async leave() {
      gone.abort();
      await reader.closed.catch(() => {});
    },
  };
}

describe('a server that is busy', () => {
  it('gives the place of one who hangs up to the next', async () => {
    const served = await narrow(8);
    const first = await occupy(served);
    const second = served.infer(asking('fox', 3));

    await first.leave();

    expect((await second).finish_reason).toBe('length');
  });

  it('gives the place of one who hangs up before his answer to the next', async () => {
    const served = await narrow(8);
    await served.infer(asking('fox', 1));
    const gone = new AbortController();
    const first = served.ask(asking('fox', AGES), { signal: gone.signal });
    const refused = first.then(
      () => 'answered',
      () => 'aborted',
    );
    // It is the first in line.
    await eventually(async () => expect(await usesOf(served)).toBe(2));
    const second = served.infer(asking('fox', 3));

    gone.abort();

    expect(await refused).toBe('aborted');
    expect((await second).finish_reason).toBe('length');
  });

  it('refuses with 429 what does not fit into its queue, and says when to come back', async () => {
    const served = await narrow(1);
    const first = await occupy(served);
    const second = served.infer(asking('fox', 3));
    await eventually(async () => expect(await usesOf(served)).toBe(2));

    const third = await served.ask(asking('fox', 3));

    expect(third.headers.get('retry-after')).toBe('1');
    expect(await problemOf(third)).toMatchObject({ status: 429, code: 'rate_limited' });
    await first.leave();
    await second;
  });

  it('takes the higher priority first, and who came first among equals', async () => {
    const served = await narrow(8);
    const first = await occupy(served);
    const order: string[] = [];
    const asked = [];
    for (const [i, priority] of [0, 5, 9, 5].entries()) {
      asked.push(
        served.infer({ ...asking('fox', 2), priority }).then(() => order.push(`${priority}#${i}`)),
      );
      await eventually(async () => expect(await usesOf(served)).toBe(2 + i));
    }

    await first.leave();
    await Promise.all(asked);

    expect(order).toEqual(['9#2', '5#1', '5#3', '0#0']);
  });

  it('refuses what is late with 504, while it waits and while it is written', async () => {
    const served = await narrow(8);
    const written = await served.ask({ ...asking('fox', AGES), timeout_ms: 100 });
    const first = await occupy(served);
    const waiting = await served.ask({ ...asking('fox', 1), timeout_ms: 100 });

    expect(await problemOf(written)).toMatchObject({ status: 504, code: 'upstream_timeout' });
    expect(await problemOf(waiting)).toMatchObject({ status: 504, code: 'upstream_timeout' });
    await first.leave();
    expect((await served.infer(asking('fox', 1))).finish_reason).toBe('length');
  });

  it('completes late requests where configured to', async () => {
    const batching = { ...BATCHING, timeout_action: 'continue' } as const;
    const served = await platform.serve({ batching });

    const answer = await served.infer({ ...asking('fox', 200), timeout_ms: 1 });

    expect(answer.usage.completion_tokens).toBe(200);
  });

  it('waits for company where it may, and reads both together from the first token on', async () => {
    const batching = { ...BATCHING, maxQueueDelayUs: 400_000 };
    const served = await platform.serve({ batching });
    const config = await (await fetch(`${served.base}/config`)).json();

    const [a, b] = await Promise.all([
      served.infer(asking('fox', 1)),
      served.infer(asking('fox', 1)),
    ]);

    expect([a.batch.size, b.batch.size]).toEqual([2, 2]);
    expect(config).toEqual({
      max_batch_size: 8,
      max_queue_delay_us: 400_000,
      max_queue_size: 64,
      timeout_action: 'reject',
      priority_levels: 10,
      adaptive: true,
    });
  });
});

describe('a server that stops', () => {
  it('answers what is under way, refuses what comes, and says so', async () => {
    const served = await platform.serve();
    const kept = await keptConnection(served);
    const underWay = served.infer(asking('fox', 4000));
    await eventually(async () => expect(await usesOf(served)).toBe(1));

    const closed = served.server.close();
    const refused = await kept(asking('fox', 1));

    expect(refused).toMatchObject({ status: 503, code: 'draining' });
    expect((await underWay).usage.completion_tokens).toBe(4000);
    await closed;
    await expect(fetch(`${served.base}/health`)).rejects.toThrow('fetch failed');
  });
});

describe('several engines behind one port', () => {
  it('write different texts at once, each its own', async () => {
    const served = await platform.serve({ workers: 2, batching: { ...BATCHING, maxBatchSize: 1 } });
    const seeds = [1, 2, 3, 4];
    const together = await Promise.all(
      seeds.map((seed) => served.infer(asking('fox', 50, { seed }))),
    );
    const alone = [];
    for (const seed of seeds) alone.push(await served.infer(asking('fox', 50, { seed })));

    expect(together.map(({ outputs }) => outputs)).toEqual(alone.map(({ outputs }) => outputs));
    expect(new Set(together.map(({ batch }) => batch.size))).toEqual(new Set([1]));
  });

  it('report their generated tokens to monitoring', async () => {
    const served = await platform.serve({ workers: 2 });
    await served.infer(asking('fox', 17));
    const monitoring = openHttp({ base: `${platform.gateway}/monitoring` });
    const instance = `127.0.0.1:${served.server.port}`;

    await eventually(async () => {
      // Requests bring reports; the one under way may still be that of a server before, in this very process.
      await fetch(`${served.base}/health/live`);
      const { body } = await callEndpoint(monitoring, monitoringEndpoints.getServiceMetrics, {
        params: { service: 'inference' },
        query: { name: 'inference_tokens_total' },
      });
      const own = body.series.find(({ labels }) => labels['instance'] === instance);
      expect(own?.last).toBe(17);
    }, 500);
  });
});

/** How many requests have been let in to the model so far. */
async function usesOf({ base }: Served): Promise<number> {
  const { models } = (await (await fetch(`${base}/models`)).json()) as {
    models: { requests: number }[];
  };
  return models[0]?.requests ?? 0;
}

/** A connection that is open already: a request on it needs no new one. */
async function keptConnection({ base }: Served) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, body?: InferRequestInput) =>
    new Promise<{ status: number; code: unknown }>((resolve, reject) => {
      const method = body ? 'POST' : 'GET';
      const headers = { 'content-type': 'application/json' };
      const asked = httpRequest(base + path, { agent, method, headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, code: JSON.parse(text).code }),
        );
      });
      asked.on('error', reject);
      asked.end(body && JSON.stringify(body));
    });
  await send('/health/live');
  return (body: InferRequestInput) => send('/infer', body);
}
