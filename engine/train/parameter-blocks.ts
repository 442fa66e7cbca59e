import type { Player } from '../backends/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { wordCount } from '../graph/tensor.ts';
import { initialValues } from './initial-values.ts';

/** Draws the first parameters of a run; the moments are zero on a device that was just loaded. */
export function startParameters(player: Player, layout: ParameterLayout, seed: number): void {
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, seed));
  }
}

/** Parameters and moments as a checkpoint has them. */
export function restoreBlocks(
  player: Player,
  layout: ParameterLayout,
  { values, momentum, variance }: StoredTraining,
): void {
  player.write(layout.values, values);
  player.write(layout.momentum, momentum);
  player.write(layout.variance, variance);
}

/** A copy of the parameter block, which is always f32. */
export async function readParameters(
  player: Player,
  { values }: ParameterLayout,
): Promise<Float32Array> {
  return (await player.read(values)) as Float32Array;
}

/** Overwrites the parameter block. Throws EngineError `shape-mismatch` for another number of values. */
export function writeParameters(
  player: Player,
  { values }: ParameterLayout,
  given: Float32Array,
): void {
  if (given.length !== wordCount(values)) {
    throw new EngineError(
      'shape-mismatch',
      `${given.length} parameters were given: the model has ${wordCount(values)}, padding included`,
    );
  }
  player.write(values, given);
}
