import type { RunData } from '../checkpoint/run-data.ts';
import type { Backend } from '../graph/backend.ts';
import type { TrainingControls } from '../settings/controls.ts';
import type { KnownSettings } from './choices.ts';
import type { ModelFamily } from './load-family.ts';

interface Place {
  readonly family: ModelFamily;
  readonly backend: Backend;
  readonly data: RunData;
  readonly controls: TrainingControls;
}

/** Timed for so long, or in so many steps. */
const TIMED_SECONDS = 0.4;
const TIMED_STEPS = 16;
/** A first step that takes longer is the measure itself. */
const MAX_WARM_UP_SECONDS = 5;

/** Measured times by device and by run: a process asks again for the same one. */
const timed = new WeakMap<Backend, Map<string, number>>();

/**
 * Seconds of a training step on a device: of a few steps of a run that is thrown away, behind one that compiles
 * and fills the caches unless it takes too long by itself. Throws as `createRun`.
 */
export async function stepTime(
  { architecture, fields, batch, learningRate, seed }: KnownSettings,
  { family, backend, data, controls }: Place,
): Promise<number> {
  const known = timed.get(backend) ?? new Map<string, number>();
  timed.set(backend, known);
  const key = JSON.stringify([architecture, fields, batch, data.digest]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const budget = { kind: 'steps', steps: 1 + 2 * TIMED_STEPS } as const;
  const settings = { architecture, fields, batch, learningRate, seed, budget };
  const run = await family.createRun({ backend, settings, controls }, data);
  try {
    let { seconds } = await run.advance(1);
    if (seconds <= MAX_WARM_UP_SECONDS) {
      let [spent, steps] = [0, 0];
      while (spent < TIMED_SECONDS && steps < TIMED_STEPS) {
        spent += (await run.advance(1)).seconds;
        steps++;
      }
      seconds = spent / steps;
    }
    known.set(key, seconds);
    return seconds;
  } finally {
    run.close();
  }
}
