import {
  closeRound,
  type Contribution,
  deltaOf,
  memberDataSeed,
  type OuterOptions,
  type OuterState,
  quantiseDelta,
  startOuter,
} from '../../engine/train/local-sgd.ts';
import { encodeDelta } from '../../engine/train/delta-file.ts';
import type { TrainingRun } from '../../engine/train/run.ts';

export interface RoundOptions extends OuterOptions {
  readonly localSteps: number;
  readonly quantised: boolean;
}

export interface Together {
  readonly outer: OuterState;
  /** Bytes one member sent in a round, as a file. */
  readonly bytesPerRound: number;
}

/** Trains runs of the same settings together, in rounds, until their budget of steps is spent. */
export async function trainTogether(
  runs: readonly TrainingRun[],
  options: RoundOptions,
): Promise<Together> {
  const { itemsPerStep } = runs[0]!;
  const budget = runs[0]!.totalSteps!;
  let outer = startOuter(await runs[0]!.parameters());
  const residuals: Float32Array[] = runs.map(() => new Float32Array(outer.parameters.length));
  let bytesPerRound = 0;
  for (;;) {
    const spent = outer.tokens / itemsPerStep;
    const steps = Math.min(options.localSteps, Math.ceil((budget - spent) / runs.length));
    if (steps <= 0) break;
    const contributions: Contribution[] = [];
    for (const [seat, run] of runs.entries()) {
      run.setParameters(outer.parameters);
      run.reseedData(memberDataSeed(run.settings.seed, seat, outer.round));
      run.shareBudget(spent, runs.length);
      await run.advance(steps);
      const values = deltaOf(outer.parameters, await run.parameters());
      const rounded = quantiseDelta(values, residuals[seat]!);
      if (options.quantised) residuals[seat] = rounded.residual;
      const delta = options.quantised ? rounded.delta : ({ kind: 'float32', values } as const);
      bytesPerRound = encodeDelta(delta).length;
      contributions.push({ delta, tokens: steps * itemsPerStep });
    }
    outer = closeRound(outer, contributions, options);
  }
  for (const run of runs) run.setParameters(outer.parameters);
  return { outer, bytesPerRound };
}
