import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import type { NodeChange } from '../../edge/discovery/contract/node-table.ts';
import { START, Watched } from './watched-nodes.ts';

const ids = ['a', 'b', 'c'];
const ACTS = {
  beat: (watched: Watched, id: string) => watched.beat(id),
  announce: (watched: Watched, id: string) => watched.announce(id),
  error: (watched: Watched, id: string) => watched.beat(id, { error: 'x' }),
  old: (watched: Watched, id: string) => watched.beat(id, {}, { timestamp: START / 1000 - 20 }),
  nonsense: (watched: Watched, id: string) => watched.say(id, '?'),
  leave: (watched: Watched, id: string) => watched.leave(id),
} as const;

export const step = fc.record({
  id: fc.constantFrom(...ids),
  waitMs: fc.integer({ min: 0, max: 3_000 }),
  what: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])),
  isSwept: fc.boolean(),
});

/** Nodes, with an independent record of the reported changes and of the last heartbeats. */
export class Simulation {
  readonly watched = new Watched();
  readonly #told = new Map<string, string>();
  readonly #heardAt = new Map<string, number>();

  step({ id, waitMs, what, isSwept }: typeof step extends fc.Arbitrary<infer S> ? S : never): void {
    this.watched.now += waitMs;
    if (isSwept) this.sweep();
    this.#note(ACTS[what](this.watched, id));
    if (what === 'beat' || what === 'announce' || what === 'error')
      this.#heardAt.set(id, this.watched.now);
    if (what === 'leave') this.#heardAt.delete(id);
  }

  sweep(): void {
    const { table, now } = this.watched;
    const due = table.nextDue();
    const changes = table.sweep(now);
    equal(changes.length > 0, due <= now);
    for (const change of changes) this.#note(change);
  }

  /** Asserts the invariants. */
  check(): void {
    const infos = this.watched.table.infos(this.watched.now);
    equal(new Set(infos.map(({ node_id: id }) => id)).size, infos.length);
    const heardLately = [...this.#heardAt].filter(([, at]) => this.watched.now - at < 5_000);
    const silent = infos.filter(({ status }) => status === 'inactive').map(({ node_id: id }) => id);
    deepEqual(
      heardLately.map(([id]) => id).filter((id) => silent.includes(id)),
      [],
    );
    const apart = infos.filter(
      ({ node_id: id, status }) => status !== 'inactive' && status !== this.#told.get(id),
    );
    deepEqual(apart, []);
  }

  /** The last reported status of each node. */
  get told(): readonly string[] {
    return [...this.#told.values()];
  }

  /** Each change begins where the one before has ended. */
  #note(change: NodeChange | undefined): void {
    if (!change) return;
    equal(change.from, this.#told.get(change.nodeId) ?? 'unknown');
    this.#told.set(change.nodeId, change.to);
  }
}
