import { describe, expect, it } from 'vitest';
import { NodeTable } from '../../edge/discovery/contract/node-table.ts';
import { topologyOf, uiExportOf } from '../../edge/discovery/contract/node-views.ts';
import { ANNOUNCE } from '../../edge/discovery/contract/topics.ts';
import { bytes, START, Watched } from './watched-nodes.ts';

const HOUR = 3_600_000;

describe('a node', () => {
  it('is active with its first announcement or heartbeat', () => {
    const watched = new Watched();

    expect(watched.announce('a')).toEqual({ nodeId: 'a', from: 'unknown', to: 'active' });
    expect(watched.beat('b')).toEqual({ nodeId: 'b', from: 'unknown', to: 'active' });
    expect(watched.beat('b')).toBeUndefined();
  });

  it('is inactive after five seconds of silence, whoever looks or does not, and at once active again', () => {
    const watched = new Watched();
    watched.beat('a');

    watched.now += 4_999;
    expect([watched.status('a'), watched.table.sweep(watched.now)]).toEqual(['active', []]);
    watched.now += 1;
    expect(watched.status('a')).toBe('inactive');
    expect(watched.table.nextDue()).toBe(watched.now);
    expect(watched.table.sweep(watched.now)).toEqual([
      { nodeId: 'a', from: 'active', to: 'inactive' },
    ]);
    expect(watched.table.sweep(watched.now)).toEqual([]);

    expect(watched.beat('a')).toEqual({ nodeId: 'a', from: 'inactive', to: 'active' });
  });

  it('is inactive at once when it leaves, and what was sent before that changes nothing', () => {
    const watched = new Watched();
    watched.beat('a');
    const late = { timestamp: watched.now / 1000 };

    watched.now += 10;
    expect(watched.leave('a')).toEqual({ nodeId: 'a', from: 'active', to: 'inactive' });
    watched.beat('a', {}, late);
    expect(watched.status('a')).toBe('inactive');

    expect(watched.announce('a')).toMatchObject({ to: 'active' });
  });

  it('is forgotten after 72 hours', () => {
    const watched = new Watched();
    watched.beat('a');

    watched.now += 72 * HOUR - 1;
    watched.table.sweep(watched.now);
    expect(watched.status('a')).toBe('inactive');
    watched.now += 1;

    expect(watched.table.sweep(watched.now)).toEqual([
      { nodeId: 'a', from: 'inactive', to: 'forgotten' },
    ]);
    expect(watched.table.size).toBe(0);
  });

  it('is in error when it says so, and well again after two clean heartbeats', () => {
    const watched = new Watched();
    const after = (metadata: object) => {
      watched.now += 2_000;
      watched.beat('a', metadata);
      return watched.status('a');
    };

    expect([{}, { error: 'no GPU' }, {}, { error: 'no GPU' }, {}, {}].map(after)).toEqual([
      'active',
      'error',
      'error',
      'error',
      'error',
      'active',
    ]);
    watched.beat('b', { error: 'x' });
    watched.now += 5_000;
    expect(watched.status('b')).toBe('inactive');
  });

  it('is in error after three heartbeats in a row that are none', () => {
    const watched = new Watched();
    const wrong = [
      '{',
      '[]',
      '{"node_id":"b"}',
      JSON.stringify({ node_id: 'b', module_type: 'x', host: 'h', timestamp: 1 }),
    ];
    watched.beat('a');
    const statuses = wrong.slice(0, 3).map((text) => {
      watched.now += 2_000;
      watched.say('a', text);
      return watched.status('a');
    });

    expect(statuses).toEqual(['active', 'active', 'error']);
    expect(watched.say('nobody', '{')).toBeUndefined();
    expect(watched.table.size).toBe(1);
  });

  it('is in error after three heartbeats with next to nothing left', () => {
    const watched = new Watched();
    const statuses = [1, 2, 3].map(() => {
      watched.now += 2_000;
      watched.beat('a', { disk_percent: 99.9 });
      return watched.status('a');
    });

    expect(statuses).toEqual(['active', 'active', 'error']);
  });

  it('is processed in order: duplicate or overtaken messages are left out', () => {
    const watched = new Watched();
    watched.beat('a', { step_count: 1 });
    const sentAt = watched.now / 1000;
    watched.now += 2_000;
    watched.beat('a', { step_count: 2 });

    watched.now += 4_000;
    watched.beat('a', { step_count: 1 }, { timestamp: sentAt });
    watched.beat('a', { step_count: 2 }, { timestamp: sentAt + 2 });

    expect(watched.info('a')?.metadata).toMatchObject({ step_count: 2 });
    watched.now += 1_000;
    expect(watched.status('a')).toBe('inactive');
  });

  it('whose clock is put back is believed again before it counts as silent', () => {
    const watched = new Watched();
    watched.beat('a');
    for (let i = 0; i < 5; i++) {
      watched.now += 2_000;
      watched.beat('a', { step_count: i }, { timestamp: watched.now / 1000 - 20 });
      expect(watched.status('a')).toBe('active');
    }

    expect(watched.info('a')?.metadata).toMatchObject({ step_count: 4 });
  });

  it('whose clock is off by more than 30 s is believed nothing of the time, which is flagged', () => {
    const watched = new Watched();

    watched.beat('a', {}, { timestamp: START / 1000 - 31 });
    watched.beat('b', {}, { timestamp: START / 1000 - 29 });

    expect(watched.info('a')).toMatchObject({
      last_seen: START / 1000,
      metadata: { clock_skew: true },
    });
    expect(watched.info('b')).toMatchObject({ last_seen: START / 1000 - 29, status: 'active' });
    expect(watched.info('b')?.metadata).not.toHaveProperty('clock_skew');
  });

  it('is in the region it states, else in the one that received it', () => {
    const watched = new Watched();
    watched.announce('a', 'pfc', { region_id: 'oregon' });
    watched.beat('a');
    watched.beat('b');

    expect([watched.info('a')?.region_id, watched.info('b')?.region_id]).toEqual([
      'oregon',
      'tokyo',
    ]);
  });

  it('is one of so many at most', () => {
    const table = new NodeTable({ regionId: 'tokyo', maxNodes: 1 });
    const said = (id: string) => bytes({ node_id: id, module_type: 'm', host: 'h' });

    table.receive(ANNOUNCE, said('a'), START);
    table.receive(ANNOUNCE, said('b'), START);

    expect(table.size).toBe(1);
  });
});

describe('the health score', () => {
  // A9: 1 - (0.4 cpu + 0.4 memory + 0.2 disk) over what is reported, bounded by what is fullest.
  it.each([
    [{}, 1],
    [{ cpu_percent: 50, memory_percent: 50, disk_percent: 50 }, 0.5],
    [{ cpu_percent: 20 }, 0.8],
    [{ cpu_percent: 0, memory_percent: 0, disk_percent: 95 }, 0.405],
    [{ cpu_percent: 0, memory_percent: 0, disk_percent: 100 }, 0],
    [{ cpu_percent: 'high', memory_percent: 120 }, 1],
  ])('of %j is %d', (metadata, score) => {
    const watched = new Watched();
    watched.beat('a', metadata);

    expect(watched.info('a')?.health_score).toBe(score);
  });

  it('fades from two seconds of silence on, and is 0 at five', () => {
    const watched = new Watched();
    watched.beat('a');
    const scores = [2_000, 1_500, 1_500].map((ms) => {
      watched.now += ms;
      return watched.info('a')?.health_score;
    });

    expect(scores).toEqual([1, 0.5, 0]);
  });

  it('has phi beside it, which grows with an unusual silence', () => {
    const watched = new Watched();
    for (let i = 0; i < 20; i++) {
      watched.beat('a');
      watched.now += 2_000;
    }
    const phis = [0, 1_000, 1_000, 900].map((ms) => {
      watched.now += ms;
      return Number(watched.info('a')?.metadata['phi']);
    });

    expect(phis[0]).toBeLessThan(0.1);
    expect(phis.toSorted((a, b) => a - b)).toEqual(phis);
    expect(phis[3]).toBeGreaterThan(5);
  });
});

describe('views', () => {
  it('show what the dashboard lists', () => {
    const watched = new Watched();
    watched.beat('a', { step_count: 3 });
    watched.now += 1_250;
    watched.beat('b', { error: 'x' });

    const {
      nodes,
      summary,
      updated_at: at,
    } = uiExportOf(watched.table.infos(watched.now), watched.now);

    expect(nodes).toMatchObject([
      {
        node_id: 'a',
        type: 'visual',
        status: 'active',
        status_icon: '🟢',
        last_seen: '10:00:00',
        uptime: '1.3s ago',
      },
      { node_id: 'b', status: 'error', status_icon: '🔴', uptime: '0.0s ago' },
    ]);
    expect([summary, at]).toEqual([{ active: 1, inactive: 0, total: 2 }, '10:00:01']);
  });

  it('lead from each PFC to every other node, and to lang-main once more as the fallback', () => {
    const watched = new Watched();
    for (const [id, type] of [
      ['p', 'pfc'],
      ['l', 'lang-main'],
      ['v', 'visual'],
    ] as const)
      watched.announce(id, type);
    watched.leave('v');

    const { edges } = topologyOf(watched.table.infos(watched.now), watched.now);

    expect(edges.map(({ id, topic, status, weight }) => [id, topic, status, weight])).toEqual([
      ['p/l/routes_to', 'node/l/prompt', 'up', 1],
      ['p/l/fallback', 'pfc/text_prompt', 'up', 1],
      ['p/v/routes_to', 'node/v/prompt', 'down', 0],
    ]);
  });
});
