import type { Player } from '../../graph/backend.ts';
import { emptyBatch, type ExampleBatch, type Examples, fillAltered } from '../../data/examples.ts';
import { EngineError } from '../../errors.ts';
import { keyOf } from '../../random/philox.ts';
import { shuffledIndices } from '../../random/shuffle.ts';
import type { BatchFeed } from '../../train/run.ts';

interface FeedOptions {
  readonly batch: number;
  readonly seed: number;
  readonly write: (player: Player, batch: ExampleBatch) => void;
}

/**
 * Whole batches of examples in an order drawn anew for every epoch; examples left over are seen in other
 * epochs. Throws EngineError `invalid-setting` for fewer examples than one batch.
 */
export function createExampleFeed(
  examples: Examples,
  { batch, seed, write }: FeedOptions,
): BatchFeed {
  const { count } = examples;
  const stepsPerEpoch = Math.floor(count / batch);
  if (stepsPerEpoch === 0) {
    throw new EngineError(
      'invalid-setting',
      `batch_size is ${batch} with ${count} examples to learn from: expected at most as many`,
    );
  }
  const filled = emptyBatch(examples, batch);
  let key = keyOf(seed);
  let drawn = { epoch: 0, order: shuffledIndices(count, 0, key) };
  return {
    stepsPerEpoch,
    load: () => undefined,
    reseed(newSeed) {
      key = keyOf(newSeed);
      drawn = { ...drawn, order: shuffledIndices(count, drawn.epoch, key) };
    },
    write(player, step) {
      const epoch = Math.floor(step / stepsPerEpoch);
      if (epoch !== drawn.epoch) drawn = { epoch, order: shuffledIndices(count, epoch, key) };
      const first = (step % stepsPerEpoch) * batch;
      const chosen = drawn.order.subarray(first, first + batch);
      fillAltered(examples, chosen, filled, { key, step });
      write(player, filled);
    },
  };
}

/** Writes the classes of a batch into `targets` once for every time step of the logits. */
export function inEveryStep(labels: Uint32Array, targets: Uint32Array): Uint32Array {
  for (let at = 0; at < targets.length; at += labels.length) targets.set(labels, at);
  return targets;
}
