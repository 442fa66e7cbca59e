import { type OperationsPerExample, evenFanOut } from '../classification/operation-counts.ts';
import type { SpikingAudioStructure } from './structure.ts';

/**
 * A frame is a constant current for its time steps, so its product is taken once. A dense network reads its
 * recurrent weights once for each frame, and those of the output once for the mean of all.
 */
export function audioOperations(structure: SpikingAudioStructure): OperationsPerExample {
  const { frames, features, hidden, classes, steps } = structure;
  const products = frames * features * hidden;
  return {
    steps: frames * steps,
    frames,
    layers: [{ name: 'hidden', fanOut: evenFanOut(hidden, hidden + classes) }],
    products,
    updates: frames * steps * hidden,
    denseMacs: products + frames * hidden ** 2 + hidden * classes,
  };
}
