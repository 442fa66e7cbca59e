import { type ClassWork, evenFanOut } from '../class-work.ts';
import type { SpikingMlpStructure } from './structure.ts';

/** The first product is taken once, as an input is a constant current. */
export function mlpWork({ inputs, hidden, classes, steps }: SpikingMlpStructure): ClassWork {
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
