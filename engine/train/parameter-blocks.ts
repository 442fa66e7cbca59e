import type { Player } from '../graph/backend.ts';
import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import { keptForTrainingOf } from '../checkpoint/model-spec.ts';
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

type Agreed = Pick<RunParts, 'layout' | 'keptForTraining'>;

/** A copy of the parameter block, and behind it of what else members agree on, f32 as well. */
export async function readAgreed(player: Player, parts: Agreed): Promise<Float32Array> {
  const agreed = agreedOf(parts).map(({ tensor }) => player.read(tensor));
  const read = await Promise.all([player.read(parts.layout.values), ...agreed]);
  return joined(read as Float32Array[]);
}

/** What `readAgreed` gives of the run that wrote a checkpoint. */
export function parametersOf({
  spec,
  execution,
  values,
  keptForTraining,
}: StoredTraining): Float32Array {
  const agreed = keptForTrainingOf(spec, execution).filter((kept) => kept.agreed);
  const data = agreed.map(({ name }) => {
    const numbers = keptForTraining?.get(name)?.data;
    if (numbers instanceof Float32Array) return numbers;
    throw new Error(`${name} is not in a checkpoint that was checked for it`);
  });
  return joined([values, ...data]);
}

/** Overwrites what `readAgreed` reads. Throws EngineError `shape-mismatch` for another number of values. */
export function writeAgreed(player: Player, parts: Agreed, given: Float32Array): void {
  const { values } = parts.layout;
  const agreed = agreedOf(parts);
  const count = [values, ...agreed.map(({ tensor }) => tensor)].reduce(
    (sum, tensor) => sum + wordCount(tensor),
    0,
  );
  if (given.length !== count) {
    throw new EngineError(
      'shape-mismatch',
      `${given.length} parameters were given: the model has ${count}, padding included`,
    );
  }
  player.write(values, given.subarray(0, wordCount(values)));
  let first = wordCount(values);
  for (const { tensor, range } of agreed) {
    const own = given.subarray(first, first + wordCount(tensor));
    player.write(
      tensor,
      own.map((value) => Math.min(range.highest, Math.max(range.lowest, value))),
    );
    first += own.length;
  }
}

/** What members agree on beside the block, in the order in which it lies behind it. */
function agreedOf({ keptForTraining = [] }: Agreed) {
  return keptForTraining.flatMap(({ tensor, agreed }) =>
    agreed ? [{ tensor, range: agreed }] : [],
  );
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let first = 0;
  for (const part of parts) {
    whole.set(part, first);
    first += part.length;
  }
  return whole;
}
