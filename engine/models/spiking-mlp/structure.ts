import type { Surrogate } from '../../kernels/neurons.ts';
import { EngineError } from '../../errors.ts';

/** What makes one spiking classifier differ from another in shape or dynamics. */
export interface SpikingMlpStructure {
  /** Numbers of one input, such as the pixels of an image. */
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
  /** Time steps T for which an input is shown. */
  readonly steps: number;
  readonly beta: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
}

/** The network of snnTorch's tutorial 5, for handwritten digits of 28 x 28 pixels. */
export const tutorialStructure: SpikingMlpStructure = {
  inputs: 784,
  hidden: 1000,
  classes: 10,
  steps: 25,
  beta: 0.95,
  threshold: 1,
  surrogate: 'atan',
};

/** What is beyond these is a slip of the finger: tracing it would take for ever. */
const LARGEST = {
  inputs: 1 << 20,
  hidden: 1 << 16,
  classes: 1 << 16,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: SpikingMlpStructure): void {
  const { inputs, hidden, classes, steps, beta, threshold } = structure;
  const counts = { inputs, hidden, classes, time_steps: steps };
  for (const [name, value] of Object.entries(counts)) {
    const most = LARGEST[name as keyof typeof LARGEST];
    if (Number.isInteger(value) && value >= 1 && value <= most) continue;
    refuse(`${name} is ${value}: expected a whole number from 1 to ${most}`);
  }
  if (!(beta >= 0 && beta <= 1)) refuse(`beta is ${beta}: expected a number from 0 to 1`);
  if (!(threshold > 0)) refuse(`threshold is ${threshold}: expected a positive number`);
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `spiking_mlp: ${message}`);
}
