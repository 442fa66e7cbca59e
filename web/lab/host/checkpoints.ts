import { type CheckpointFiles, settingsOf, type StoredTraining } from '../../../engine/index.ts';
import type { CheckpointFacts } from '../run-machine.ts';

/** The last checkpoint, in memory. */
export interface Kept {
  readonly step: number;
  readonly files: CheckpointFiles;
}

/** Checkpoints are at least so far apart, ms. */
const KEEP_EVERY_MS = 30_000;
/** And so far that making them takes at most a twentieth of the time. */
const COST_FACTOR = 20;

/**
 * Keeps the last checkpoint of a run, to go on from when the device is lost, and the one whose validation was best, to go on
 * from when the loss diverges.
 */
export function createCheckpoints(now: () => number) {
  let kept: Kept | undefined;
  let keptAt = now();
  let tookMs = 0;
  let best: (Kept & { readonly loss: number }) | undefined;
  let bestAt = Number.NEGATIVE_INFINITY;

  return {
    kept: () => kept,
    isDue: () => now() - keptAt >= Math.max(KEEP_EVERY_MS, COST_FACTOR * tookMs),
    /** @param ms how long it took to make */
    keep(step: number, files: CheckpointFiles, ms = 0): Kept {
      keptAt = now();
      tookMs = ms;
      kept = { step, files };
      return kept;
    },
    /** Whether a validation was the best so far, and making its checkpoint does not take too much time. */
    isBest: (loss: number) =>
      loss < (best?.loss ?? Number.POSITIVE_INFINITY) && now() - bestAt >= COST_FACTOR * tookMs,
    keepBest(loss: number, one: Kept): void {
      best = { ...one, loss };
      bestAt = now();
    },
    /** Goes back to the best checkpoint, where there is one. */
    fallBack(): void {
      kept = best ?? kept;
    },
    forget() {
      kept = undefined;
      best = undefined;
      bestAt = Number.NEGATIVE_INFINITY;
      keptAt = now();
      tookMs = 0;
    },
  };
}

/** A summary of a checkpoint. */
export function factsOf({ state, spec, execution, layout }: StoredTraining): CheckpointFacts {
  const { name, sha256 } = state.data;
  return {
    settings: settingsOf(execution, spec.architecture),
    step: state.step,
    parameters: layout.count,
    data: { name, sha256 },
  };
}
