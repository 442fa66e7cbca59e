import { describe, expect, it } from 'vitest';
import type { CheckpointFacts, RunFacts } from '../../../web/lab/run-machine.ts';
import { IDLE, nextRun, type RunEvent, type RunState } from '../../../web/lab/run-machine.ts';
import { fc } from '../seeded.ts';

// The machine hands these on as they are: what is in them is of no matter to it.
const run = { layers: ['blocks.0.qkv'] } as unknown as RunFacts;
const checkpoint = { step: 7 } as unknown as CheckpointFacts;
const failure = { kind: 'engine', code: 'diverged', message: 'the loss is NaN' } as const;

const after = (...events: RunEvent[]) =>
  events.reduce<RunState>((state, event) => nextRun(state, event) ?? state, IDLE);

const step = fc.nat(1_000);
const event: fc.Arbitrary<RunEvent> = fc.oneof(
  fc.constantFrom<RunEvent>(
    { type: 'open' },
    { type: 'train' },
    { type: 'step' },
    { type: 'pause' },
    { type: 'reset' },
    { type: 'loaded', checkpoint },
  ),
  fc.record({
    type: fc.constant('reached' as const),
    stage: fc.constantFrom('data' as const, 'device' as const, 'programs' as const),
  }),
  fc.record({ type: fc.constant('opened' as const), run: fc.constant(run), step }),
  fc.record({ type: fc.constantFrom('stopped' as const, 'spent' as const), step }),
  fc.record({
    type: fc.constantFrom('failed' as const, 'lost' as const),
    failure: fc.constant(failure),
    checkpointStep: fc.option(step),
  }),
);

/** Where each state may lead; all but the first lead to these. */
const OUT = ['idle', 'loaded', 'failed', 'lost'] as const;
const WAYS: Readonly<Record<RunState['status'], readonly RunState['status'][]>> = {
  idle: ['opening', 'loaded'],
  loaded: [...OUT, 'opening'],
  opening: [...OUT, 'ready'],
  ready: [...OUT, 'opening', 'training'],
  training: [...OUT, 'paused', 'finished'],
  paused: [...OUT, 'opening', 'training'],
  finished: [...OUT, 'opening'],
  failed: [...OUT, 'opening'],
  lost: [...OUT, 'opening'],
};

describe('the run of the lab', () => {
  it('opens, trains, pauses, goes on and ends', () => {
    const opened: RunEvent = { type: 'opened', run, step: 0 };
    const begun: RunEvent[] = [{ type: 'open' }, { type: 'reached', stage: 'programs' }, opened];
    expect(after(...begun)).toEqual({ status: 'ready', run, step: 0 });

    const training = after(...begun, { type: 'train' });
    expect(training).toEqual({ status: 'training', run, goal: 'budget' });
    expect(after(...begun, { type: 'train' }, { type: 'stopped', step: 3 })).toEqual({
      status: 'paused',
      run,
      step: 3,
    });
    expect(after(...begun, { type: 'step' }, { type: 'spent', step: 9 })).toEqual({
      status: 'finished',
      run,
      step: 9,
    });
  });

  it('can take a pause back before it holds', () => {
    const training: RunState = { status: 'training', run, goal: 'budget' };
    const pausing = nextRun(training, { type: 'pause' });

    expect(pausing).toEqual({ status: 'training', run, goal: 'pause' });
    expect(nextRun(pausing!, { type: 'train' })).toEqual(training);
  });

  it('remembers the last checkpoint when it fails', () => {
    const failed: RunEvent = { type: 'lost', failure, checkpointStep: 40 };

    expect(nextRun({ status: 'training', run, goal: 'budget' }, failed)).toEqual({
      status: 'lost',
      failure,
      checkpointStep: 40,
    });
    expect(nextRun(IDLE, failed)).toBeUndefined();
  });

  it('goes only where the diagram leads, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state: RunState = IDLE;
        for (const next of events) {
          const before = state;
          state = nextRun(state, next) ?? state;
          expect([...WAYS[before.status], before.status], next.type).toContain(state.status);
        }
      }),
    );
  });

  it('is forgotten by a reset from everywhere', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        expect(nextRun(after(...events), { type: 'reset' })).toEqual(IDLE);
      }),
    );
  });
});
