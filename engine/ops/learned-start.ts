import { EngineError } from '../errors.ts';
import type { Initial } from '../graph/parameters.ts';
import type { LearnedParameter } from '../kernels/written-neuron.ts';
import { expectPositive } from './layer-shapes.ts';

/* Apart from the ops: who plans a model needs these, and no kernels. */

/** Initial `a` and `b` for which the neurons begin with this beta and threshold. */
export function evoLifStart(beta: number, threshold: number): { a: number; b: number } {
  if (!(beta > 0 && beta < 1)) {
    throw new EngineError(
      'invalid-setting',
      `evoLif: beta is ${beta}: expected a number between 0 and 1, neither included`,
    );
  }
  expectPositive('evoLif', { threshold });
  return { a: Math.log(beta / (1 - beta)), b: threshold + Math.log(-Math.expm1(-threshold)) };
}

/**
 * The value that the tensor of a learned parameter begins with. A range is kept by a smooth map: the
 * parameter is `lowest + (highest - lowest) sigmoid(x)`, and x is trained; without a range it is x.
 */
export function learnedStart({ initial, range }: LearnedParameter): number {
  if (!range) return initial;
  return Math.log((initial - range.lowest) / (range.highest - initial));
}

/** The first values of that tensor: `learnedStart`, or numbers between those of both ends of the spread. */
export function learnedInitial(learned: LearnedParameter): Initial {
  const { initial, spread } = learned;
  if (spread === undefined) return { kind: 'constant', value: learnedStart(learned) };
  const [low, high] = [initial - spread, initial + spread].map((end) =>
    learnedStart({ ...learned, initial: end }),
  ) as [number, number];
  return { kind: 'uniform', bound: (high - low) / 2, centre: (low + high) / 2 };
}
