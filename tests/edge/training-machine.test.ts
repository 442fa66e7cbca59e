import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TERMINAL } from '../../edge/training/contract/job.ts';
import { liveSeats, type Transition } from '../../edge/training/state.ts';
import { beatOf, deltaOf, endOf, leaseFor } from './training-commands.ts';
import { anyEvent, DISTRIBUTED, plan, Simulation } from './training-simulation.ts';

const RUNS = Number(process.env['RUNS'] ?? 2000);
/** A seed that failed is printed with what happened; SEED=… plays it again. */
const seed = Number(process.env['SEED'] ?? 11);

describe('the machine of a job', () => {
  it('holds its invariants whatever happens in whatever order', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(plan, fc.array(anyEvent, { maxLength: 120, size: 'max' }), (jobPlan, story) => {
        const simulation = new Simulation(jobPlan);
        for (const what of story) {
          simulation.happen(what);
          seen.add(simulation.state.status);
        }
      }),
      { seed, numRuns: RUNS },
    );
    // Otherwise the stories would say little.
    expect([...seen].toSorted()).toEqual([
      'cancelled',
      'cancelling',
      'failed',
      'queued',
      'recovering',
      'running',
      'succeeded',
      'validating',
    ]);
  });

  it('ends every job that is looked after, however often its trainers are lost', () => {
    fc.assert(
      fc.property(plan, fc.array(anyEvent, { maxLength: 60 }), (jobPlan, story) => {
        const simulation = new Simulation(jobPlan);
        for (const what of story) simulation.happen(what);

        // From now on trainers take every seat, beat and complete.
        for (let turn = 0; turn < 20 && !TERMINAL.has(simulation.state.status); turn++) {
          simulation.tell(leaseFor(simulation.given.length));
          const [leader] = liveSeats(simulation.state);
          if (!leader) continue;
          const proof = { lease_id: leader.lease.leaseId, fencing_token: leader.lease.token };
          simulation.tell(beatOf(proof, 'running', 100));
          simulation.tell({ kind: 'end', end: endOf(proof, 'completed') });
        }

        expect(TERMINAL).toContain(simulation.state.status);
      }),
      { seed, numRuns: RUNS },
    );
  });
});

describe('a job that is lost', () => {
  it('fails once it may not recover any more, after the lease that followed the last recovery', () => {
    const simulation = new Simulation({ replicas: 1, maxRecoveries: 3, distributed: null });
    const seen = [1, 2, 3, 4].map(() => {
      simulation.tell(leaseFor(simulation.given.length));
      simulation.tell(beatOf(simulation.given.at(-1)!, 'running', 1));
      simulation.happen({ kind: 'due' });
      return simulation.state.status;
    });

    expect(seen).toEqual(['recovering', 'recovering', 'recovering', 'failed']);
    expect(simulation.state.error?.code).toBe('worker_lost');
  });

  it('loses nothing by leases that nobody got, but for a job that its trainers die of', () => {
    const simulation = new Simulation({ replicas: 1, maxRecoveries: 0, distributed: null });
    const seen = [1, 2, 3, 4, 5, 6].map(() => {
      simulation.tell(leaseFor(simulation.given.length));
      simulation.happen({ kind: 'due' });
      return simulation.state.status;
    });

    expect(seen).toEqual(['queued', 'queued', 'queued', 'queued', 'queued', 'failed']);
  });

  it('is not lost for what a clock that jumped, or a platform that stood still, let lapse', () => {
    const simulation = new Simulation({ replicas: 1, maxRecoveries: 0, distributed: null });
    simulation.tell(leaseFor(0));
    simulation.tell(beatOf(simulation.given[0]!, 'running', 5));
    simulation.happen({ kind: 'wait', ms: 60_000 });

    const { refusal } = simulation.tell(beatOf(simulation.given[0]!, 'running', 6));

    expect(refusal).toBeNull();
    expect(simulation.state).toMatchObject({ status: 'running', recoveries: 0 });
  });
});

describe('a service that starts again', () => {
  const beating = () => {
    const simulation = new Simulation({ replicas: 1, maxRecoveries: 0, distributed: null });
    simulation.tell(leaseFor(0));
    simulation.tell(beatOf(simulation.given[0]!, 'running', 5));
    return simulation;
  };

  // Down for so long that leases ended just before it is back, or end before their trainers notice.
  it.each([9000, 11_000, 19_000])('gives leases their time anew after %i ms', (ms) => {
    const simulation = beating();
    simulation.now += ms;

    simulation.tell({ kind: 'restart' });
    simulation.happen({ kind: 'wait', ms: 9000 });
    const { refusal } = simulation.tell(beatOf(simulation.given[0]!, 'running', 6));

    expect(refusal).toBeNull();
    expect(simulation.state).toMatchObject({ status: 'running', recoveries: 0 });
  });

  it('loses a trainer that is silent all the same, however often it starts', () => {
    const simulation = beating();
    simulation.now += 5000;
    simulation.tell({ kind: 'restart' });
    simulation.now += 10_000;
    simulation.tell({ kind: 'restart' });

    simulation.happen({ kind: 'due' });

    expect(simulation.state).toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
  });
});

describe('the progress of a job', () => {
  const saved = { id: 'c1', step: 40, round: 0 };

  it('has reached what a checkpoint saves, whatever delayed heartbeats report', () => {
    const simulation = new Simulation({ replicas: 1, maxRecoveries: 0, distributed: null });
    simulation.tell(leaseFor(0));
    const proof = simulation.given[0]!;
    simulation.tell(beatOf(proof, 'running', 5));

    simulation.tell({ kind: 'commit', proof, checkpoint: saved, epoch: 0.5 });
    simulation.tell(beatOf(proof, 'running', 39));
    const then = simulation.state.progress;
    simulation.tell(beatOf(proof, 'running', 41));

    expect(then).toMatchObject({ step: 40, epoch: 0.5, percent: 40 });
    expect(simulation.state.progress.step).toBe(41);
  });
});

describe('a job whose process was killed', () => {
  it('recovers as often as it may', () => {
    const simulation = new Simulation({ replicas: 1, maxRecoveries: 1, distributed: null });
    const seen = [0, 1].map((n) => {
      simulation.tell(leaseFor(n));
      const proof = simulation.given.at(-1)!;
      simulation.tell(beatOf(proof, 'running', 1));
      simulation.tell({ kind: 'end', end: endOf(proof, 'killed') });
      return simulation.state.status;
    });

    expect(seen).toEqual(['recovering', 'failed']);
    expect(simulation.state.error?.code).toBe('worker_lost');
  });
});

describe('a job with three seats', () => {
  const begun = () => {
    const simulation = new Simulation({ replicas: 3, maxRecoveries: 1, distributed: DISTRIBUTED });
    for (const n of [0, 1, 2]) {
      simulation.tell(leaseFor(n));
      simulation.tell(beatOf(simulation.given[n]!, 'running', 1));
    }
    return simulation;
  };
  const closed = ({ effects }: Transition) =>
    effects.flatMap((effect) =>
      effect.kind === 'round-closed' ? effect.closed.contributions.map(({ seat }) => seat) : [],
    );

  it('closes a round once all members contributed, in the order of their seats', () => {
    const simulation = begun();
    const [zero, one, two] = simulation.given;

    simulation.tell(deltaOf(two!, 1, 'a'));
    simulation.tell(deltaOf(zero!, 1, 'a'));
    const last = simulation.tell(deltaOf(one!, 1, 'a'));
    const late = simulation.tell(deltaOf(zero!, 1, 'a'));

    expect(closed(last)).toEqual([0, 1, 2]);
    expect(last.effects).toContainEqual(
      expect.objectContaining({
        message: 'round 1: 3 of 3 members, 84 kB sent instead of 336 kB',
      }),
    );
    expect(late.refusal?.code).toBe('stale_round');
    expect(simulation.state.rounds).toMatchObject({ round: 2, bytesSent: 84_000 });
  });

  it('closes a round without a straggler, and counts him again in the next', () => {
    const simulation = begun();
    const [zero, one, two] = simulation.given;
    simulation.tell(deltaOf(zero!, 1, 'a'));
    simulation.tell(deltaOf(one!, 1, 'a'));
    for (let s = 0; s < 28; s += 2) {
      simulation.now += 2000;
      for (const proof of simulation.given) simulation.tell(beatOf(proof, 'running', 2));
    }
    expect(simulation.state.rounds?.round).toBe(1);

    simulation.now += 2000;
    const due = simulation.tell({ kind: 'tick' });
    simulation.tell(deltaOf(two!, 2, 'a'));
    simulation.tell(deltaOf(zero!, 2, 'a'));
    const next = simulation.tell(deltaOf(one!, 2, 'a'));

    expect(closed(due)).toEqual([0, 1]);
    expect(closed(next)).toEqual([0, 1, 2]);
  });

  it('runs on without a member that was lost, and gives the seat to another', () => {
    const simulation = begun();
    const [zero, one] = simulation.given;
    simulation.tell(deltaOf(zero!, 1, 'a'));
    simulation.tell(deltaOf(one!, 1, 'a'));
    simulation.now += 9000;
    simulation.tell(beatOf(zero!, 'running', 3));
    simulation.tell(beatOf(one!, 'running', 3));

    simulation.now += 1500;
    const lost = simulation.tell({ kind: 'tick' });
    simulation.tell(leaseFor(3));

    expect(closed(lost)).toEqual([0, 1]);
    expect(simulation.state).toMatchObject({ status: 'running', recoveries: 0 });
    expect(liveSeats(simulation.state).map(({ seat, lease }) => [seat, lease.token])).toEqual([
      [0, 1],
      [1, 2],
      [2, 4],
    ]);
  });

  it('goes by the parameters of the leader where members differ', () => {
    const simulation = begun();
    const [zero, one, two] = simulation.given;
    simulation.tell(deltaOf(one!, 1, 'b'));
    const refused = simulation.tell(deltaOf(two!, 1, 'a'));
    simulation.tell(deltaOf(zero!, 1, 'a'));
    const dropped = simulation.tell(deltaOf(one!, 1, 'b'));
    const agreed = simulation.tell(deltaOf(two!, 1, 'a'));

    expect(refused.refusal).toMatchObject({ code: 'stale_round' });
    expect(dropped.refusal).toMatchObject({ code: 'stale_round' });
    expect(agreed.refusal).toBeNull();
    expect(simulation.state.rounds?.sent.map(({ contribution }) => contribution.seat)).toEqual([
      0, 2,
    ]);
  });

  it('succeeds once its leader is done, and ends the leases of the others', () => {
    const simulation = begun();
    const [zero, one, two] = simulation.given;
    simulation.tell({ kind: 'end', end: endOf(one!, 'completed') });
    expect(simulation.state.status).toBe('running');

    simulation.tell({ kind: 'end', end: endOf(zero!, 'completed') });

    expect(simulation.state.status).toBe('succeeded');
    expect(simulation.tell(beatOf(two!, 'running', 9)).refusal?.code).toBe('stale_lease');
  });
});
