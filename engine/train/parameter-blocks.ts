import type { Player } from '../backends/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { wordCount } from '../graph/tensor.ts';
import { initialValues } from './initial-values.ts';
import { writeKept } from './kept-tensors.ts';
import type { RunParts } from './run-loop.ts';

/** Draws the first parameters of a run; the moments are zero on a device that was just loaded. */
export function startParameters(player: Player, layout: ParameterLayout, seed: number): void {
  for (const parameter of layout.parameters) {
    player.write(parameter.value, initialValues(parameter, seed));
  }
}

/** Parameters, moments and whatever else a checkpoint keeps; a base model keeps nothing of its own training. */
export function restoreBlocks(
  player: Player,
  { layout, kept, keptForTraining }: Pick<RunParts, 'layout' | 'kept' | 'keptForTraining'>,
  stored: StoredTraining,
): void {
  player.write(layout.values, stored.values);
  player.write(layout.momentum, stored.momentum);
  player.write(layout.variance, stored.variance);
  writeKept(player, kept, stored.kept);
  const known = keptForTraining?.filter(({ name }) => stored.keptForTraining?.has(name));
  writeKept(player, known, stored.keptForTraining);
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
