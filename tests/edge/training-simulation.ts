import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TERMINAL } from '../../edge/training/contract/job.ts';
import type { LeaseProof } from '../../edge/training/contract/trainer.ts';
import { dueAt, transition } from '../../edge/training/machine.ts';
import {
  type Command,
  type Effect,
  type JobPlan,
  type JobState,
  liveSeats,
  newJobState,
  type Transition,
} from '../../edge/training/state.ts';
import { beatOf, deltaOf, endOf, type How, leaseFor } from './training-commands.ts';

/**
 * Events of a job, in any order. Whoever ever held a lease may use it at any time: `who`
 * picks one of all leases that were given, so most of them are stale.
 */
type SimulatedEvent =
  | { readonly kind: 'lease' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'tick' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'due' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'beat'; readonly who: number; readonly runs: boolean; readonly more: number }
  | {
      readonly kind: 'commit';
      readonly who: number;
      readonly more: number;
      readonly behind: number;
    }
  | { readonly kind: 'end'; readonly who: number; readonly how: How }
  | {
      readonly kind: 'contribute';
      readonly who: number;
      readonly behind: number;
      readonly base: string;
    }
  | { readonly kind: 'leave'; readonly who: number }
  | { readonly kind: 'forge'; readonly who: number };

const who = fc.nat(30);
export const anyEvent: fc.Arbitrary<SimulatedEvent> = fc.oneof(
  { arbitrary: fc.constant({ kind: 'lease' } as const), weight: 6 },
  {
    arbitrary: fc.record({
      kind: fc.constant('beat' as const),
      who,
      runs: fc.boolean(),
      more: fc.nat(50),
    }),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      who,
      // A new leader may be behind what the one before it left.
      more: fc.integer({ min: -5, max: 20 }),
      behind: fc.constantFrom(0, 0, 1, 2),
    }),
    weight: 4,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      who,
      how: fc.constantFrom('completed', 'failed', 'retryable', 'killed', 'cancelled', 'released'),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('contribute' as const),
      who,
      behind: fc.constantFrom(0, 0, 0, 1, -1),
      base: fc.constantFrom('a', 'a', 'a', 'b'),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant('leave' as const), who }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('forge' as const), who }), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      { kind: 'cancel' } as const,
      { kind: 'tick' } as const,
      { kind: 'restart' } as const,
    ),
    weight: 1,
  },
  // Heartbeats in time, leases that just lapse, and a clock that jumps.
  {
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.nat(3000), fc.integer({ min: 9000, max: 11_000 }), fc.nat(100_000)),
    }),
    weight: 5,
  },
  // The alarm in time.
  { arbitrary: fc.constant({ kind: 'due' } as const), weight: 3 },
);

export const plan: fc.Arbitrary<JobPlan> = fc
  .record({ replicas: fc.constantFrom(1, 1, 2, 3), maxRecoveries: fc.nat(3) })
  .map(({ replicas, maxRecoveries }) => ({
    replicas,
    maxRecoveries,
    distributed: replicas === 1 ? null : DISTRIBUTED,
  }));

export const DISTRIBUTED = {
  local_steps: 50,
  outer_learning_rate: 0.7,
  outer_momentum: 0.9,
  quantisation: 'int8',
  straggler_timeout_s: 30,
} as const;

interface Given extends LeaseProof {
  readonly trainerId: string;
}

/** Plays a story with the machine and holds what it did against what must always be true. */
export class Simulation {
  now = 1_000_000;
  state: JobState;
  readonly given: Given[] = [];
  readonly live = new Set<number>();
  /** The newest checkpoint that was acknowledged. */
  newest = { round: 0, step: 0 };
  #committed = 0;
  #lastToken = 0;
  #lastClosed = 0;

  constructor(jobPlan: JobPlan) {
    this.state = newJobState(jobPlan, 100, this.now);
  }

  happen(what: SimulatedEvent): void {
    if (what.kind === 'wait') this.now += what.ms;
    if (what.kind === 'due') this.now = Math.max(this.now, dueAt(this.state) ?? this.now);
    const command = this.#commandOf(what);
    if (command) this.tell(command);
  }

  tell(command: Command): Transition {
    const before = this.state;
    const ticked = transition(before, { kind: 'tick' }, this.now);
    const done = transition(before, command, this.now);
    const proof =
      'proof' in command ? command.proof : command.kind === 'end' ? command.end : undefined;
    if (proof && !holds(ticked.state, proof)) {
      assert.equal(done.refusal?.code, 'stale_lease');
    }
    if (done.refusal) {
      assert.deepEqual(done.state, ticked.state);
      assert.deepEqual(done.effects, ticked.effects);
    } else if (command.kind === 'commit') this.#acknowledge(command.checkpoint);
    if (TERMINAL.has(before.status)) assert.equal(done.state, before);
    this.state = done.state;
    for (const effect of done.effects) this.#follow(effect);
    this.#check();
    return done;
  }

  #commandOf(what: SimulatedEvent): Command | undefined {
    switch (what.kind) {
      case 'lease':
        return leaseFor(this.given.length);
      case 'cancel':
      case 'restart':
        return { kind: what.kind };
      case 'tick':
      case 'wait':
      case 'due':
        return { kind: 'tick' };
      default: {
        const proof = this.given[what.who % Math.max(this.given.length, 1)];
        return proof && this.#shown(what, proof);
      }
    }
  }

  /** A command from somebody who presents a lease held now or earlier. */
  #shown(what: Extract<SimulatedEvent, { who: number }>, proof: Given): Command {
    const { rounds } = this.state;
    switch (what.kind) {
      case 'beat': {
        const phase = what.runs ? 'running' : 'validating';
        return beatOf(proof, phase, this.newest.step + what.more);
      }
      case 'commit':
        return this.#commitOf(proof, Math.max(0, this.newest.step + what.more), what.behind);
      case 'end':
        return { kind: 'end', end: endOf(proof, what.how) };
      case 'contribute':
        return deltaOf(proof, (rounds?.round ?? 1) - what.behind, what.base);
      case 'leave':
        return { kind: 'leave', trainerId: proof.trainerId };
      case 'forge':
        // The token of one lease with the id of another.
        return beatOf({ ...proof, fencing_token: proof.fencing_token + 1 }, 'running', 1);
    }
  }

  #commitOf(proof: LeaseProof, step: number, behind: number): Command {
    const { rounds } = this.state;
    const round = rounds ? Math.max(0, rounds.round - 1 - behind) : 0;
    const checkpoint = { id: `c${++this.#committed}`, step, round };
    return { kind: 'commit', proof, checkpoint, epoch: step / 10 };
  }

  #acknowledge({ round, step }: { round: number; step: number }): void {
    const { newest } = this;
    if (round > newest.round || (round === newest.round && step >= newest.step)) {
      this.newest = { round, step };
    }
  }

  #follow(effect: Effect): void {
    switch (effect.kind) {
      case 'attempt-begun': {
        const { leaseId, token, trainerId, fromStep } = effect.lease;
        assert.ok(token > this.#lastToken, 'a fencing token grows');
        assert.equal(fromStep, this.newest.step, 'it goes on from the newest checkpoint');
        this.#lastToken = token;
        this.given.push({ lease_id: leaseId, fencing_token: token, trainerId });
        this.live.add(token);
        return;
      }
      case 'attempt-ended':
        assert.ok(this.live.delete(effect.lease.token), 'an attempt ends once');
        return;
      case 'round-closed': {
        const { round, contributions } = effect.closed;
        const seats = contributions.map(({ seat }) => seat);
        assert.equal(round, this.#lastClosed + 1, 'no round is left out');
        assert.ok(seats.length > 0, 'a round has contributions');
        assert.deepEqual(
          seats,
          [...new Set(seats)].toSorted((a, b) => a - b),
        );
        this.#lastClosed = round;
        return;
      }
      case 'rounds-covered':
        if (TERMINAL.has(this.state.status)) return;
        assert.ok(effect.through <= this.newest.round, 'a round stays until a checkpoint has it');
    }
  }

  #check(): void {
    const { state } = this;
    const held = liveSeats(state).map(({ lease }) => lease.token);
    assert.deepEqual(new Set(held), this.live);
    assert.equal(held.length, this.live.size, 'a lease holds one seat');
    assert.ok(state.recoveries <= state.plan.maxRecoveries, 'recoveries are bounded');
    assert.equal(state.checkpoint?.step ?? 0, this.newest.step, 'no checkpoint is lost');
    assert.ok(state.progress.step >= this.newest.step, 'what is saved is reached');
    const isOver = TERMINAL.has(state.status);
    if (['validating', 'running', 'cancelling'].includes(state.status)) assert.ok(held.length > 0);
    if (state.status === 'queued' || isOver) assert.equal(held.length, 0);
    assert.equal(state.finishedAt !== null, isOver);
    if (!isOver) assert.ok((dueAt(state) ?? Infinity) > this.now, 'nothing is overdue');
  }
}

const holds = (state: JobState, { lease_id, fencing_token }: LeaseProof) =>
  liveSeats(state).some(({ lease }) => lease.leaseId === lease_id && lease.token === fencing_token);
