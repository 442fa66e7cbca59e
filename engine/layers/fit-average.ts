import type { AverageState } from '../checkpoint/checkpoint.ts';
import { type Player } from '../graph/backend.ts';
import { Graph } from '../graph/graph.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { meanOfWeights, movingAverage } from '../optimizers/weight-average.ts';
import { countOf, numberOf, refused } from './options.ts';

/**
 * A model's parameters averaged over training: `{ decay: 0.999 }` is an exponential moving average over all steps,
 * `{ from: 5 }` the mean of those at the ends of epochs from the fifth on (Izmailov et al. 2018).
 */
export type Averaging = { readonly decay: number } | { readonly from: number };

/** Throws EngineError `invalid-setting` for an average that there is not. */
export function checkAveraging(averaging: Averaging | undefined): Averaging | undefined {
  if (averaging === undefined) return undefined;
  const { decay, from } = (averaging ?? {}) as { readonly decay?: number; readonly from?: number };
  if ((decay === undefined) === (from === undefined)) {
    throw refused('fit', 'average has neither or both of decay and from: expected one of them');
  }
  return decay === undefined
    ? { from: countOf('fit', 'average.from', from) }
    : { decay: numberOf('fit', 'average.decay', decay, { from: 0, below: 1 }) };
}

/** As a run's file and messages name it. */
export function averagingText(averaging: Averaging | undefined): string {
  if (!averaging) return 'none';
  return 'decay' in averaging ? `decay ${averaging.decay}` : `from ${averaging.from}`;
}

/** The average of a run, which lies beside its parameters on the device. */
export interface RunningAverage {
  readonly program: Program;
  afterStep(player: Player): void;
  /** At the end of an epoch, counted from 1. */
  afterEpoch(player: Player, epoch: number): void;
  read(player: Player): Promise<AverageState>;
  restore(player: Player, state: AverageState): void;
}

export function traceAverage(layout: ParameterLayout, averaging: Averaging): RunningAverage {
  const isMoving = 'decay' in averaging;
  const average = isMoving ? movingAverage(layout, averaging) : meanOfWeights(layout);
  const graph = new Graph('average', layout);
  average.take(graph);
  const program = graph.build();
  return {
    program,
    afterStep(player) {
      if (isMoving) player.play(program);
    },
    afterEpoch(player, epoch) {
      if (!isMoving && epoch >= averaging.from) player.play(program);
    },
    async read(player) {
      // Both are f32, and belong to the player.
      const values = ((await player.read(average.values)) as Float32Array).slice();
      return { values, taken: (await player.read(average.taken))[0] ?? 0 };
    },
    restore(player, { values, taken }) {
      player.write(average.values, values);
      player.write(average.taken, Float32Array.of(taken));
    },
  };
}
