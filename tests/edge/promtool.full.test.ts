import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulesYaml } from '../../edge/alerts/rules-yaml.ts';
import { alertClient, FAST_ALERTS } from './alert-client.ts';
import { everyKind, shippedRules } from './alert-kinds.ts';
import { readMetrics } from './exposition-lint.ts';
import { type Edge, startEdge } from './harness.ts';
import { accepted, iso, MINUTE_MS, push, QUICK } from './metrics-harness.ts';
import { shopSamples } from './shop-samples.ts';

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

/** Not in one go with this process, which may be asked by the platform meanwhile. */
async function promtool(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('promtool', args);
  child.stdin.end(input);
  const [[code], ...said] = await Promise.all([
    once(child, 'close'),
    text(child.stderr),
    text(child.stdout),
  ]);
  return `${code === 0 ? '' : `status ${code}\n`}${said.join('')}`;
}

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-rules-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Has promtool check a file of rules, and returns its output. */
function checkRules(yaml: string): Promise<string> {
  const path = join(folder, 'rules.yaml');
  writeFileSync(path, yaml);
  return promtool(['check', 'rules', path]);
}

describe.skipIf(!hasPromtool)('promtool (of the package prometheus)', () => {
  let edge: Edge;
  /** A whole minute that is over, from which on all samples lie. */
  const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS;
  const at = (minute: number) => start + minute * MINUTE_MS;
  beforeAll(async () => {
    edge = await startEdge({ vars: { ...QUICK.vars, ...FAST_ALERTS } });
    expect((await accepted(push(edge, 'shop', shopSamples(at)))).rejected).toBe(0);
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  it('takes the rules of each kind, and those that are shipped', async () => {
    for (const rules of [everyKind, shippedRules]) {
      const told = await checkRules(rulesYaml(rules));

      expect(told).toContain(`${rules.length} rules found`);
      expect(told).not.toContain('status ');
    }
  });

  it('takes the rules as a platform exports them', async () => {
    const alerts = alertClient(edge.monitoring);
    await alerts.addRule({ name: 'AnyQuery', expr: 'topk(3, up offset 5m) or absent(up)' });

    const answer = await fetch(new URL('/alerts/rules.yaml', edge.monitoring));

    expect(await checkRules(await answer.text())).toContain('rules found');
  });

  it('can ask', async () => {
    const query = 'sum by (kind) (shop_orders_total)';

    const told = await promtool([
      ...['query', 'instant', '--time', iso(at(10)), edge.monitoring.origin, query],
    ]);

    expect(told).toContain('{kind="toy"} => 1200 @');
  });

  it('finds no fault in what the services measure', async () => {
    await fetch(new URL('/health', edge.monitoring));
    await expect.poll(() => readMetrics(edge.monitoring)).toContain('http_requests_total{');

    expect(await promtool(['check', 'metrics'], await readMetrics(edge.monitoring))).toBe('');
  });
});
