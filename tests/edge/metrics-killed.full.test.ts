import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from './harness.ts';
import { accepted, metricsOf, metricsUrl, push, sumOf } from './metrics-harness.ts';

/** Blocks are not written before this test is over: what is there afterwards was in the journal. */
const LATER = { vars: { METRICS_FLUSH_MS: 3_600_000 } };

let stateDir: string;
beforeAll(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-metrics-'));
});
afterAll(() => rmSync(stateDir, { recursive: true }));

/** Ends workerd with SIGKILL and starts it again on the same state. */
async function killed(edge: Edge): Promise<Edge> {
  await edge[Symbol.asyncDispose]();
  return startEdge({ stateDir, ...LATER });
}

/** Rows stored while the platform is down. */
function countOf(table: 'blocks' | 'journal'): number {
  const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' });
  const [path = ''] = files.filter((name) => /Monitoring\/[0-9a-f]{64}\.sqlite$/.test(name));
  using database = new DatabaseSync(join(stateDir, path));
  return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
}

const total = (value: number, name = 'jobs_total') => ({ name, type: 'counter', value });

describe('metrics that were acknowledged', () => {
  it('are there when workerd is killed right after, of every form', async () => {
    let edge = await startEdge({ stateDir, ...LATER });
    const histogram = { name: 'wait_seconds', type: 'histogram', count: 3, sum: 4 };
    const buckets = [
      { le: 1, count: 1 },
      { le: '+Inf', count: 3 },
    ];
    const old = { ...total(1), timestamp: new Date(Date.now() - 20_000).toISOString() };
    await accepted(push(edge, 'shop', [old, total(7), { ...histogram, buckets }]));
    const text = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'depth 5\n' };
    await accepted(fetch(metricsUrl(edge, '?service_name=text'), text));

    edge = await killed(edge);

    const { series } = await metricsOf(edge, 'shop', { step: '3600' });
    expect(series.map(({ name, last }) => [name, last])).toEqual([
      ['jobs_total', 7],
      ['wait_seconds', expect.anything()],
    ]);
    const rise = await metricsOf(edge, 'shop', { name: 'jobs_total', agg: 'increase' });
    expect(sumOf(rise.series[0])).toBe(6);
    expect((await metricsOf(edge, 'text')).series).toMatchObject([{ name: 'depth', last: 5 }]);

    // Once recovered they are where all others are, and stay there.
    await accepted(push(edge, 'shop', [total(9)]));
    await edge[Symbol.asyncDispose]();
    expect(countOf('blocks')).toBeGreaterThan(0);
    expect(countOf('journal')).toBe(1);
    edge = await startEdge({ stateDir, ...LATER });
    const again = await metricsOf(edge, 'shop', { name: 'jobs_total', agg: 'increase' });
    expect(sumOf(again.series[0])).toBe(8);
    expect(again.series[0]?.last).toBe(9);
    await edge[Symbol.asyncDispose]();
    expect(countOf('journal')).toBe(0);
  }, 90_000);

  it('are all there when it is killed in the middle of pushes, three times', async () => {
    const pushers = 8;
    const acknowledged = Array.from({ length: pushers }, () => 0);
    let edge = await startEdge({ stateDir, ...LATER });
    for (let round = 0; round < 3; round++) {
      const enough = Promise.withResolvers<void>();
      const goal = Math.max(...acknowledged) + 10;
      const running = acknowledged.map(async (before, i) => {
        for (let value = before + 1; ; value++) {
          // Refused once it is killed.
          const answer = await push(edge, 'steady', [total(value, `p${i}_total`)]).catch(() => {});
          if (answer?.status !== 202) return;
          acknowledged[i] = value;
          if (value >= goal) enough.resolve();
        }
      });
      await enough.promise;
      edge = await killed(edge);
      await Promise.all(running);

      const { series } = await metricsOf(edge, 'steady');
      const kept = series.map(({ last }) => Number(last));
      expect(kept).toHaveLength(pushers);
      // One more may have been written without an acknowledgement.
      for (const [i, value] of acknowledged.entries()) {
        expect([value, value + 1]).toContain(kept[i]);
        acknowledged[i] = kept[i]!;
      }
    }
    await edge[Symbol.asyncDispose]();
  }, 90_000);

  it('wait for nobody who has left', async () => {
    const edge = await startEdge({ stateDir, ...LATER });
    const body = JSON.stringify({ service_name: 'left', metrics: [total(1)] });
    const { hostname, port, host } = metricsUrl(edge);

    for (let round = 0; round < 20; round++) {
      // The first of a moment starts the write that all of it wait for.
      const leaving = connect(Number(port), hostname);
      await once(leaving, 'connect');
      const head = `Host: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      await new Promise((resolve) =>
        leaving.write(`POST /metrics HTTP/1.1\r\n${head}\r\n\r\n${body}`, resolve),
      );
      const stays = accepted(push(edge, 'stays', [total(round)]));
      leaving.resetAndDestroy();

      expect(await stays).toMatchObject({ accepted: 1 });
    }
    await edge[Symbol.asyncDispose]();
  });
});
