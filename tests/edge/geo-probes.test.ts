import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeIndex, type StoredNode } from '../../edge/geo/node-index.ts';
import { NodeTargets, type ProbeResult, probeRound } from '../../edge/geo/probes.ts';
import { type Health, newHealth, observe } from '../../edge/geo/region-health.ts';

const REGION = 'ap-northeast-1';
const BEAT_MS = 2_000;

const nodeOf = (index: number, hasHeartbeats: boolean): StoredNode => ({
  seq: index,
  node_id: `node-${index}`,
  region_id: REGION,
  endpoint: `10.0.0.${index}:8002`,
  node_type: 'general',
  registeredAt: 0,
  lastSeen: 0,
  hasHeartbeats,
  isRegistered: true,
  ...{ owner: 'local', team: 'default', sender: null },
});

/** Numbers in [0, 1) that a property chose, over and over. */
function randomFrom(numbers: readonly number[]) {
  let i = 0;
  return () => (numbers[i++ % numbers.length] ?? 0) / 2 ** 16;
}

const numbers = fc.array(fc.nat(2 ** 16 - 1), { minLength: 7, maxLength: 50 });

/** Observations at a region every second and probes it every two, for as long as asked. */
async function live(isAlive: readonly boolean[], random: () => number, seconds: number) {
  const nodes = isAlive.map((_, i) => nodeOf(i, true));
  const repository = new NodeIndex(nodes, 0);
  const seen: { health: Health; now: number }[] = [];
  let health = newHealth(0);
  const isDead = ({ seq }: StoredNode) => !isAlive[seq];
  for (let now = 1_000; now <= seconds * 1_000; now += 1_000) {
    if (now % BEAT_MS === 0) {
      for (const node of nodes)
        if (!isDead(node)) repository.recordHeartbeat(node.node_id, { at: now, sender: 'local' });
    }
    const found = [repository.silenceOf(REGION, now)];
    if (now % BEAT_MS === 0) {
      found.push(repository.heartbeatsOf(REGION, now));
      const { sent, failed } = await probeRound(nodes, {
        isHeard: ({ node_id }) => repository.isActive(node_id, now),
        ask: (node) =>
          Promise.resolve<ProbeResult>({ kind: isDead(node) ? 'failed' : 'not-asked' }),
        random,
        wait: () => Promise.resolve(),
      });
      const fresh = repository.freshIn(REGION, now);
      found.push({ kind: 'probes', sent, failed, fresh, nodes: nodes.length });
    }
    for (const one of found) if (one) health = observe(health, one, now);
    seen.push({ health, now });
  }
  return seen;
}

const region = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.nat(20), numbers)
  .map(([count, dead, drawn]) => ({
    isAlive: Array.from({ length: count }, (_, i) => i >= dead),
    drawn,
  }));

describe('a region that is probed', () => {
  it('is never offline while a third of its nodes send heartbeats, whichever are drawn', async () => {
    const holds = fc.asyncProperty(region, async ({ isAlive, drawn }) => {
      const alive = isAlive.filter((one) => one).length;
      fc.pre(alive * 3 >= isAlive.length && alive > 0);
      for (const { health } of await live(isAlive, randomFrom(drawn), 60)) {
        assert.notEqual(health.status, 'offline', health.reason);
      }
    });

    await fc.assert(holds, { seed: 16, numRuns: 100 });
  });

  it('is offline 8 s after the last heartbeat at most, once all its nodes are dead', async () => {
    const holds = fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      numbers,
      async (count, drawn) => {
        const seen = await live(
          Array.from({ length: count }, () => false),
          randomFrom(drawn),
          8,
        );
        assert.equal(seen.at(-1)?.health.status, 'offline');
      },
    );

    await fc.assert(holds, { seed: 16, numRuns: 50 });
  });
});

describe('a round of probes', () => {
  const round = async (
    nodes: readonly StoredNode[],
    random: () => number,
    answer: ProbeResult = { kind: 'failed' },
  ) => {
    const asked: string[] = [];
    const found = await probeRound(nodes, {
      isHeard: () => false,
      ask: ({ node_id }) => {
        asked.push(node_id);
        return Promise.resolve<ProbeResult>(answer);
      },
      random,
      wait: () => Promise.resolve(),
    });
    return { asked, found };
  };

  it('draws three of all nodes, none twice, and each in its turn', async () => {
    const nodes = Array.from({ length: 10 }, (_, i) => nodeOf(i, true));
    const everAsked = new Set<string>();
    const holds = fc.asyncProperty(numbers, async (drawn) => {
      const { asked } = await round(nodes, randomFrom(drawn));
      assert.equal(new Set(asked).size, 3);
      for (const id of asked) everAsked.add(id);
    });

    await fc.assert(holds, { seed: 16, numRuns: 100 });

    expect(everAsked.size).toBe(10);
  });

  it('judges nodes that may not be probed by their heartbeats', async () => {
    const { found } = await round([nodeOf(0, true)], () => 0, { kind: 'not-asked' });

    expect(found).toMatchObject({ sent: 0, failed: 0 });
  });

  it('probes the same nodes again where there are fewer than three', async () => {
    const { asked } = await round([nodeOf(0, true), nodeOf(1, true)], () => 0);

    expect(asked).toEqual(['node-0', 'node-1', 'node-0']);
  });
});

describe('a node that nobody may probe', () => {
  const forbidden = () => false;

  it('is offline once it sent no heartbeat for 5 s, and says that it is not probed', () => {
    const repository = new NodeIndex([nodeOf(0, false)], 0, forbidden);

    expect(repository.statusOf('node-0', null, 5_000)).toBe('online');
    expect(repository.statusOf('node-0', null, 5_001)).toBe('offline');
    expect(repository.probeOf('node-0')).toBe('not probed');
    expect(repository.silenceOf(REGION, 5_001)).toEqual({ kind: 'silence', silentMs: 5_001 });
    repository.recordHeartbeat('node-0', { at: 6_000, sender: 'local' });
    expect(repository.statusOf('node-0', null, 6_001)).toBe('online');
  });

  it('is waited for where others answer probes', () => {
    const repository = new NodeIndex([nodeOf(0, true)], 0);
    repository.add(nodeOf(1, false));
    repository.probed('node-1', 12, 9_000);

    expect(repository.probeOf('node-1')).toBe('answered');
    expect(repository.statusOf('node-1', null, 60_000)).toBe('online');
    expect(repository.silenceOf(REGION, 60_000)).toMatchObject({ silentMs: 0 });
  });
});

describe('the endpoint of a node', () => {
  const targets = new NodeTargets(['*', '127.0.0.0/8'], ['10.0.0.0/8']);
  const urlOf = (endpoint: string, isRegistered: boolean) =>
    targets.urlOf({ endpoint, isRegistered });

  it('is probed where an administrator registered it, within the list of all targets', () => {
    expect(urlOf('127.0.0.1:9', true)).toBe('http://127.0.0.1:9');
    expect(urlOf('10.0.0.1:9', true)).toBeUndefined();
  });

  it('is probed where the node announced it only within a list of its own', () => {
    expect(urlOf('127.0.0.1:9', false)).toBeUndefined();
    expect(urlOf('node.example.com:9', false)).toBeUndefined();
    expect(urlOf('10.0.0.1:9', false)).toBe('http://10.0.0.1:9');
  });
});
