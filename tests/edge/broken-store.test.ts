import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Health } from '../../edge/health/contract/health.ts';
import { type Edge, startEdge } from './harness.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-state-'));
const SERVICES = ['training', 'lm-training', 'edge-inference', 'registry', 'monitoring'] as const;
const CHECKED = ['/health', '/health/ready'];

describe('a service whose store is broken', () => {
  let edge: Edge;
  beforeAll(async () => {
    {
      await using sound = await startEdge({ stateDir });
      for (const service of SERVICES) await fetch(new URL('/health', sound[service]));
    }
    for (const path of readdirSync(stateDir, { recursive: true, encoding: 'utf8' })) {
      // The databases of our objects; the bucket keeps its own elsewhere.
      if (/^do\/.*[0-9a-f]{64}\.sqlite/.test(path)) {
        writeFileSync(join(stateDir, path), 'no database');
      }
    }
    // The runtime says so.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    edge = await startEdge({ stateDir });
  });
  afterAll(async () => {
    await edge[Symbol.asyncDispose]();
    vi.restoreAllMocks();
    rmSync(stateDir, { recursive: true });
  });

  const cases = SERVICES.flatMap((service) => CHECKED.map((path) => [service, path] as const));

  it.each(cases)('%s says at %s that it is unavailable, and lives', async (service, path) => {
    const answer = await fetch(new URL(path, edge[service]));
    const live = await fetch(new URL('/health/live', edge[service]));

    expect(answer.status).toBe(503);
    expect(Health.parse(await answer.json()).status).toBe('unavailable');
    expect(live.status).toBe(200);
  });

  it('leaves the gateway degraded', async () => {
    const answer = await fetch(new URL('/health', edge.gateway));

    expect(answer.status).toBe(200);
    expect(Health.parse(await answer.json()).status).toBe('degraded');
  });
});
