import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GeoWorld } from './geo-world.ts';

/** `SPIKEGRID_GEO_SEED` and `_PATH` replay what a failed run printed; `_RUNS` makes more of them. */
const SEED = Number(process.env['SPIKEGRID_GEO_SEED'] ?? 8);
const RUNS = Number(process.env['SPIKEGRID_GEO_RUNS'] ?? 60);
const PATH = process.env['SPIKEGRID_GEO_PATH'];

type SimulatedEvent =
  | { readonly kind: 'kill' | 'revive'; readonly node: number }
  | { readonly kind: 'cut' | 'heal' | 'maintain'; readonly region: number }
  | { readonly kind: 'cut-all' | 'heal-all' | 'restart' }
  | { readonly kind: 'ask'; readonly from: number; readonly to: number; readonly lateMs: number }
  | { readonly kind: 'wait'; readonly ms: number };

const region = fc.nat(4);
const anyEvent: fc.Arbitrary<SimulatedEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'revive'), node: fc.nat(14) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'heal'), region }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('maintain' as const), region }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('cut-all' as const, 'heal-all', 'restart'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      from: region,
      to: region,
      lateMs: fc.nat(9_000),
    }),
  },
  // Around the silence that counts, around the time to be stable, and long after it.
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.integer({ min: 1_000, max: 9_000 }),
        fc.integer({ min: 50_000, max: 75_000 }),
        fc.integer({ min: 80_000, max: 200_000 }),
      ),
    }),
  },
);

type One<K extends SimulatedEvent['kind']> = SimulatedEvent & { readonly kind: K };

const HAPPEN: { readonly [K in SimulatedEvent['kind']]: (world: GeoWorld, one: One<K>) => void } = {
  kill: (world, { node }) => setAlive(world, node, false),
  revive: (world, { node }) => setAlive(world, node, true),
  cut: (world, one) => void world.cutOff.add(idOf(world, one.region)),
  heal: (world, one) => void world.cutOff.delete(idOf(world, one.region)),
  maintain: (world, one) => world.maintain(idOf(world, one.region)),
  'cut-all': (world) => world.regionIds.forEach((id) => world.cutOff.add(id)),
  'heal-all': (world) => world.cutOff.clear(),
  restart: (world) => world.restart(),
  ask: (world, { from, to, lateMs }) => world.ask(idOf(world, from), idOf(world, to), lateMs),
  wait: (world, { ms }) => world.pass(ms),
};

const idOf = ({ regionIds }: GeoWorld, index: number) => regionIds[index % regionIds.length] ?? '';

function setAlive({ nodes }: GeoWorld, index: number, isAlive: boolean): void {
  const node = nodes[index % nodes.length];
  if (node) node.isAlive = isAlive;
}

function happen(world: GeoWorld, one: SimulatedEvent): void {
  // The table has a function for each kind, of that kind.
  const act = HAPPEN[one.kind] as (world: GeoWorld, one: SimulatedEvent) => void;
  act(world, one);
}

/** Everything works again for longer than any damping lasts. */
function recover(world: GeoWorld): void {
  world.cutOff.clear();
  for (const node of world.nodes) node.isAlive = true;
  for (const id of world.regionIds) {
    if (world.statusOf(id) === 'maintenance') world.maintain(id);
  }
  world.pass(17 * 60_000);
}

describe('regions under random failures, partitions, restarts and operators', () => {
  it('have one active region per epoch, fenced writes, damped flips, and recover', () => {
    const story = fc.record({
      nodes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 5 }),
      events: fc.array(anyEvent, { minLength: 5, maxLength: 40 }),
    });

    const holds = fc.property(story, ({ nodes, events }) => {
      const world = new GeoWorld(nodes);
      world.pass(5_000);
      for (const one of events) happen(world, one);
      recover(world);
      const populated = new Set(world.nodes.map(({ regionId }) => regionId));
      for (const id of populated) assert.equal(world.statusOf(id), 'online', id);
    });

    // A failure is printed with its seed and path, to be replayed by the variables above.
    fc.assert(holds, { seed: SEED, numRuns: RUNS, ...(PATH !== undefined && { path: PATH }) });
  });

  it('switches once within 9 s when the active region falls silent, and not back', () => {
    const world = new GeoWorld([2, 2, 2]);
    world.pass(10_000);
    const [first = '', second = ''] = world.regionIds;
    expect(world.state.active).toBe(first);

    world.cutOff.add(first);
    world.pass(9_000);

    expect(world.state).toMatchObject({ active: second, epoch: 2 });
    world.cutOff.delete(first);
    world.pass(200_000);
    expect(world.statusOf(first)).toBe('online');
    expect(world.state).toMatchObject({ active: second, epoch: 2 });
  });

  it('cools down between two automatic failovers', () => {
    const world = new GeoWorld([2, 2, 2, 2]);
    world.pass(10_000);
    const [first = '', second = '', third = ''] = world.regionIds;
    world.cutOff.add(first);
    world.pass(9_000);
    expect(world.state.active).toBe(second);

    world.cutOff.add(second);
    world.pass(45_000);
    expect([world.state.active, world.statusOf(second)]).toEqual([second, 'offline']);
    world.pass(15_000);

    expect(world.state).toMatchObject({ active: third, epoch: 3 });
  });

  it('takes nothing offline where most regions fall silent at once, and then does not know', () => {
    const world = new GeoWorld([2, 2, 2]);
    world.pass(10_000);
    const [first = '', second = '', third = ''] = world.regionIds;

    for (const id of [first, second]) world.cutOff.add(id);
    world.pass(60_000);

    expect(world.state).toMatchObject({ active: first, epoch: 1 });
    expect(world.state.suspectSince).not.toBeNull();
    expect([first, second, third].map((id) => world.statusOf(id))).toEqual(
      expect.arrayContaining(['online']),
    );
    expect(world.changes.filter(({ to }) => to === 'offline')).toEqual([]);
    world.pass(60_000);
    expect([first, second].map((id) => world.statusOf(id))).toEqual(['unknown', 'unknown']);
    world.cutOff.clear();
    world.pass(10_000);
    expect([first, second].map((id) => world.statusOf(id))).toEqual(['online', 'online']);
    expect(world.state.suspectSince).toBeNull();
  });

  it('makes a region that flaps wait ever longer, up to a quarter of an hour', () => {
    const world = new GeoWorld([1, 1, 1]);
    world.pass(10_000);
    const third = world.regionIds[2] ?? '';
    const waits: number[] = [];

    for (let i = 0; i < 8; i++) {
      world.cutOff.add(third);
      while (world.statusOf(third) !== 'offline') world.pass(1_000);
      const from = world.now;
      world.cutOff.delete(third);
      while (world.statusOf(third) !== 'online') world.pass(1_000);
      waits.push(Math.round((world.now - from) / 60_000));
    }

    expect(waits).toEqual([1, 1, 2, 4, 8, 15, 15, 15]);
  });
});
