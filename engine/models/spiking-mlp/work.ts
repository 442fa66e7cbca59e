import { type OperationsPerExample, evenFanOut } from '../classification/operation-counts.ts';
import type { SpikingMlpStructure } from './structure.ts';

/** The first product is taken once, as an input is a constant current. */
export function mlpOperations({
  inputs,
  hidden,
  classes,
  steps,
}: SpikingMlpStructure): OperationsPerExample {
  return {
    steps,
    frames: 1,
    layers: [{ name: 'hidden', fanOut: evenFanOut(hidden, classes) }],
    products: inputs * hidden,
    // The output has membranes, too.
    updates: steps * (hidden + classes),
    denseMacs: inputs * hidden + hidden * classes,
  };
}
